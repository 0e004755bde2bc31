import PuckCore

/// Bounds that keep one client, or many, from costing the others.
public struct ServerLimits: Hashable, Sendable {
    /// Connections at a time.
    public var clients: Int
    /// Connections at a time of one user; nil: as many as there may be in all.
    public var clientsPerUser: Int?
    /// Requests a second of one client, over a second or so.
    public var requestsPerSecond: Int
    /// Bytes that may wait for one client to read, frames not counted.
    public var queueBytes: Int
    /// Bytes of a request line.
    public var lineBytes: Int

    /// Connections that are kept for administrators, and how the rest is shared.
    var clientShares: Shares { Shares(total: clients, perUser: clientsPerUser ?? clients) }

    /// Bytes that may wait for all clients of one user, to be read or to be understood: as much as 64 clients may have.
    var bytesPerUser: Int { 64 * queueBytes }
    /// Bytes that may wait for all clients of all users: those who wait for more than a little are hung up on past it.
    var bytesInAll: Int { 8 * bytesPerUser }

    /// Limits, each by its default unless given: a small computer holds them all used up.
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
