/// A precise location as the coarsening stage takes note of it. It never leaves the stage, and is never kept.
struct Observation: Hashable, Sendable {
    var coordinate: Coordinate
    /// 95 % radius, metres.
    var accuracy: Double
    var moment: Moment
}

/// Which point of the lattice stands for the receiver: the memory of where it was at the last epoch and of where it
/// stays. *When* is `EpochClock`'s.
struct PointChoice: Sendable {
    let geometry: Geometry
    private(set) var favourites: Favourites
    /// The point that stands for the receiver's cell, also while a coarser one is shown.
    private var fine: LatticePoint?
    /// Where the last epoch found the receiver; nil after a start, since it is not kept.
    private var last: Observation?
    /// Whether a stay makes a favourite. A provider's must not: it would outlive the provider.
    private let winsFavourites: Bool
    /// Whether the point shown is of another run, and not stale.
    private var isResumed: Bool

    /// Less than this since the last epoch is staying, metres: many times a good receiver's error.
    static let stillDistance = 150.0
    /// As far as this within a circle a good receiver's error does not lead out of it, metres. (At the corner of a cell
    /// there are 74 to spare, at the least radius.)
    static let edge = 60.0

    /// How the receiver has moved since the last epoch.
    private enum Motion: Hashable {
        case still, moved, moving
        /// The last epoch was in another run, not long ago.
        case unknown
    }

    /// The choice as it starts, with what another run left. `resuming`: the point that it showed, unless stale.
    init(
        _ geometry: Geometry, favourites: Favourites = Favourites(), resuming point: CoarsenerState.Point? = nil,
        winsFavourites: Bool = true
    ) {
        self.geometry = geometry
        self.favourites = favourites
        self.winsFavourites = winsFavourites
        isResumed = point != nil
        fine = point.flatMap { $0.level == .moving ? nil : $0.place }
    }

    /// Whether an epoch may come early for a receiver found there.
    func isFar(_ location: Observation) -> Bool {
        guard let last else { return false }
        return chord(last.coordinate, location.coordinate) >= geometry.radius.earlyDistance
    }

    /// The point to show, and its level, for the location of an epoch on that day.
    mutating func choose(_ location: Observation, day: Int) -> (place: LatticePoint, level: ApproximationLevel) {
        let level = ApproximationLevel(error: location.accuracy, radius: geometry.radius)
        let motion = motion(location)
        let (place, isMoving) = fine(location, level, motion)
        fine = place
        last = location
        isResumed = false
        if isMoving { return (geometry.movingPoint(place), .moving) }
        if winsFavourites { favourites.shown(place, still: motion == .still, day: day) }
        return (place, level)
    }

    private func motion(_ location: Observation) -> Motion {
        guard let last else { return isResumed ? .unknown : .moved }
        let way = chord(last.coordinate, location.coordinate)
        // A bad receiver that stays seems to walk; what may be its error is not taken for a move.
        if way < max(Self.stillDistance, last.accuracy + location.accuracy) { return .still }
        return way > geometry.radius.movingDistance ? .moving : .moved
    }

    /// The fine point, and whether to show a coarser one.
    private func fine(
        _ location: Observation, _ level: ApproximationLevel, _ motion: Motion
    ) -> (place: LatticePoint, isMoving: Bool) {
        let present = fine.flatMap {
            geometry.room($0, location.coordinate, level, error: location.accuracy) >= 0 ? $0 : nil
        }
        let favourite = favourite(of: location.coordinate)
        let nearest = geometry.finePoint(location.coordinate)
        // An error of more than a radius makes a walk of any stay.
        let canTell = level != .quadruple
        switch motion {
        case .still: return (present ?? favourite ?? nearest, false)
        case .moved: return (favourite ?? nearest, false)
        case .moving: return (favourite ?? nearest, canTell)
        // After a restart a point that is no longer true was left, and one that is true may stay.
        case .unknown: return (favourite ?? present ?? nearest, canTell && present == nil)
        }
    }

    /// The oldest favourite that holds the place well within its circle, else the oldest that just does: a dwelling on
    /// the very edge of an older one's circle would be either from one night to the next. The ground between the edge of
    /// a cell and that of its point's circle is wider, so that a point is never given up on its own ground.
    private func favourite(of coordinate: Coordinate) -> LatticePoint? {
        favourites.oldest { geometry.room($0, coordinate) >= Self.edge }
            ?? favourites.oldest { geometry.room($0, coordinate) >= 0 }
    }
}
