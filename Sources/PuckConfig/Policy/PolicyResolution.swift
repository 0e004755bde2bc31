import PuckCore

/// Lookups of a host's users and groups, as a policy needs them.
public struct UserDirectory<Failure: Error> {
    /// The ID of the user that puckd runs as.
    public var own: UInt32
    /// Returns a user's ID by name; nil if there is no such user.
    public var user: (String) throws(Failure) -> UInt32?
    /// Returns a group's ID by name; nil if there is no such group.
    public var group: (String) throws(Failure) -> UInt32?

    /// Creates a directory from these lookups.
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

/// A policy with IDs, and the names that could not be resolved.
public struct ResolvedPolicy: Hashable, Sendable {
    /// The policy.
    public var policy = AccessPolicy()
    /// The users and groups that do not exist on this host. What the file gives to them is left out.
    public var absent: [NamedSubject] = []
    /// The rules that cannot be left out, because a later rule would then give their subjects more access. If there are
    /// any, the policy must not be used.
    public var errors: [ConfigurationError] = []
}

extension NamedPolicy {
    /// Resolves all names to IDs, so that a decision needs no lookup. Throws if any lookup fails: otherwise a user
    /// whose name cannot be looked up for a moment would escape the rule about that user.
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

    /// Returns warnings for the log about access that an administrator would miss: no client can be admin, or root sees
    /// only the approximate location. This is easily overlooked, because rules in a file replace all default rules.
    /// `own` is the ID of the user that puckd runs as.
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

    /// Whether all rules are default rules.
    public var hasDefaultRules: Bool { rules.allSatisfy { $0.line == 0 } }

    /// Warnings about rules that never apply, because an earlier rule is about everyone or about the same subject.
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
