/// The public geometry that follows from the configured radius: computed once, the same on every device.
struct Geometry: Sendable {
    let radius: ApproximateRadius
    private let still: HexagonalLattice
    private let moving: HexagonalLattice
    private let radii: LatticeRadii

    init(radius: ApproximateRadius) {
        self.radius = radius
        still = HexagonalLattice(radius: radius.value)
        moving = HexagonalLattice(radius: radius.movingLattice)
        radii = LatticeRadii(still, radius: radius.value)
    }

    /// The lattice that points of a level belong to. A receiver's worse error makes the circle larger and leaves the
    /// point as it is: cells of two lattices would cut each other.
    func lattice(_ level: ApproximationLevel) -> HexagonalLattice { level == .moving ? moving : still }

    /// Where a point is.
    func coordinate(of place: LatticePoint, _ level: ApproximationLevel) -> Coordinate {
        lattice(level).coordinate(of: place)
    }

    /// The radius of a point's circle, metres. On the move it leaves room for the way to the next epoch, and needs none
    /// more anywhere.
    func radius(of place: LatticePoint, _ level: ApproximationLevel) -> Double {
        level == .moving ? level.nominalRadius(radius) : level.factor * radii[place.row]
    }

    /// Metres to spare between a receiver measured there and the edge of what the circle of a point of those who stay
    /// holds; negative beyond it.
    func room(
        _ place: LatticePoint, _ coordinate: Coordinate, _ level: ApproximationLevel = .single,
        error: Double = ApproximateRadius.receiverError
    ) -> Double {
        radius(of: place, level) - max(ApproximateRadius.receiverError, error)
            - chord(still.coordinate(of: place), coordinate)
    }

    /// The point of those who stay for a receiver there.
    func finePoint(_ coordinate: Coordinate) -> LatticePoint { still.nearest(to: coordinate) }

    /// The point of those who move, from the point that would be told of them if they stayed and from nothing finer.
    func movingPoint(_ fine: LatticePoint) -> LatticePoint { moving.nearest(to: still.coordinate(of: fine)) }
}
