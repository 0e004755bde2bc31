import PuckCore

/// All that can be configured. What is not set in a file has the value that it has here, and config/puckd.conf says
/// the same: a test compares the two.
public struct PuckConfiguration: Hashable, Sendable {
    /// Where gpsd is.
    public struct GPSD: Hashable, Sendable {
        /// Host name or address.
        public var host = "127.0.0.1"
        /// TCP port. (2947 is registered for gpsd)
        public var port: UInt16 = 2_947
        /// The receiver to prefer, by its path or gpsd's name for it; nil: the best that gpsd has.
        public var device: String?
        /// Users whose gpsd is trusted on this host, besides root and puckd's own; `any`: all.
        public var owners = ["gpsd"]
    }

    /// The Unix socket.
    public struct Socket: Hashable, Sendable {
        /// Its path.
        public var path = "/run/puckd/puckd.sock"
        /// Its permission bits.
        public var mode: UInt32 = 0o666
    }

    /// Approximate location.
    public struct Approximate: Hashable, Sendable {
        /// How far off it may be.
        public var radius = ApproximateRadius.standard
        /// The directory in which it is remembered over restarts.
        public var stateDirectory = "/var/lib/puckd"
    }

    /// Bounds on what clients may use up.
    public struct Limits: Hashable, Sendable {
        /// Connections at a time.
        public var clients = 1_024
        /// Connections at a time of one user.
        public var clientsPerUser = 512
        /// Requests a second of one connection.
        public var requestsPerSecond = 200
        /// Bytes that may wait for one connection.
        public var queueBytes = 262_144
        /// Bytes of a request line.
        public var lineBytes = 65_536
    }

    /// Where gpsd is.
    public var gpsd = GPSD()
    /// The receiver and what carries it.
    public var receiver = Pipeline.Settings()
    /// Seconds of silence after which the receiver is lost.
    public var lostAfter = 30.0
    /// The Unix socket.
    public var socket = Socket()
    /// Approximate location.
    public var approximate = Approximate()
    /// Bounds on what clients may use up.
    public var limits = Limits()
    /// Who may see and do what.
    public var policy = NamedPolicy()
    /// Messages under this level are left out of the log.
    public var logLevel = LogLevel.info

    /// Everything by default.
    public init() {}

    /// A smaller radius than this tells more of a home than is recommended, metres. (privacy.md, Bars)
    static let recommendedRadius = 2_500

    /// What may be meant so, but is worth a word in the log.
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
