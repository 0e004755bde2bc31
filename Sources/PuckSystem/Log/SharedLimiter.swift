import PuckCore

/// A limiter for messages that many users can cause: a total for each interval, and a share of it for each user.
public struct SharedLimiter: Sendable {
    /// The total number of messages in one interval, and the number that one user may cause.
    public let shares: Shares
    /// The length of an interval in seconds, from its first message.
    public let interval: Double
    private var first: Instant?
    private var taken = 0
    private var byUser: [UInt32: Int] = [:]
    /// The number of messages that were held back and not yet reported.
    public private(set) var heldBack = 0

    /// Creates a limiter that has seen no messages.
    public init(shares: Shares, interval: Double) {
        self.shares = shares
        self.interval = interval
    }

    /// Returns whether a message that `user` caused may be written now. If not, the message is counted in `heldBack`.
    /// Part of the total is reserved for privileged users.
    public mutating func admit(user: UInt32, isPrivileged: Bool, at now: Instant) -> Bool {
        if first.map({ now.seconds(since: $0) >= interval }) ?? true {
            (first, taken, byUser) = (now, 0, [:])
        }
        let held = byUser[user, default: 0]
        guard shares.admits(held: held, taken: taken, isPrivileged: isPrivileged) else {
            heldBack += 1
            return false
        }
        taken += 1
        byUser[user] = held + 1
        return true
    }

    /// The time to report the messages held back; nil if there are none.
    public var deadline: Instant? { heldBack > 0 ? first?.advanced(by: interval) : nil }

    /// Returns the number of messages to report as held back, and resets it; nil if it is too early or there are none.
    public mutating func takeHeldBack(at now: Instant) -> Int? {
        guard let deadline, deadline <= now else { return nil }
        defer { heldBack = 0 }
        return heldBack
    }
}
