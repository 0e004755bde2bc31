/// A precise location for the coarsening stage. It never leaves the stage, and is never saved.
struct Observation: Hashable, Sendable {
    var coordinate: Coordinate
    /// 95 % radius, metres.
    var accuracy: Double
    var moment: Moment
}

/// Chooses the lattice point that represents the receiver, from the place at the last epoch and the places where the
/// receiver stays. `EpochClock` decides the time.
struct PointChoice: Sendable {
    let geometry: Geometry
    private(set) var favourites: Favourites
    /// The point of the receiver's cell, also while a coarser one is shown.
    private var fine: LatticePoint?
    /// The receiver's place at the last epoch; nil after a start, because it is not saved.
    private var last: Observation?
    /// Whether a stay makes a favourite. A provider's stay must not: the favourite would outlive the provider.
    private let winsFavourites: Bool
    /// Whether the shown point comes from another run, and is not stale.
    private var isResumed: Bool

    /// A shorter distance since the last epoch counts as staying, metres: many times a good receiver's error.
    static let stillDistance = 150.0
    /// If the receiver is this far inside a circle, a good receiver's error does not lead out of it, metres. (At the
    /// corner of a cell 74 m are left, at the minimum radius.)
    static let edge = 60.0

    /// How the receiver has moved since the last epoch.
    private enum Motion: Hashable {
        case still, moved, moving
        /// The last epoch belongs to another run, a short time ago.
        case unknown
    }

    /// The choice at the start, with the state of another run. `resuming`: the point that it showed, unless stale.
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

    /// Whether an epoch may come early for a receiver at that place.
    func isFar(_ location: Observation) -> Bool {
        guard let last else { return false }
        return chord(last.coordinate, location.coordinate) >= geometry.radius.earlyDistance
    }

    /// The point to show, and its level, for the location at an epoch on that day.
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
        // An inaccurate receiver at rest seems to move. A distance within its error does not count as a move.
        if way < max(Self.stillDistance, last.accuracy + location.accuracy) { return .still }
        return way > geometry.radius.movingDistance ? .moving : .moved
    }

    /// The fine point, and whether a coarser one is shown instead.
    private func fine(
        _ location: Observation, _ level: ApproximationLevel, _ motion: Motion
    ) -> (place: LatticePoint, isMoving: Bool) {
        let present = fine.flatMap {
            geometry.room($0, location.coordinate, level, error: location.accuracy) >= 0 ? $0 : nil
        }
        let favourite = favourite(of: location.coordinate)
        let nearest = geometry.finePoint(location.coordinate)
        // An error of more than a radius makes every stay look like a move.
        let canTell = level != .quadruple
        switch motion {
        case .still: return (present ?? favourite ?? nearest, false)
        case .moved: return (favourite ?? nearest, false)
        case .moving: return (favourite ?? nearest, canTell)
        // After a restart, a point whose circle is no longer true has been left; one whose circle is true may stay.
        case .unknown: return (favourite ?? present ?? nearest, canTell && present == nil)
        }
    }

    /// The oldest favourite whose circle contains the place with a margin, or else the oldest whose circle just
    /// contains it: a dwelling on the very edge of an older circle would alternate between two points from night to
    /// night. The ground between the edge of a cell and that of its point's circle is wider than the margin, so a
    /// point is never given up in its own cell.
    private func favourite(of coordinate: Coordinate) -> LatticePoint? {
        favourites.oldest { geometry.room($0, coordinate) >= Self.edge }
            ?? favourites.oldest { geometry.room($0, coordinate) >= 0 }
    }
}
