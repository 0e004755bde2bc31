/// The identity of a client, as the kernel reports it: numbers only, so that a decision needs no look-up.
public struct ClientIdentity: Hashable, Sendable {
    /// The user's number.
    public var user: UInt32
    /// The numbers of all the user's groups, including the primary one.
    public var groups: Set<UInt32>

    /// An identity of a user and its groups.
    public init(user: UInt32, groups: Set<UInt32>) {
        self.user = user
        self.groups = groups
    }
}

/// The clients that a rule applies to.
public enum AccessSubject: Hashable, Sendable {
    /// One user.
    case user(UInt32)
    /// The members of a group.
    case group(UInt32)
    /// Everyone.
    case anyone

    /// Whether the rule applies to that client.
    public func includes(_ client: ClientIdentity) -> Bool {
        switch self {
        case .user(let user): client.user == user
        case .group(let group): client.groups.contains(group)
        case .anyone: true
        }
    }
}

/// What a client may see and do.
public struct Access: Hashable, Sendable {
    /// The best accuracy it may have without a grant.
    public var accuracy: AccuracyMode
    /// What it may do.
    public var roles: Set<Role>

    /// Access with that accuracy and those roles.
    public init(accuracy: AccuracyMode, roles: Set<Role>) {
        self.accuracy = accuracy
        self.roles = roles
    }

    /// The access of a client that matches no rule: approximate, with the roles observer and controller.
    public static let unknown = Access(accuracy: .approximate, roles: [.observer, .controller])

    /// Whether it permits something that `other` does not.
    public func exceeds(_ other: Access) -> Bool {
        (accuracy == .precise && other.accuracy != .precise) || !roles.isSubset(of: other.roles)
    }
}

/// A purpose for which a client may have precise accuracy for a limited time.
public struct Purpose: Hashable, Sendable {
    /// The key that clients use.
    public var key: String
    /// A description for people.
    public var description: String
    /// How long a grant lasts, seconds.
    public var seconds: Double
    /// Who may ask.
    public var allowed: [AccessSubject]

    /// A purpose.
    public init(key: String, description: String, seconds: Double, allowed: [AccessSubject]) {
        self.key = key
        self.description = description
        self.seconds = seconds
        self.allowed = allowed
    }

    /// Whether that client may ask for it.
    public func allows(_ client: ClientIdentity) -> Bool { allowed.contains { $0.includes(client) } }
}

/// The rules that decide what each client may see and do.
public struct AccessPolicy: Hashable, Sendable {
    /// One rule: the clients that it applies to, and their access.
    public struct Rule: Hashable, Sendable {
        /// The clients that the rule applies to.
        public var subject: AccessSubject
        /// Their access.
        public var access: Access
        /// The group's name in the configuration; nil if the rule is not about a group, or nobody needs the name.
        public var group: String?
        /// A rule.
        public init(_ subject: AccessSubject, _ access: Access, group: String? = nil) {
            self.subject = subject
            self.access = access
            self.group = group
        }
    }

    /// The rules: the first that applies to a client decides.
    public var rules: [Rule]
    /// The purposes, in the order in which `hello` lists them.
    public var purposes: [Purpose]

    /// A policy. Without rules, every client is unknown.
    public init(rules: [Rule] = [], purposes: [Purpose] = []) {
        self.rules = rules
        self.purposes = purposes
    }

    /// The access of a client. A client that matches no rule is unknown, and gets the approximate location.
    public func access(of client: ClientIdentity) -> Access {
        rules.first { $0.subject.includes(client) }?.access ?? .unknown
    }

    /// The groups whose members see the precise location, if a client that joins one gets its access: no earlier rule
    /// applies to the client.
    public func preciseGroups(for client: ClientIdentity) -> [String] {
        rules.prefix { !$0.subject.includes(client) }.filter { $0.access.accuracy == .precise }.compactMap(\.group)
    }

    /// The purpose with that key; nil if none is declared.
    public func purpose(_ key: String) -> Purpose? { purposes.first { $0.key == key } }
}
