import PuckCore

/// All settings of puckd. The initial values are the defaults for settings that are not in the file. config/puckd.conf
/// states the same defaults, and a test compares them.
public struct PuckConfiguration: Hashable, Sendable {
    /// The connection to gpsd.
    public struct GPSD: Hashable, Sendable {
        /// The host name or address; default 127.0.0.1.
        public var host = "127.0.0.1"
        /// The TCP port, 1 to 65,535; default 2947, which is registered for gpsd.
        public var port: UInt16 = 2_947
        /// The preferred receiver, by its path or gpsd's URL; nil, the default, means gpsd's best receiver.
        public var device: String?
        /// The users whose gpsd is trusted on this host, besides root and puckd's own user; 1 to 16 names, default
        /// `gpsd`. `any` trusts all users.
        public var owners = ["gpsd"]
    }

    /// The Unix socket for clients.
    public struct Socket: Hashable, Sendable {
        /// The absolute path, at most 107 bytes; default /run/puckd/puckd.sock.
        public var path = "/run/puckd/puckd.sock"
        /// The permission bits; default 0666.
        public var mode: UInt32 = 0o666
    }

    /// The approximate location.
    public struct Approximate: Hashable, Sendable {
        /// The largest distance from the true location; default 5,000 m, 2,000 to 100,000 m.
        public var radius = ApproximateRadius.standard
        /// The directory for state that must survive a restart; an absolute path, default /var/lib/puckd.
        public var stateDirectory = "/var/lib/puckd"
    }

    /// Limits on the resources that clients may use.
    public struct Limits: Hashable, Sendable {
        /// The maximum number of connections at the same time; default 1,024, 1 to 65,536.
        public var clients = 1_024
        /// The maximum number of connections of one user at the same time; default 512, 1 to 65,536.
        public var clientsPerUser = 512
        /// The maximum number of requests per second on one connection; default 200, 1 to 10,000.
        public var requestsPerSecond = 200
        /// The maximum number of bytes queued for one connection; default 262,144, 16,384 to 16,777,216.
        public var queueBytes = 262_144
        /// The maximum length of a request in bytes; default and maximum 65,536, minimum 1,024.
        public var lineBytes = 65_536
    }

    /// The connection to gpsd.
    public var gpsd = GPSD()
    /// The receiver and the vehicle that carries it.
    public var receiver = Pipeline.Settings()
    /// The silence in seconds after which the receiver counts as lost; default 30, 2 to 86,400.
    public var lostAfter = 30.0
    /// The Unix socket for clients.
    public var socket = Socket()
    /// The approximate location.
    public var approximate = Approximate()
    /// Limits on the resources that clients may use.
    public var limits = Limits()
    /// The policy: who may see and do what.
    public var policy = NamedPolicy()
    /// The lowest level of messages in the log; default info.
    public var logLevel = LogLevel.info

    /// Creates a configuration with all defaults.
    public init() {}

    /// The smallest recommended radius in metres. A smaller one reveals too much about where a user lives. See
    /// docs/privacy.md.
    static let recommendedRadius = 2_500

    /// Warnings about settings that are valid but possibly a mistake.
    public var warnings: [String] {
        var warnings: [String] = []
        if approximate.radius.metres < Self.recommendedRadius {
            warnings.append(
                "[approximate] radius: \(approximate.radius.metres) m protects a home less than the recommended "
                    + "\(Self.recommendedRadius) m or more")
        }
        if policy.rules.contains(where: { $0.subject == .anyone && $0.access.accuracy == .precise }) {
            warnings.append("[policy] rule: everyone on this host may see the precise location")
        }
        return warnings + policy.warningsOfDeadRules
    }
}
