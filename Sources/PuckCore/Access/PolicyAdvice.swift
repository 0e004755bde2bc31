/// The configuration line that gives a user more access.
public struct PolicyAdvice: Hashable, Sendable {
    /// The user's name, or its number.
    public var user: String
    /// The user's present access.
    public var access: Access
    /// The configuration file that the policy comes from.
    public var file: String
    /// Whether the default rules apply, because the file has none.
    public var hasDefaultRules: Bool

    /// Advice for a user. The number replaces a name that a rule cannot contain.
    public init(user: UInt32, name: String?, access: Access, file: String, hasDefaultRules: Bool) {
        let isWord = name.map { !$0.isEmpty && $0.isPrintable && !$0.contains(where: { " \t;#".contains($0) }) }
        self.user = isWord == true ? name ?? "\(user)" : "\(user)"
        self.access = access
        self.file = file
        self.hasDefaultRules = hasDefaultRules
    }

    /// The line that adds a role, or precise accuracy, to the user's access.
    public func rule(adding role: Role? = nil, accuracy: AccuracyMode? = nil) -> String {
        let roles = access.roles.union(role.map { [$0] } ?? [])
        let words = Role.allCases.filter(roles.contains).map(\.rawValue)
        let subject = "user:\(user) \((accuracy ?? access.accuracy).rawValue)"
        return "rule = " + ([subject] + words).joined(separator: " ")
    }

    /// The place for that line. The first rule that matches a client decides, and the first rule of a file replaces
    /// the defaults.
    public var place: String {
        hasDefaultRules
            ? "under [policy] in \(file), and remove the # from the default rules there, which this one would replace"
            : "under [policy] in \(file), before the other rules"
    }

    /// The advice to ask an administrator for a role.
    public func sentence(adding role: Role) -> String {
        "ask an administrator to put “\(rule(adding: role))” \(place)"
    }
}
