/// The way from one local plane to the next one. Near a pole the two differ in where north is, so a place keeps its bearing
/// and distance from where the receiver is, and a velocity its true direction.
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

    /// A place in the new plane, m.
    func place(_ place: PlaneVector) -> PlaneVector { target + vector(place - pivot) }

    /// A difference of places, a velocity or an acceleration in the new plane.
    func vector(_ vector: PlaneVector) -> PlaneVector { turn == 0 ? vector : vector.turned(by: turn) }
}
