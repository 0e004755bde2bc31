/// The public geometry for the configured radius: computed once, and identical on every device.
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

    /// The lattice of the points of a level. A larger receiver error makes the circle larger but keeps the point: the
    /// cells of two lattices would intersect.
    func lattice(_ level: ApproximationLevel) -> HexagonalLattice { level == .moving ? moving : still }

    /// The position of a point.
    func coordinate(of place: LatticePoint, _ level: ApproximationLevel) -> Coordinate {
        lattice(level).coordinate(of: place)
    }

    /// The radius of a point's circle, metres. On the move it includes the distance until the next epoch, and needs
    /// no addition anywhere.
    func radius(of place: LatticePoint, _ level: ApproximationLevel) -> Double {
        level == .moving ? level.nominalRadius(radius) : level.factor * radii[place.row]
    }

    /// The distance in metres between a receiver measured there and the edge of the area that the circle of a still
    /// point covers; negative outside it.
    func room(
        _ place: LatticePoint, _ coordinate: Coordinate, _ level: ApproximationLevel = .single,
        error: Double = ApproximateRadius.receiverError
    ) -> Double {
        radius(of: place, level) - max(ApproximateRadius.receiverError, error)
            - chord(still.coordinate(of: place), coordinate)
    }

    /// The still point for a receiver at that place.
    func finePoint(_ coordinate: Coordinate) -> LatticePoint { still.nearest(to: coordinate) }

    /// The moving point, computed only from the still point that would be shown instead.
    func movingPoint(_ fine: LatticePoint) -> LatticePoint { moving.nearest(to: still.coordinate(of: fine)) }
}
