/// The transformation from one local plane to the next. Near a pole, the direction of north differs between the two,
/// so a position keeps its bearing and distance from the receiver, and a velocity its true direction.
struct PlaneChange: Sendable {
    private let pivot: PlaneVector
    private let target: PlaneVector
    /// Degrees clockwise by which directions change.
    let turn: Double

    /// From `old` to `new`, with the receiver at `pivot` in the old plane.
    init(from old: LocalPlane, to new: LocalPlane, about pivot: PlaneVector) {
        let place = old.unproject(pivot)
        self.pivot = pivot
        target = PlaneVector(new.project(place))
        turn = new.convergence(at: place) - old.convergence(at: place)
    }

    /// A position in the new plane, m.
    func place(_ place: PlaneVector) -> PlaneVector { target + vector(place - pivot) }

    /// A difference of positions, a velocity or an acceleration in the new plane.
    func vector(_ vector: PlaneVector) -> PlaneVector { turn == 0 ? vector : vector.turned(by: turn) }
}
