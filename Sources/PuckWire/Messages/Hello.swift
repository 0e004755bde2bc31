import PuckCore

/// The first line on a connection.
public struct Hello: Hashable, Sendable {
    /// A purpose that precise accuracy can be asked for.
    public struct Purpose: Hashable, Sendable {
        /// What `requestPrecise` names.
        public var key: String
        /// A sentence that a person can read.
        public var description: String
        /// How long a grant lasts.
        public var seconds: Double
        /// A purpose.
        public init(key: String, description: String, seconds: Double) {
            self.key = key
            self.description = description
            self.seconds = seconds
        }
    }
    /// What the server keeps to.
    public struct Limits: Hashable, Sendable {
        /// Longest request line, bytes.
        public var line: Int
        /// Most frames a second.
        public var rate: Double
        /// Most clients at once.
        public var clients: Int
        /// Limits.
        public init(line: Int = WireLimits.line, rate: Double, clients: Int) {
            self.line = line
            self.rate = rate
            self.clients = clients
        }
    }
    /// Name and version of the program, such as `puckd 1.0`.
    public var server: String
    /// The protocol's version.
    public var `protocol`: Int
    /// What this client may ask precise accuracy for.
    public var purposes: [Purpose]
    /// What this client may do.
    public var roles: [Role]
    /// What the server keeps to.
    public var limits: Limits

    /// A greeting.
    public init(
        server: String, protocol: Int = protocolVersion, purposes: [Purpose], roles: [Role], limits: Limits
    ) {
        self.server = server
        self.protocol = `protocol`
        self.purposes = purposes
        self.roles = roles
        self.limits = limits
    }
}
