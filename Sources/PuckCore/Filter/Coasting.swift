/// What is shown after the newest fix: the model carried on, its acceleration let go after a second or two, its velocity
/// held, and faded when no fix comes for long.
struct Coasting: Hashable, Sendable {
    /// Time constant, s, with which the acceleration is let go of: shorter than the model's own, since a wrong one hurts
    /// more than a missing one. (measured)
    var accelerationDecay = 0.8
    /// The velocity is held for this long, s. (measured)
    var hold = 10.0
    /// And then fades with this time constant, s. (measured)
    var fade = 5.0

    /// A place and a velocity in the plane.
    struct Point: Hashable, Sendable {
        /// Metres from the plane's origin.
        var position: PlaneVector
        /// Metres a second.
        var velocity: PlaneVector
    }

    /// Where the model is `age` seconds after its fix.
    func point(of model: SingerModel, age: Double) -> Point {
        let age = max(0, age)
        let toVelocity = accelerationDecay * (1 - exp(-age / accelerationDecay))
        let toPosition = accelerationDecay * (age - toVelocity)
        guard age > hold else {
            return Point(
                position: model.position + age * model.velocity + toPosition * model.acceleration,
                velocity: model.velocity + toVelocity * model.acceleration)
        }
        // By then the acceleration is spent: the velocity is constant but for the fading.
        let left = exp(-(age - hold) / fade)
        let held = hold + fade * (1 - left)
        let start = model.position - (accelerationDecay * accelerationDecay) * model.acceleration
        let velocity = model.velocity + accelerationDecay * model.acceleration
        return Point(position: start + held * velocity, velocity: left * velocity)
    }
}
