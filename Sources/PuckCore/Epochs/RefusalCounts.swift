/// How often something was left out, by reason.
public struct RefusalCounts: Hashable, Sendable {
    private var counts: [RefusalReason: Int] = [:]

    /// None yet.
    public init() {}
    /// How often for this reason.
    public subscript(reason: RefusalReason) -> Int { counts[reason, default: 0] }
    /// How often in all.
    public var total: Int { counts.values.reduce(0, +) }
    /// Counts what another has counted.
    public mutating func add(_ other: RefusalCounts) { counts.merge(other.counts, uniquingKeysWith: +) }
    /// Counts one more.
    public mutating func add(_ reason: RefusalReason) { counts[reason, default: 0] += 1 }
}
