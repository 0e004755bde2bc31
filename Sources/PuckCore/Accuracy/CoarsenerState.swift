/// What of the coarsening stage outlives the process. No coordinate of the receiver: points of the public lattice,
/// counts, and times.
public struct CoarsenerState: Hashable, Sendable {
    /// The configured radius that the points belong to.
    public internal(set) var radius: ApproximateRadius
    /// Frames made for approximate clients so far.
    public internal(set) var sequence: UInt64
    /// The next epoch.
    public internal(set) var next: UTC
    /// Scheduled epochs in a row that found no fix; counts to `staleMisses`.
    public internal(set) var misses: Int
    /// Since which epoch (floored to a minute) the source has, or has not, a fix, as told to approximate clients.
    public internal(set) var since: Moment
    /// The point shown last.
    public internal(set) var point: Point?
    var favourites: Favourites

    /// Epochs without a fix after which a point is stale.
    static let staleMisses = 2

    /// A point as it was shown.
    public struct Point: Hashable, Sendable {
        /// Its place in the lattice of its level.
        public var place: LatticePoint
        /// The level it was shown at.
        public var level: ApproximationLevel
        /// The epoch it was shown of, both clocks floored to a minute.
        public var epoch: Moment
    }
}
