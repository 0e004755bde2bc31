/// Who a client is, by the kernel's word: numbers only, so that deciding needs no look-up.
public struct ClientIdentity: Hashable, Sendable {
    /// The user's number.
    public var user: UInt32
    /// The numbers of all groups it belongs to, the main one included.
    public var groups: Set<UInt32>

    /// An identity of a user and its groups.
    public init(user: UInt32, groups: Set<UInt32>) {
        self.user = user
        self.groups = groups
    }
}

/// Whom a rule is about.
public enum AccessSubject: Hashable, Sendable {
    /// One user.
    case user(UInt32)
    /// The members of a group.
    case group(UInt32)
    /// Everyone.
    case anyone

    /// Whether it is about that client.
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

    /// That accuracy and those roles.
    public init(accuracy: AccuracyMode, roles: Set<Role>) {
        self.accuracy = accuracy
        self.roles = roles
    }

    /// What anyone has of whom no rule is: approximate, watching and steering.
    public static let unknown = Access(accuracy: .approximate, roles: [.observer, .controller])

    /// Whether it gives something that `other` does not.
    public func exceeds(_ other: Access) -> Bool {
        (accuracy == .precise && other.accuracy != .precise) || !roles.isSubset(of: other.roles)
    }
}

/// A reason for which precise accuracy may be had for a while.
public struct Purpose: Hashable, Sendable {
    /// The key that clients ask by.
    public var key: String
    /// A sentence that a person can read.
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

/// Who may see and do what.
public struct AccessPolicy: Hashable, Sendable {
    /// One rule: whom it is about, and what they have.
    public struct Rule: Hashable, Sendable {
        /// Whom it is about.
        public var subject: AccessSubject
        /// What they have.
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

    /// The rules: the first that is about a client decides.
    public var rules: [Rule]
    /// The purposes, in the order in which clients are told of them.
    public var purposes: [Purpose]

    /// A policy; without rules everyone is unknown.
    public init(rules: [Rule] = [], purposes: [Purpose] = []) {
        self.rules = rules
        self.purposes = purposes
    }

    /// What a client may see and do. Of whom no rule is, is unknown, and gets what is approximate.
    public func access(of client: ClientIdentity) -> Access {
        rules.first { $0.subject.includes(client) }?.access ?? .unknown
    }

    /// The groups whose members see the precise location, as far as a client that joined one would be among them: no
    /// earlier rule decides about it.
    public func preciseGroups(for client: ClientIdentity) -> [String] {
        rules.prefix { !$0.subject.includes(client) }.filter { $0.access.accuracy == .precise }.compactMap(\.group)
    }

    /// The purpose of that key; nil where none is declared.
    public func purpose(_ key: String) -> Purpose? { purposes.first { $0.key == key } }
}
