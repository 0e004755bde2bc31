/// Works a correction into what is drawn, over some tenths of a second instead of at once: what was drawn less what is
/// now predicted, matched in position and velocity, dies away critically damped.
struct CorrectionBlend: Hashable, Sendable {
    /// Its constants.
    struct Parameters: Hashable, Sendable {
        /// Rate of dying away, 1/s: half of a correction is done in 0.34 s. (measured)
        var rate = 5.0
        /// Slowest rate, 1/s, where what is drawn is ahead of the truth and must wait rather than back up.
        var slowestRate = 1.0
        /// A lead of d metres at v m/s is worked off at this many times v/d, 1/s, so that the motion goes on. A critically
        /// damped offset runs back at up to rate × d/e. (measured; e is the limit)
        var waiting = 2.0
        /// Below this speed, m/s, the lead is reckoned as at it.
        var waitingSpeed = 2.0
        /// Leads under this, m, need no waiting.
        var smallestLead = 0.05
        /// A correction that has died away for this long, s, is none.
        var lifetime = 20.0
        /// Frames farther apart than this, s, show corrections at once: with so few, the eye sees places, not a motion, and
        /// each had better be right. (film: motion is seen from 16 to 24 frames a second)
        var longestFrame = 0.055
    }

    /// When it began.
    private let start: Instant
    /// What was drawn less what is predicted, then, m.
    private var offset: PlaneVector
    /// How fast that would grow by itself if it were not damped, m/s.
    private var slope: PlaneVector
    private let rate: Double
    private let lifetime: Double
    private let longestFrame: Double

    /// From what was drawn to what is now predicted, both at `instant`.
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

    /// Turns with the plane.
    mutating func move(by change: PlaneChange) {
        offset = change.vector(offset)
        slope = change.vector(slope)
    }

    /// What is drawn for a prediction at an instant, the next frame being `frameInterval` seconds off.
    func applied(to point: Coasting.Point, at instant: Instant, frameInterval: Double) -> Coasting.Point {
        let h = max(0, instant.seconds(since: start))
        guard h < lifetime, frameInterval <= longestFrame else { return point }
        let left = exp(-rate * h)
        let rest = left * (offset + h * slope)
        return Coasting.Point(position: point.position + rest, velocity: point.velocity + left * slope - rate * rest)
    }
}
