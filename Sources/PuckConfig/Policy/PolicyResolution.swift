import PuckCore

/// A host's users and groups, as far as a policy asks for them.
public struct UserDirectory<Failure: Error> {
    /// The user that puckd runs as.
    public var own: UInt32
    /// A user's number by name; nil where there is none.
    public var user: (String) throws(Failure) -> UInt32?
    /// A group's number by name; nil where there is none.
    public var group: (String) throws(Failure) -> UInt32?

    /// A host's users and groups.
    public init(
        own: UInt32, user: @escaping (String) throws(Failure) -> UInt32?,
        group: @escaping (String) throws(Failure) -> UInt32?
    ) {
        self.own = own
        self.user = user
        self.group = group
    }

    fileprivate func resolve(_ subject: NamedSubject) throws(Failure) -> AccessSubject? {
        switch subject {
        case .own: return .user(own)
        case .anyone: return .anyone
        case .user(let name):
            if let number = UInt32(name) { return .user(number) }
            return try user(name).map { .user($0) }
        case .group(let name):
            if let number = UInt32(name) { return .group(number) }
            return try group(name).map { .group($0) }
        }
    }
}

/// A policy by number, and what had to be left out of it.
public struct ResolvedPolicy: Hashable, Sendable {
    /// The policy.
    public var policy = AccessPolicy()
    /// Users and groups that this host does not have. What the file gives them, nobody has.
    public var absent: [NamedSubject] = []
    /// Rules that can't be left out, since a later one would then give their subjects more: the policy must not be used.
    public var errors: [ConfigurationError] = []
}

extension NamedPolicy {
    /// The policy by number, so that deciding asks nobody. A failing look-up fails the whole: who is not known for a
    /// moment is not to slip past the rule that is about them.
    public func resolved<Failure: Error>(by directory: UserDirectory<Failure>) throws(Failure) -> ResolvedPolicy {
        var result = ResolvedPolicy()
        for (index, rule) in rules.enumerated() {
            if let subject = try directory.resolve(rule.subject) {
                let group: String? = if case .group(let name) = rule.subject { name } else { nil }
                result.policy.rules.append(AccessPolicy.Rule(subject, rule.access, group: group))
            } else if givesMoreLater(than: rule.access, after: index) {
                result.errors.append(
                    ConfigurationError(
                        file: file, line: rule.line,
                        problem: .unknownSubject(section: "policy", key: "rule", subject: "\(rule.subject)")))
            } else {
                result.absent.append(rule.subject)
            }
        }
        for purpose in purposes {
            var allowed: [AccessSubject] = []
            for named in purpose.allowed {
                if let subject = try directory.resolve(named) {
                    allowed.append(subject)
                } else {
                    result.absent.append(named)
                }
            }
            result.policy.purposes.append(
                PuckCore.Purpose(
                    key: purpose.key, description: purpose.description, seconds: purpose.seconds, allowed: allowed))
        }
        return result
    }

    /// What the policy lacks that an admin would miss, for the log. A file's rules take the place of all that are there by
    /// default, which is easily forgotten. `own` is the user that puckd runs as.
    public static func warnings(of policy: AccessPolicy, own: UInt32) -> [String] {
        let root = policy.access(of: ClientIdentity(user: 0, groups: [0]))
        let itself = policy.access(of: ClientIdentity(user: own, groups: []))
        let somebodyElse = policy.rules.contains { $0.access.roles.contains(.admin) }
        var lost: [String] = []
        if !root.roles.contains(.admin), !itself.roles.contains(.admin), !somebodyElse {
            lost.append("nobody is admin")
        }
        if root.accuracy != .precise { lost.append("root sees the approximate location only") }
        guard !lost.isEmpty else { return [] }
        return [
            "[policy] rule: \(lost.joined(separator: ", and ")), since the rules of a file replace the default ones "
                + "(rule = user:root precise observer controller provider admin)"
        ]
    }

    /// Whether the rules are those by default.
    public var hasDefaultRules: Bool { rules.allSatisfy { $0.line == 0 } }

    /// Rules that never apply, because an earlier one is about everyone or about the same subject.
    public var warningsOfDeadRules: [String] {
        rules.enumerated().compactMap { index, rule in
            let earlier = rules[..<index].first { $0.subject == .anyone || $0.subject == rule.subject }
            guard let earlier, rule.line > 0 else { return nil }
            return
                "line \(rule.line): [policy] rule: “\(rule.subject)” never applies, because line \(earlier.line) is about "
                + "“\(earlier.subject)” and the first match decides; move this rule up, or remove it"
        }
    }

    private func givesMoreLater(than access: Access, after index: Int) -> Bool {
        (rules[(index + 1)...].map(\.access) + [.unknown]).contains { $0.exceeds(access) }
    }
}
