/// Counts refused epochs, by reason.
public struct RefusalCounts: Hashable, Sendable {
    private var counts: [RefusalReason: Int] = [:]

    /// No refusals.
    public init() {}
    /// The count for one reason.
    public subscript(reason: RefusalReason) -> Int { counts[reason, default: 0] }
    /// The total of all reasons.
    public var total: Int { counts.values.reduce(0, +) }
    /// Adds the counts of another value.
    public mutating func add(_ other: RefusalCounts) { counts.merge(other.counts, uniquingKeysWith: +) }
    /// Counts one refusal.
    public mutating func add(_ reason: RefusalReason) { counts[reason, default: 0] += 1 }
}
