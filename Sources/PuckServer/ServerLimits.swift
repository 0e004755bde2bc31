import PuckCore

/// Limits that protect clients from each other.
public struct ServerLimits: Hashable, Sendable {
    /// Maximum simultaneous connections.
    public var clients: Int
    /// Maximum simultaneous connections of one user; nil: no limit besides the total.
    public var clientsPerUser: Int?
    /// Maximum requests a second of one client, averaged over about a second.
    public var requestsPerSecond: Int
    /// Maximum bytes that wait for one client, without frames.
    public var queueBytes: Int
    /// Maximum bytes of a request line.
    public var lineBytes: Int

    /// The connections reserved for administrators, and how users share the rest.
    var clientShares: Shares { Shares(total: clients, perUser: clientsPerUser ?? clients) }

    /// Maximum bytes that wait for all clients of one user, in both directions: as many as 64 clients may have.
    var bytesPerUser: Int { 64 * queueBytes }
    /// Maximum bytes that wait for all clients together. Beyond it, the server disconnects those with more than a little
    /// waiting.
    var bytesInAll: Int { 8 * bytesPerUser }

    /// Limits. The defaults fit into the memory of a small computer, even if all are exhausted.
    public init(
        clients: Int = 1_024, clientsPerUser: Int? = nil, requestsPerSecond: Int = 200, queueBytes: Int = 262_144,
        lineBytes: Int = 65_536
    ) {
        self.clients = clients
        self.clientsPerUser = clientsPerUser
        self.requestsPerSecond = requestsPerSecond
        self.queueBytes = queueBytes
        self.lineBytes = lineBytes
    }
}
