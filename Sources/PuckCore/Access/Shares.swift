/// How much of what there is for all one user may take: less, the less is left. So that one user, or two, can't take
/// all, and many can't lock out who looks after the machine.
public struct Shares: Hashable, Sendable {
    /// What there is.
    public let total: Int
    /// The most that one user may have.
    public let perUser: Int
    /// What is kept for root and for those with the role `admin`: a sixteenth, and one at least if there are several.
    public var kept: Int { total > 1 ? max(1, total / 16) : 0 }

    /// Shares of `total`, at most `perUser` for each.
    public init(total: Int, perUser: Int) {
        self.total = total
        self.perUser = perUser
    }

    /// Whether a user that has `held` of `taken` may take one more. Who is `privileged` may have the last.
    public func admits(held: Int, taken: Int, isPrivileged: Bool) -> Bool {
        guard taken < total, held < perUser else { return false }
        if isPrivileged { return true }
        let left = total - kept - taken
        guard left > 0 else { return false }
        return held < max(1, left / 2)
    }
}
