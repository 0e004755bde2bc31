/// The direction of travel. It is accepted above a speed, with hysteresis, and kept below it (B1). It turns between
/// fixes, as the puck moves between them, and glides when a fix corrects it (B5). When it is accepted again, the
/// drawn direction turns to it from the kept one.
struct CourseTrack: Sendable {
    /// Constants.
    struct Parameters: Hashable, Sendable {
        /// It is accepted from this speed on, m/s. Raw courses are wrong by 2° to 57° at 0.2 to 0.5 m/s, and by 0.4°
        /// to 3.4° at 2 to 5 m/s. (measured)
        var on = 0.7
        /// Once accepted, it is kept down to this speed, m/s.
        var off = 0.4
        /// The speed must also exceed this many standard deviations of the velocity.
        var deviations = 2.5
        /// A turn counts as far as it exceeds this many standard deviations of the course's noise.
        var turnDeviations = 2.0
        /// The fastest turn of any vehicle, degrees a second.
        var fastest = 120.0
        /// Time constant, s, of the noise of the course; its first variance, degrees²; and the most a change counts, as a
        /// multiple of the noise so far.
        var memory = 30.0
        var firstVariance = 1.0
        var clip = 9.0
        var leastVariance = 0.01
        /// The time over which the turn is computed, s, or one interval if that is longer: over less time, the noise
        /// of two courses exceeds the vehicle's turn.
        var turnTime = 0.5
        /// How corrections are applied.
        var glide = TurningAngle.Glide()
    }

    /// The course of a fix: its instant, and the direction in degrees.
    private struct Sample {
        var instant: Instant
        var angle: Double
    }

    private let parameters: Parameters
    /// The drawn direction; nil before the first course.
    private var angle: TurningAngle?
    /// The newest courses, as far as the turn is computed from them, and the last change from one to the next,
    /// degrees.
    private var samples: [Sample] = []
    private var change = 0.0
    private var variance: Double
    /// The turn from the kept direction to the newly accepted course.
    private var restart: BearingTurn?
    /// Whether the course is accepted now.
    private(set) var isBelieved = false

    init(_ parameters: Parameters) {
        self.parameters = parameters
        variance = parameters.firstVariance
    }

    /// Standard deviation of the receiver's course, degrees.
    var deviation: Double { variance.squareRoot() }

    /// Takes a velocity, m/s, for `instant`, with that standard deviation along each axis. `now` is the time of the
    /// call, and `turning` how long, s, a turn continues from then: the next velocity is expected with the same
    /// delay.
    mutating func take(
        velocity: PlaneVector, deviation: Double, at instant: Instant, turning: Double, now: Instant
    ) {
        let threshold = max(isBelieved ? parameters.off : parameters.on, parameters.deviations * deviation)
        guard velocity.length > threshold, let direction = velocity.direction?.degrees else {
            stop(at: now)
            return
        }
        let continues = isBelieved
        isBelieved = true
        let turn = learn(direction, at: instant, continues: continues)
        if continues {
            let delay = min(max(0, now.seconds(since: instant)), Self.longestDelay)
            angle?.take(direction, turn: turn, for: turning + delay, at: instant, now: now)
        } else {
            let kept = angle.map { $0.degrees(at: now) + left(at: now) }
            angle = TurningAngle(direction, at: instant, parameters.glide)
            restart = kept.flatMap { BearingTurn(from: $0, to: direction, at: now) }
        }
    }

    /// Rotates with the plane, by degrees.
    mutating func turn(by turn: Double) {
        angle?.turn(by: turn)
        for i in samples.indices { samples[i].angle += turn }
    }

    /// Standstill: the drawn direction is kept.
    mutating func stop(at now: Instant) {
        guard isBelieved || restart != nil else { return }
        isBelieved = false
        samples = []
        let drawn = angle.map { $0.degrees(at: now) + left(at: now) }
        angle = drawn.map { TurningAngle($0, at: now, parameters.glide) }
        restart = nil
    }

    /// Shows the newest course at once, as after a jump.
    mutating func jump() {
        angle?.jump()
        restart = nil
    }

    /// The course at an instant, or the last one; nil before the first.
    func direction(at instant: Instant) -> Direction? { angle.flatMap { Direction(wrapping: $0.degrees(at: instant)) } }

    /// The angle between it and the drawn arrow at an instant, degrees.
    func left(at instant: Instant) -> Double { restart?.left(at: instant) ?? 0 }

    /// Learns the noise from a course. Returns the turn rate, degrees a second.
    private mutating func learn(_ degrees: Double, at instant: Instant, continues: Bool) -> Double {
        defer { samples.append(Sample(instant: instant, angle: degrees)) }
        guard continues, let last = samples.last, instant > last.instant else {
            samples = []
            change = 0
            return 0
        }
        let interval = instant.seconds(since: last.instant)
        let turned = shortestTurn(from: last.angle, to: degrees)
        let curve = (turned - change) * (turned - change) / 6
        let share = 1 - exp(-interval / parameters.memory)
        variance = max(parameters.leastVariance, variance + share * (min(curve, parameters.clip * variance) - variance))
        change = turned
        while samples.count > 1, instant.seconds(since: samples[0].instant) > parameters.turnTime + Self.rounding {
            samples.removeFirst()
        }
        let noise = parameters.turnDeviations * deviation
        let whole = shortestTurn(from: samples[0].angle, to: degrees)
        let believed = whole == 0 ? 0 : max(0, 1 - noise * noise / (whole * whole))
        let turn = believed * whole / instant.seconds(since: samples[0].instant)
        return min(max(turn, -parameters.fastest), parameters.fastest)
    }

    /// How long a turn continues while a fix is late, s.
    private static let longestDelay = 1.0
    /// The permitted difference of intervals that should be equal, s.
    private static let rounding = 0.005
}
