import PuckCore

/// The content of an `ok`, besides the request's id.
public enum Answer: Hashable, Sendable {
    /// Nothing.
    case none
    /// For `ping`: the time.
    case pong(Moment)
    /// For `status`.
    case status(StatusReport)
    /// For `who`.
    case connections([Connection])
}

/// A named figure, in a list with a fixed order.
public struct NamedFigure: Hashable, Sendable {
    /// Lower camel case, unique in its list.
    public var name: String
    /// Finite.
    public var value: Double
    /// A figure.
    public init(_ name: String, _ value: Double) {
        self.name = name
        self.value = value
    }
}

/// The answer to `status`. For an approximate client, it contains nothing about the receiver or other clients.
public struct StatusReport: Hashable, Sendable {
    /// A program and its version.
    public struct Version: Hashable, Sendable {
        /// For example `puckd`, `gpsd`.
        public var name: String
        /// The version as that program writes it.
        public var version: String
        /// A version.
        public init(_ name: String, _ version: String) {
            self.name = name
            self.version = version
        }
    }
    /// What the policy gives the asking client.
    public struct Policy: Hashable, Sendable {
        /// The best accuracy without a grant.
        public var accuracy: AccuracyMode
        /// Its roles.
        public var roles: [Role]
        /// Groups whose members see the precise location, as the configuration names them. Membership in one is
        /// enough.
        public var preciseGroups: [String]
        /// The configuration file.
        public var file: String
        /// Whether the default rules apply, because the file has none.
        public var hasDefaultRules: Bool
        /// A description of the policy for one client.
        public init(
            accuracy: AccuracyMode, roles: [Role], preciseGroups: [String] = [], file: String,
            hasDefaultRules: Bool = false
        ) {
            self.accuracy = accuracy
            self.roles = roles
            self.preciseGroups = preciseGroups
            self.file = file
            self.hasDefaultRules = hasDefaultRules
        }
    }
    /// Programs and their versions.
    public var versions: [Version]
    /// Seconds since the server started.
    public var uptime: Double?
    /// The receiver's state.
    public var source: SourceMessage?
    /// The number of connected clients.
    public var clients: Int?
    /// Recent rates a second: fixes, frames and so on.
    public var rates: [NamedFigure]
    /// Counters since the server started: fixes used, fixes refused by reason, frames made and so on.
    public var counters: [NamedFigure]
    /// What the policy gives this client; nil if the daemon does not report it.
    public var policy: Policy?

    /// A report.
    public init(
        versions: [Version] = [], uptime: Double? = nil, source: SourceMessage? = nil, clients: Int? = nil,
        rates: [NamedFigure] = [], counters: [NamedFigure] = [], policy: Policy? = nil
    ) {
        self.versions = versions
        self.uptime = uptime
        self.source = source
        self.clients = clients
        self.rates = rates
        self.counters = counters
        self.policy = policy
    }
}

/// One connected client, as an admin sees it in `who`.
public struct Connection: Hashable, Sendable {
    /// The number of the connection, unique in a run.
    public var client: UInt64
    /// Process id of the peer when it connected.
    public var pid: Int?
    /// User id of the peer.
    public var uid: Int?
    /// The peer's user name.
    public var user: String?
    /// The peer's program, as the kernel names it.
    public var program: String?
    /// Its roles.
    public var roles: [Role]
    /// Its present accuracy.
    public var accuracy: AccuracyMode
    /// The best accuracy that it may ask for now.
    public var allowed: AccuracyMode?
    /// The purpose of its grant.
    public var purpose: String?
    /// The rate of its subscription; nil without one.
    public var rate: FrameRate?
    /// The view that it watches; empty for its own.
    public var view: String?
    /// When it connected.
    public var since: UTC
    /// Frames sent to it.
    public var framesSent: UInt64?
    /// Frames skipped because the client was too slow.
    public var framesSkipped: UInt64?

    /// A client with the values that are always known.
    public init(client: UInt64, roles: [Role], accuracy: AccuracyMode, since: UTC) {
        self.client = client
        self.roles = roles
        self.accuracy = accuracy
        self.since = since
    }
}
