import PuckCore

/// Bounds what many users can cause to be written: so many messages in an interval in all, of which each user has a share.
public struct SharedLimiter: Sendable {
    /// How many there may be in an interval, and how many of these one user may cause.
    public let shares: Shares
    /// Seconds from the first message until all shares are whole again.
    public let interval: Double
    private var first: Instant?
    private var taken = 0
    private var byUser: [UInt32: Int] = [:]
    /// Messages held back, and not reported yet.
    public private(set) var heldBack = 0

    /// A limiter that has seen nothing.
    public init(shares: Shares, interval: Double) {
        self.shares = shares
        self.interval = interval
    }

    /// Whether a message that `user` caused may be written now; else it is counted.
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

    /// When what was held back is to be reported; nil if nothing was.
    public var deadline: Instant? { heldBack > 0 ? first?.advanced(by: interval) : nil }

    /// How many were held back, which is to be reported now; nil if nothing is.
    public mutating func takeHeldBack(at now: Instant) -> Int? {
        guard let deadline, deadline <= now else { return nil }
        defer { heldBack = 0 }
        return heldBack
    }
}
