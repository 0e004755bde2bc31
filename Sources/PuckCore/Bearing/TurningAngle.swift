/// An angle that turns on between samples, and glides to the next sample instead of stepping to it.
///
/// What was drawn less what is now predicted dies away critically damped, beginning at the rate at which it was drawn. So
/// neither the angle nor its rate steps at a sample, and an angle that turns evenly is not left behind.
struct TurningAngle: Hashable, Sendable {
    /// How a correction dies away.
    struct Glide: Hashable, Sendable {
        /// At most at this rate, 1/s, …
        var rate = 6.0
        /// … and so slowly that it turns the angle by no more than this, degrees a second, and half its own turn …
        var gentle = 10.0
        /// … but at this rate at least, 1/s.
        var leastRate = 3.0
    }

    private let glide: Glide
    /// The newest sample: when, where to (degrees, any turn), and how fast it turns (degrees a second).
    private(set) var instant: Instant
    private(set) var angle: Double
    private var turn = 0.0
    /// For how long after it the turn goes on, s.
    private var turning = 0.0
    /// What was drawn less what was predicted at `corrected`, degrees; how fast that would grow undamped, degrees a second;
    /// and the rate at which it dies away, 1/s.
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

    /// Takes a sample that is true at `instant` and turns by `turn` degrees a second for `turning` seconds more. `now` is
    /// when it is handed over: what is drawn goes on from there.
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

    /// Keeps what is drawn at an instant.
    mutating func stop(at now: Instant) {
        angle = degrees(at: now)
        instant = now
        corrected = now
        (turn, residue, slope) = (0, 0, 0)
    }

    /// Turns what it is reckoned from, by degrees.
    mutating func turn(by turn: Double) { angle += turn }

    /// Shows the newest sample at once, and does not turn on.
    mutating func jump() { (turn, residue, slope) = (0, 0, 0) }

    /// What is drawn at an instant, degrees; any turn.
    func degrees(at instant: Instant) -> Double {
        let since = max(0, instant.seconds(since: corrected))
        return predicted(at: instant) + (residue + slope * since) * exp(-decay * since)
    }

    /// What is expected at an instant, degrees, with corrections worked in at once.
    func predicted(at instant: Instant) -> Double { angle + turn * min(age(at: instant), turning) }

    /// How fast what is drawn turns at an instant, degrees a second.
    private func rate(at instant: Instant) -> Double {
        let since = max(0, instant.seconds(since: corrected))
        let own = age(at: instant) < turning ? turn : 0
        return own + (slope - decay * (residue + slope * since)) * exp(-decay * since)
    }

    private func age(at instant: Instant) -> Double { max(0, instant.seconds(since: self.instant)) }

    /// A critically damped difference that starts at rest turns at most at its size times its rate divided by this. (e)
    private static let peak = 2.718
    /// Below this no difference is divided by, degrees.
    private static let least = 1e-6
}
