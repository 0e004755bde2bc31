/// The part of the coarsening stage that is saved. It contains no coordinate of the receiver, only points of the
/// public lattice, counts, and times.
public struct CoarsenerState: Hashable, Sendable {
    /// The configured radius of the points.
    public internal(set) var radius: ApproximateRadius
    /// Approximate frames made so far.
    public internal(set) var sequence: UInt64
    /// The next epoch.
    public internal(set) var next: UTC
    /// Successive scheduled epochs without a fix; counts to `staleMisses`.
    public internal(set) var misses: Int
    /// The epoch (rounded down to a minute) since which the source has or lacks a fix, as sent to approximate
    /// clients.
    public internal(set) var since: Moment
    /// The last shown point.
    public internal(set) var point: Point?
    var favourites: Favourites

    /// Epochs without a fix after which a point is stale.
    static let staleMisses = 2

    /// A point that was shown.
    public struct Point: Hashable, Sendable {
        /// Its indices in the lattice of its level.
        public var place: LatticePoint
        /// The level at which it was shown.
        public var level: ApproximationLevel
        /// The epoch for which it was shown, both clocks rounded down to a minute.
        public var epoch: Moment
    }
}
