import PuckCore

/// Whom a rule is about, by name.
public enum NamedSubject: Hashable, Sendable, CustomStringConvertible {
    /// A user, by name or number.
    case user(String)
    /// The members of a group, by name or number.
    case group(String)
    /// The user that puckd runs as.
    case own
    /// Everyone.
    case anyone

    /// What a file says of it.
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

    /// As it stands in a file.
    public var description: String {
        switch self {
        case .user(let name): "user:\(name)"
        case .group(let name): "group:\(name)"
        case .own: "self"
        case .anyone: "any"
        }
    }
}

/// Who may see and do what, by name: as a file says it, before the host is asked who that is.
public struct NamedPolicy: Hashable, Sendable {
    /// One rule.
    public struct Rule: Hashable, Sendable {
        /// Whom it is about.
        public var subject: NamedSubject
        /// What they have.
        public var access: Access
        /// The line it stands in; 0: it is a default.
        public var line = 0
    }

    /// A purpose.
    public struct Purpose: Hashable, Sendable {
        /// The key that clients ask by.
        public var key: String
        /// A sentence that a person can read.
        public var description: String
        /// How long a grant lasts, seconds.
        public var seconds: Double
        /// Who may ask.
        public var allowed: [NamedSubject]
    }

    /// The rules: the first that is about a client decides.
    public var rules: [Rule]
    /// The purposes, in the order in which they stand.
    public var purposes: [Purpose] = []
    /// The file it was read from, for what is found wrong later.
    public var file = ""

    /// By default puckd's own user and root see and do all, and the members of a group that is there for it see the
    /// precise location. Everyone else is unknown: approximate, watching and steering.
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
