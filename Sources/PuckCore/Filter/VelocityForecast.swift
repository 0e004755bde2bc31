/// The puck's motion until the next fix: rival velocities, each weighted by how well it forecast the recent fixes.
struct VelocityForecast: Hashable, Sendable {
    /// Its constants. (chosen on the 36 tracks of docs/quality.md; the result is flat over a factor of five)
    struct Parameters: Hashable, Sendable {
        /// How the rivals are weighted.
        var contest = ForecastContest.Parameters(memory: 60, power: 10)
        /// The initial mean square forecast error, m².
        var expectedError = 9.0
        /// The initial advantage of the receiver's own velocity, as a logarithm.
        var lead = 1.0
        /// It leads by this much more, as a logarithm, at the start …
        var startLead = 12.0
        /// … which is gone after this many seconds: a receiver that was just started slides to where it is, and the way that
        /// it slides is none that it goes.
        var startTime = 30.0
        /// What the others trail by before the first forecast was judged.
        var handicap = -20.0
        /// Gains for position, and for velocity each second, of the filter that sees positions alone.
        var positionGain = 0.5
        var velocityGain = 0.2
    }

    private enum Rival: Int, CaseIterable {
        /// The receiver's velocity stays constant.
        case steady
        /// It continues to change as it did since the fix before.
        case accelerating
        /// It changes back by the same amount.
        case returning
        /// An α-β filter of positions alone.
        case positions
        /// No motion.
        case zero
        /// The motion from the fix before.
        case difference
    }

    /// From where, m, and how fast, m/s, each rival sees the way to the next fix, whenever that comes.
    private struct Forecasts: Hashable, Sendable {
        var start: PlaneVector
        var velocities: [PlaneVector]
    }

    private let parameters: Parameters
    private var contest: ForecastContest
    /// nil if the next fix cannot judge them.
    private var forecasts: Forecasts?
    private var tracked: Coasting.Point
    /// At the newest fix, m/s.
    private(set) var velocity: PlaneVector
    /// Until the next fix, m/s².
    private(set) var acceleration = PlaneVector.zero

    init(at position: PlaneVector, velocity: PlaneVector, _ parameters: Parameters) {
        self.parameters = parameters
        contest = ForecastContest(
            rivals: Rival.allCases.count, expected: parameters.expectedError, parameters.contest)
        tracked = .init(position: position, velocity: velocity)
        self.velocity = velocity
    }

    /// Root mean square error of the best rival's forecast of the next fix, m; nil before the first.
    var error: Double? { contest.experience > 0 ? contest.best.squareRoot() : nil }

    /// Starts again at a position. Knowledge of the receiver is kept.
    mutating func restart(at position: PlaneVector, velocity: PlaneVector) {
        tracked = .init(position: position, velocity: velocity)
        coast(velocity, by: .zero)
    }

    /// Goes on with a velocity by `way`, m, without a fix that can be used.
    mutating func coast(_ velocity: PlaneVector, by way: PlaneVector) {
        tracked.position += way
        self.velocity = velocity
        acceleration = .zero
        forecasts = nil
    }

    /// Takes a fix: the estimate after it, the receiver's velocity at it and at the one before, and the fix before it,
    /// `since` seconds ago; `interval` is the time to the last fix of any kind.
    mutating func take(
        fix: PlaneVector, before: PlaneVector, since: Double, estimate: PlaneVector, measured: PlaneVector,
        previous: PlaneVector, interval: Double, doubt: Double
    ) {
        if let forecasts {
            contest.judge(interval: interval, doubt: doubt) { rival in
                (fix - forecasts.start - interval * forecasts.velocities[rival]).lengthSquared
            }
        }
        track(fix, interval: interval)
        let change = measured - previous
        let velocities = [
            measured, measured + 0.5 * change, 0.5 * (measured + previous), tracked.velocity, .zero,
            (1 / since) * (fix - before),
        ]
        let isOpen = contest.experience > 0
        let handicap = isOpen ? 0 : parameters.handicap
        let young = max(0, 1 - contest.experience / parameters.startTime)
        let lead = parameters.lead + parameters.startLead * young
        contest.weigh { $0 == Rival.steady.rawValue ? lead : handicap }
        forecasts = Forecasts(start: estimate, velocities: velocities)
        blend(velocities, change: change, interval: interval)
    }

    /// The first three rivals begin with the measured velocity and differ in how it changes.
    private mutating func blend(_ velocities: [PlaneVector], change: PlaneVector, interval: Double) {
        func weight(_ rival: Rival) -> Double { contest.weights[rival.rawValue] }
        let measured = weight(.steady) + weight(.accelerating) + weight(.returning)
        velocity =
            measured * velocities[Rival.steady.rawValue]
            + weight(.positions) * velocities[Rival.positions.rawValue]
            + weight(.difference) * velocities[Rival.difference.rawValue]
        acceleration = ((weight(.accelerating) - weight(.returning)) / interval) * change
    }

    private mutating func track(_ fix: PlaneVector, interval: Double) {
        let innovation = fix - tracked.position - interval * tracked.velocity
        tracked.position = fix - (1 - parameters.positionGain) * innovation
        tracked.velocity += (parameters.velocityGain / max(interval, 0.1)) * innovation
    }

    /// Moves with the plane's origin.
    mutating func move(by change: PlaneChange) {
        tracked = .init(position: change.place(tracked.position), velocity: change.vector(tracked.velocity))
        forecasts = forecasts.map {
            Forecasts(start: change.place($0.start), velocities: $0.velocities.map { change.vector($0) })
        }
        velocity = change.vector(velocity)
        acceleration = change.vector(acceleration)
    }
}
