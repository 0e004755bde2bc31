/// One user's share of a shared resource: the less is left, the less the user may take. So one or two users cannot
/// take everything, and many users cannot lock out root and administrators.
public struct Shares: Hashable, Sendable {
    /// The total of the resource.
    public let total: Int
    /// The maximum for one user.
    public let perUser: Int
    /// The part reserved for root and for clients with the role `admin`: a sixteenth, and at least one if there are
    /// several.
    public var kept: Int { total > 1 ? max(1, total / 16) : 0 }

    /// Shares of `total`, at most `perUser` for each.
    public init(total: Int, perUser: Int) {
        self.total = total
        self.perUser = perUser
    }

    /// Whether a user who holds `held` of `taken` may take one more. A `privileged` one may take the last.
    public func admits(held: Int, taken: Int, isPrivileged: Bool) -> Bool {
        guard taken < total, held < perUser else { return false }
        if isPrivileged { return true }
        let left = total - kept - taken
        guard left > 0 else { return false }
        return held < max(1, left / 2)
    }
}
