import PuckCore

/// What an `ok` returns beside the request's id.
public enum Answer: Hashable, Sendable {
    /// Nothing.
    case none
    /// Of `ping`: the time.
    case pong(Moment)
    /// Of `status`.
    case status(StatusReport)
    /// Of `who`.
    case connections([Connection])
}

/// A name with a figure, in an order worth reading.
public struct NamedFigure: Hashable, Sendable {
    /// Lower camel case, unique among its like.
    public var name: String
    /// Finite.
    public var value: Double
    /// A figure.
    public init(_ name: String, _ value: Double) {
        self.name = name
        self.value = value
    }
}

/// What `status` returns. An approximate client is told nothing of the receiver and nothing of other clients.
public struct StatusReport: Hashable, Sendable {
    /// A program and its version.
    public struct Version: Hashable, Sendable {
        /// Such as `puckd`, `gpsd`.
        public var name: String
        /// As that program writes it.
        public var version: String
        /// A version.
        public init(_ name: String, _ version: String) {
            self.name = name
            self.version = version
        }
    }
    /// What the policy says of the asking client.
    public struct Policy: Hashable, Sendable {
        /// The best accuracy it may have without a grant.
        public var accuracy: AccuracyMode
        /// What it may do.
        public var roles: [Role]
        /// Groups whose members see the precise location, as the configuration names them: to join one is enough.
        public var preciseGroups: [String]
        /// The configuration file.
        public var file: String
        /// Whether the default rules are in force, because the file has none.
        public var hasDefaultRules: Bool
        /// What the policy says.
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
    /// Connected clients.
    public var clients: Int?
    /// A second, over the last seconds: fixes, frames and so on.
    public var rates: [NamedFigure]
    /// Since the server started: fixes taken, fixes refused by reason, frames made and so on.
    public var counters: [NamedFigure]
    /// What the policy says of this client; nil if the daemon does not say.
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

/// One connected client, as `who` tells an admin.
public struct Connection: Hashable, Sendable {
    /// The number of the connection, never used twice in a run.
    public var client: UInt64
    /// Process id of the peer when it connected.
    public var pid: Int?
    /// User id of the peer.
    public var uid: Int?
    /// The peer's user name.
    public var user: String?
    /// The peer's program, as the kernel names it.
    public var program: String?
    /// What it may do.
    public var roles: [Role]
    /// What it is given.
    public var accuracy: AccuracyMode
    /// The best it may ask for now.
    public var allowed: AccuracyMode?
    /// The purpose of its grant.
    public var purpose: String?
    /// The rate it subscribed at; nil: it did not.
    public var rate: FrameRate?
    /// The view it watches; empty for its own.
    public var view: String?
    /// When it connected.
    public var since: UTC
    /// Frames sent to it.
    public var framesSent: UInt64?
    /// Frames it was too slow for.
    public var framesSkipped: UInt64?

    /// A client of what is known of each.
    public init(client: UInt64, roles: [Role], accuracy: AccuracyMode, since: UTC) {
        self.client = client
        self.roles = roles
        self.accuracy = accuracy
        self.since = since
    }
}
