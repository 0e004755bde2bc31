import PuckCore

/// The subject of a rule, by name.
public enum NamedSubject: Hashable, Sendable, CustomStringConvertible {
    /// A user, by name or ID.
    case user(String)
    /// The members of a group, by name or ID.
    case group(String)
    /// The user that puckd runs as.
    case own
    /// Everyone.
    case anyone

    /// The accepted forms in a file, for errors.
    static let expected = "self, any, user:NAME or group:NAME"

    init?(_ text: some StringProtocol) {
        switch text {
        case "self": self = .own
        case "any": self = .anyone
        case _ where text.hasPrefix("user:") && text.count > 5: self = .user(String(text.dropFirst(5)))
        case _ where text.hasPrefix("group:") && text.count > 6: self = .group(String(text.dropFirst(6)))
        default: return nil
        }
    }

    /// The subject in the form that a file uses.
    public var description: String {
        switch self {
        case .user(let name): "user:\(name)"
        case .group(let name): "group:\(name)"
        case .own: "self"
        case .anyone: "any"
        }
    }
}

/// A policy with users and groups by name, as in a file, before the host has looked them up.
public struct NamedPolicy: Hashable, Sendable {
    /// One rule.
    public struct Rule: Hashable, Sendable {
        /// The users to which the rule applies.
        public var subject: NamedSubject
        /// The access that the rule gives them.
        public var access: Access
        /// The line of the rule; 0, the default, means a default rule.
        public var line = 0
    }

    /// A purpose for which clients may request precise accuracy.
    public struct Purpose: Hashable, Sendable {
        /// The key that a request names: 1 to 64 letters, digits, `-`, `_` or `.`.
        public var key: String
        /// A sentence for people to read.
        public var description: String
        /// The duration of a grant in seconds; 1 to 86,400.
        public var seconds: Double
        /// The users that may request it.
        public var allowed: [NamedSubject]
    }

    /// The rules. The first rule that matches a client applies.
    public var rules: [Rule]
    /// The purposes in the order of the file.
    public var purposes: [Purpose] = []
    /// The file that the policy comes from, for later errors.
    public var file = ""

    /// Creates the default policy. puckd's own user and root have precise accuracy and all roles. Members of the group
    /// `puckd-precise` have precise accuracy and the roles observer and controller. A client that matches no rule has
    /// approximate accuracy, and the roles observer and controller.
    public init() {
        let everything = Access(accuracy: .precise, roles: Set(Role.allCases))
        rules = [
            Rule(subject: .own, access: everything),
            Rule(subject: .user("root"), access: everything),
            Rule(
                subject: .group("puckd-precise"), access: Access(accuracy: .precise, roles: [.observer, .controller])),
        ]
    }
}
