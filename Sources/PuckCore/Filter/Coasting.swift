/// The motion shown after the newest fix: the velocity continues to change until the next fix is due, is then held,
/// and fades if no fix comes for long. A brake stops the puck, but never drives it backwards.
struct Coasting: Hashable, Sendable {
    /// The velocity changes for this many cycles of the receiver, …
    var changing = 1.2
    /// … but for no longer than this, s.
    var longestChange = 1.5
    /// The velocity is held for this long, s. (measured)
    var hold = 10.0
    /// Then it fades with this time constant, s. (measured)
    var fade = 5.0

    /// A position and a velocity in the plane.
    struct Point: Hashable, Sendable {
        /// Metres from the plane's origin.
        var position: PlaneVector
        /// Metres a second.
        var velocity: PlaneVector
    }

    /// How long, s, a velocity continues to change if fixes come every `cycle` seconds.
    func change(cycle: Double?) -> Double { min(longestChange, changing * (cycle ?? 1)) }

    /// The point that was at `start` `age` seconds ago, with that acceleration (m/s²), if fixes come every `cycle` s.
    func point(from start: Point, acceleration: PlaneVector, age: Double, cycle: Double?) -> Point {
        let age = max(0, age)
        var changing = min(age, change(cycle: cycle))
        let braking = -start.velocity.dot(acceleration)
        let stop = braking > 0 ? start.velocity.lengthSquared / braking : .infinity
        let stops = stop <= changing
        changing = min(changing, stop)
        let position = start.position + changing * start.velocity + (0.5 * changing * changing) * acceleration
        guard !stops else { return Point(position: position, velocity: .zero) }
        let velocity = start.velocity + changing * acceleration
        let left = age > hold ? exp(-(age - hold) / fade) : 1
        let held = age > hold ? hold - changing + fade * (1 - left) : age - changing
        return Point(position: position + held * velocity, velocity: left * velocity)
    }
}
