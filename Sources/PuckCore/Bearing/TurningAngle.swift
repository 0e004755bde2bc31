/// An angle that turns on between samples, and glides to the next sample instead of stepping to it.
///
/// The difference between the drawn and the predicted angle shrinks critically damped, and starts at the drawn rate.
/// So neither the angle nor its rate steps at a sample, and an angle that turns evenly does not lag.
struct TurningAngle: Hashable, Sendable {
    /// How a correction shrinks.
    struct Glide: Hashable, Sendable {
        /// At most at this rate, 1/s, …
        var rate = 6.0
        /// … and slowly enough to turn the angle by no more than this, degrees a second, plus half of its own turn …
        var gentle = 10.0
        /// … but at least at this rate, 1/s.
        var leastRate = 3.0
    }

    private let glide: Glide
    /// The newest sample: its instant, its angle (degrees, any turn), and its rate (degrees a second).
    private(set) var instant: Instant
    private(set) var angle: Double
    private var turn = 0.0
    /// How long the turn continues after it, s.
    private var turning = 0.0
    /// The drawn angle minus the predicted one at `corrected`, degrees; its rate of change without damping, degrees a
    /// second; and the rate at which it shrinks, 1/s.
    private var corrected: Instant
    private var residue = 0.0
    private var slope = 0.0
    private var decay: Double

    /// An angle that does not turn yet, degrees.
    init(_ degrees: Double, at instant: Instant, _ glide: Glide = Glide()) {
        self.glide = glide
        self.instant = instant
        angle = degrees
        corrected = instant
        decay = glide.rate
    }

    /// Takes a sample for `instant` that turns by `turn` degrees a second for `turning` more seconds. `now` is the
    /// time of the call: the drawn angle continues from there.
    mutating func take(_ degrees: Double, turn: Double, for turning: Double, at instant: Instant, now: Instant) {
        let drawn = (angle: self.degrees(at: now), rate: rate(at: now))
        self.instant = instant
        self.turn = turn
        self.turning = turning
        angle = degrees
        corrected = now
        (residue, slope) = (0, 0)
        let difference = shortestTurn(from: self.degrees(at: now), to: drawn.angle)
        let gentle = (glide.gentle + turn.magnitude / 2) * Self.peak / max(difference.magnitude, Self.least)
        decay = min(glide.rate, max(glide.leastRate, gentle))
        slope = drawn.rate - rate(at: now) + decay * difference
        residue = difference
    }

    /// Keeps the angle that is drawn at an instant.
    mutating func stop(at now: Instant) {
        angle = degrees(at: now)
        instant = now
        corrected = now
        (turn, residue, slope) = (0, 0, 0)
    }

    /// Rotates the angle's origin, by degrees.
    mutating func turn(by turn: Double) { angle += turn }

    /// Shows the newest sample at once, without a further turn.
    mutating func jump() { (turn, residue, slope) = (0, 0, 0) }

    /// The angle to draw at an instant, degrees; any turn.
    func degrees(at instant: Instant) -> Double {
        let since = max(0, instant.seconds(since: corrected))
        return predicted(at: instant) + (residue + slope * since) * exp(-decay * since)
    }

    /// The expected angle at an instant, degrees, with all corrections applied.
    func predicted(at instant: Instant) -> Double { angle + turn * min(age(at: instant), turning) }

    /// The rate of the drawn angle at an instant, degrees a second.
    private func rate(at instant: Instant) -> Double {
        let since = max(0, instant.seconds(since: corrected))
        let own = age(at: instant) < turning ? turn : 0
        return own + (slope - decay * (residue + slope * since)) * exp(-decay * since)
    }

    private func age(at instant: Instant) -> Double { max(0, instant.seconds(since: self.instant)) }

    /// A critically damped difference that starts at rest has this maximum rate: its size times its damping rate,
    /// divided by e.
    private static let peak = 2.718
    /// The smallest difference that is used as a divisor, degrees.
    private static let least = 1e-6
}
