/// Applies a correction to the drawn position over some tenths of a second instead of at once. The drawn position
/// minus the predicted one, matched in position and velocity, shrinks critically damped.
struct CorrectionBlend: Hashable, Sendable {
    /// Constants.
    struct Parameters: Hashable, Sendable {
        /// The rate of shrinking, 1/s: half of a correction is applied in 0.34 s. (measured)
        var rate = 5.0
        /// The slowest rate, 1/s, if the drawn position is ahead of the truth and must wait rather than move
        /// backwards.
        var slowestRate = 1.0
        /// A lead of d metres at v m/s shrinks at this many times v/d, 1/s, so that the motion continues. A
        /// critically damped offset runs back at up to rate × d/e. (measured; e is the limit)
        var waiting = 2.0
        /// Below this speed, m/s, the lead is treated as at this speed.
        var waitingSpeed = 2.0
        /// A lead shorter than this, m, needs no waiting.
        var smallestLead = 0.05
        /// A correction ends after this time, s.
        var lifetime = 20.0
        /// If frames are farther apart than this, s, they show corrections at once: with so few frames, the eye sees
        /// positions instead of a motion, and each should be right. (film: motion is visible from 16 to 24 frames a
        /// second)
        var longestFrame = 0.055
    }

    /// The start.
    private let start: Instant
    /// The drawn position minus the predicted one at the start, m.
    private var offset: PlaneVector
    /// How fast it would grow without damping, m/s.
    private var slope: PlaneVector
    private let rate: Double
    private let lifetime: Double
    private let longestFrame: Double

    /// A correction from the drawn position to the predicted one, both at `instant`.
    init(from drawn: Coasting.Point, to predicted: Coasting.Point, at instant: Instant, _ parameters: Parameters) {
        start = instant
        lifetime = parameters.lifetime
        longestFrame = parameters.longestFrame
        offset = drawn.position - predicted.position
        let speed = max(parameters.waitingSpeed, predicted.velocity.length)
        let lead = offset.dot(predicted.velocity) / speed
        if lead > 0 {
            let patient = parameters.waiting * speed / max(parameters.smallestLead, lead)
            rate = min(parameters.rate, max(parameters.slowestRate, patient))
        } else {
            rate = parameters.rate
        }
        slope = drawn.velocity - predicted.velocity + rate * offset
    }

    /// Rotates the correction with the plane.
    mutating func move(by change: PlaneChange) {
        offset = change.vector(offset)
        slope = change.vector(slope)
    }

    /// The drawn position for a prediction at an instant, if the next frame comes `frameInterval` seconds later.
    func applied(to point: Coasting.Point, at instant: Instant, frameInterval: Double) -> Coasting.Point {
        let h = max(0, instant.seconds(since: start))
        guard h < lifetime, frameInterval <= longestFrame else { return point }
        let left = exp(-rate * h)
        let rest = left * (offset + h * slope)
        return Coasting.Point(position: point.position + rest, velocity: point.velocity + left * slope - rate * rest)
    }
}
