/// The direction of travel: believed above a speed, with hysteresis, and kept below it (B1). It turns between fixes as
/// the puck moves between them, and glides when a fix corrects it (B5). When it comes to be believed again, what is drawn
/// turns to it from what was kept.
struct CourseTrack: Sendable {
    /// Its constants.
    struct Parameters: Hashable, Sendable {
        /// Believed from this speed on, m/s. Raw courses are 2° to 57° off at 0.2 to 0.5 m/s, 0.4° to 3.4° at 2 to 5 m/s.
        /// (measured)
        var on = 0.7
        /// And down to this one, m/s.
        var off = 0.4
        /// And only above this many standard deviations of the velocity.
        var deviations = 2.5
        /// A turn is believed as far as it exceeds this many standard deviations of the course's noise.
        var turnDeviations = 2.0
        /// No vehicle turns faster, degrees a second.
        var fastest = 120.0
        /// Time constant, s, of the noise of the course; its first variance, degrees²; and the most a change counts, as a
        /// multiple of the noise so far.
        var memory = 30.0
        var firstVariance = 1.0
        var clip = 9.0
        var leastVariance = 0.01
        /// A correction dies away critically damped, at most at this rate, 1/s, …
        var rate = 6.0
        /// … and so slowly that it turns the course by no more than this, degrees a second, and half the vehicle's own turn …
        var gentle = 10.0
        /// … but at this rate at least, 1/s.
        var leastRate = 3.0
    }

    private let parameters: Parameters
    /// Of the newest fix with a course: when, where to (degrees, wrapped), and how fast it turns (degrees a second).
    private var fixed: Instant?
    private var angle = 0.0
    private var turn = 0.0
    /// For how long after it the turn goes on, s.
    private var turning = 0.0
    /// What was drawn less what is now predicted, degrees, at `corrected`; and the rate at which it dies away, 1/s.
    private var residue = 0.0
    private var corrected: Instant
    private var decay = 6.0
    private var before: (angle: Double, change: Double)?
    private var variance: Double
    /// From what was kept to the course that came to be believed.
    private var restart: BearingTurn?
    /// Whether the course is believed now.
    private(set) var isBelieved = false

    init(_ parameters: Parameters, at instant: Instant) {
        self.parameters = parameters
        corrected = instant
        variance = parameters.firstVariance
    }

    /// Standard deviation of the receiver's course, degrees.
    var deviation: Double { variance.squareRoot() }

    /// Takes a velocity, m/s, true at `instant` and known to that standard deviation along each axis; `interval` is the
    /// time since the one before, `turning` how long a turn goes on after it, `now` when it is handed over.
    mutating func take(
        velocity: PlaneVector, deviation: Double, at instant: Instant, interval: Double, turning: Double, now: Instant
    ) {
        let threshold = max(isBelieved ? parameters.off : parameters.on, parameters.deviations * deviation)
        let was = believed(at: now)
        guard velocity.length > threshold, let direction = velocity.direction else {
            stop(at: now)
            return
        }
        let continues = isBelieved
        isBelieved = true
        learn(direction.degrees, interval: interval, continues: continues)
        fixed = instant
        angle = direction.degrees
        self.turning = turning
        if continues {
            glide(from: was, at: now)
        } else {
            let left = left(at: now)
            (residue, corrected) = (0, now)
            restart = was.flatMap { BearingTurn(from: $0 + left, to: angle, at: now) }
        }
    }

    /// Stands still: what is drawn is kept.
    mutating func stop(at now: Instant) {
        isBelieved = false
        before = nil
        guard fixed != nil, turn != 0 || residue != 0 || restart != nil else { return }
        angle = (believed(at: now) ?? angle) + left(at: now)
        fixed = now
        turn = 0
        residue = 0
        restart = nil
    }

    /// Shows the newest course at once, as after a jump.
    mutating func jump() {
        residue = 0
        restart = nil
    }

    /// The course at an instant, or the last one; nil before the first.
    func direction(at instant: Instant) -> Direction? { believed(at: instant).flatMap { Direction(wrapping: $0) } }

    /// How far from it an arrow is drawn at an instant, degrees.
    func left(at instant: Instant) -> Double { restart?.left(at: instant) ?? 0 }

    private func believed(at instant: Instant) -> Double? {
        guard let fixed else { return nil }
        let age = min(max(0, instant.seconds(since: fixed)), turning)
        let since = max(0, instant.seconds(since: corrected))
        return angle + turn * age + residue * (1 + decay * since) * exp(-decay * since)
    }

    private mutating func learn(_ degrees: Double, interval: Double, continues: Bool) {
        guard continues, let last = before, interval > 0 else {
            before = (degrees, 0)
            turn = 0
            return
        }
        let change = shortestTurn(from: last.angle, to: degrees)
        let curve = (change - last.change) * (change - last.change) / 6
        let share = 1 - exp(-interval / parameters.memory)
        variance = max(parameters.leastVariance, variance + share * (min(curve, parameters.clip * variance) - variance))
        let noise = parameters.turnDeviations * deviation
        let believed = change == 0 ? 0 : max(0, 1 - noise * noise / (change * change))
        turn = min(max(believed * change / interval, -parameters.fastest), parameters.fastest)
        before = (degrees, change)
    }

    private mutating func glide(from was: Double?, at now: Instant) {
        corrected = now
        residue = 0
        guard let was, let predicted = believed(at: now) else { return }
        residue = shortestTurn(from: predicted, to: was)
        let gentle = (parameters.gentle + turn.magnitude / 2) * 2.718 / max(residue.magnitude, 1e-6)
        decay = min(parameters.rate, max(parameters.leastRate, gentle))
    }
}
