/// The receiver's position and motion at its newest fix.
///
/// The receiver's velocity moves the estimate on. A gate sets false fixes aside. A bank of rival filters, weighted by
/// how well each forecasts the next fix, decides how far positions are trusted. Nothing here is tuned to a receiver:
/// a wrong velocity, an error estimate without scale, or sliding positions all appear as failed forecasts.
struct Estimator: Hashable, Sendable {
    /// Constants.
    struct Parameters: Hashable, Sendable {
        /// After this many seconds without a fix, the next is taken as a new place (measured) …
        var gap = 5.0
        /// … or after this many cycles of a slow receiver.
        var gapCycles = 1.5
        /// Time constant, s, of the usual error estimate.
        var usualMemory = 60.0
        /// Time constant, s, of the scatter of fixes about their expected positions.
        var scatterMemory = 60.0
        /// The start, in which receivers slide, is forgotten with this power of the elapsed time.
        var scatterForgetting = 2.0
        /// An innovation counts towards the scatter up to this distance, m.
        var scatterLimit = 30.0
        /// Time constant, s, with which a leap is forgotten: reflections last while the receiver is among the same
        /// houses.
        var leapMemory = 120.0
        /// Leaps farther than this, m, are not remembered.
        var longestLeap = 200.0
        /// Time constant, s, with which the number of leaps is forgotten.
        var leapCountMemory = 300.0
        /// Weight of one fix in deciding whether the receiver measures velocity: ten fixes decide.
        var habitWeight = 0.1
        /// A receiver measures velocity if more than this share of its fixes have one.
        var habit = 0.3
    }

    /// The outcome of a fix.
    enum Outcome: Hashable, Sendable {
        /// It was used.
        case used
        /// It was set aside.
        case setAside
        /// It was taken as a new position: after a gap, or a leap.
        case newPlace(afterGap: Bool)
    }

    private let parameters: Parameters
    private var bank: PositionBank
    private var forecast: VelocityForecast
    private var gate: LeapGate
    private var receiver: ReceiverVelocity
    /// The last fix that was used, and when.
    private var last: PlaneVector
    private var lastUsed: Instant
    private var said: SaidPosition
    private let born: Instant
    private(set) var time: Instant
    private var usualAccuracy: Double?
    private var scatterSquared = 0.0
    private var scatterSeconds = 0.0
    private var slowSquared = 0.0
    private var velocityHabit: Double
    /// The size of recent leaps, m, as far as it is remembered.
    private(set) var leap = 0.0
    /// The number of recent leaps, as far as it is remembered.
    private(set) var leaps = 0.0

    init(
        at position: PlaneVector, measured: PlaneVector?, accuracy: Double?, time: Instant,
        _ parameters: FilterParameters
    ) {
        self.parameters = parameters.estimator
        let velocity = measured ?? .zero
        bank = PositionBank(at: position, parameters.bank)
        forecast = VelocityForecast(at: position, velocity: velocity, parameters.forecast)
        gate = LeapGate(parameters.gate)
        receiver = ReceiverVelocity(measured, parameters.receiver)
        last = position
        lastUsed = time
        said = SaidPosition(position, at: time)
        born = time
        self.time = time
        usualAccuracy = accuracy
        velocityHabit = measured == nil ? 0 : 1
    }

    // MARK: The estimate

    /// Metres from the plane's origin.
    var position: PlaneVector { bank.estimate }
    /// Metres a second.
    var velocity: PlaneVector { forecast.velocity }
    /// Metres a second squared, until the next fix.
    var acceleration: PlaneVector { forecast.acceleration }
    /// Root mean square error of the forecast of the next fix, m; nil before the first.
    var forecastError: Double? { forecast.error }
    /// Noise of the receiver's velocity along one axis, m²/s².
    var velocityVariance: Double { receiver.variance }
    /// Scatter of fixes about their expected positions, along one axis, m.
    var scatter: Double { (scatterSquared / 2).squareRoot() }
    /// Root mean square distance between the estimate and the mean of many seconds of fixes, m.
    var slowError: Double { slowSquared.squareRoot() }
    /// Seconds since the first fix.
    var age: Double { time.seconds(since: born) }
    /// Whether the receiver measures velocity.
    var isAided: Bool { velocityHabit >= parameters.habit }
    /// The receiver's position according to agreeing suspect fixes, m; nil without any.
    var rivalPlace: PlaneVector? { gate.rivalPlace }

    // MARK: Taking fixes

    /// Takes a fix in the plane. `measured` is its velocity, m/s; nil if it has none with a direction. `cycle`:
    /// seconds between fixes, if known.
    mutating func take(
        _ position: PlaneVector, measured: PlaneVector?, speed: Double?, accuracy: Double?, cycle: Double?,
        at instant: Instant
    ) -> Outcome {
        let interval = instant.seconds(since: time)
        time = instant
        let news = said.take(position, at: instant)
        velocityHabit += parameters.habitWeight * ((measured == nil ? 0 : 1) - velocityHabit)
        let doubt = doubt(of: accuracy, interval: interval)
        leap *= exp(-interval / parameters.leapMemory)
        leaps *= exp(-interval / parameters.leapCountMemory)
        guard interval <= max(parameters.gap, parameters.gapCycles * (cycle ?? 0)) else {
            restart(at: position, velocity: measured ?? .zero, afterGap: true)
            return .newPlace(afterGap: true)
        }
        let since = max(instant.seconds(since: lastUsed), 1e-3)
        let moved = position - last
        let velocity = receiver.checked(
            measured: measured, speed: speed, moved: moved, since: since, interval: interval)
        let between = (0.5 * interval) * (receiver.newest + velocity)
        let way = measured == nil ? interval * receiver.newest : between
        let expected = bank.estimate + way
        let distance = (position - expected).length
        let isStep = gate.isStep(distance: distance)
        let verdict = gate.judge(
            .init(
                position: position, expected: expected, last: last, sinceLast: since,
                news: news, velocity: measured == nil ? nil : velocity, speed: speed,
                lastSpeed: receiver.newest.length, accuracy: accuracy, interval: interval, age: age))
        switch verdict {
        case .suspect:
            setAside(way: way, velocity: measured == nil ? nil : velocity, interval: interval)
            return .setAside
        case .leap:
            learnScatter(distance, interval: interval)
            remember(leap: distance)
            leaps += 1
            restart(at: position, velocity: measured == nil ? receiver.newest : velocity, afterGap: false)
            return .newPlace(afterGap: false)
        case .passes:
            if isStep { remember(leap: distance) }
            learnScatter(distance, interval: interval)
            use(position, way: between, velocity: velocity, since: since, interval: interval, doubt: doubt)
            return .used
        }
    }

    private mutating func use(
        _ position: PlaneVector, way: PlaneVector, velocity: PlaneVector, since: Double, interval: Double, doubt: Double
    ) {
        bank.correct(by: position, way: way, interval: interval, doubt: doubt)
        receiver.take(velocity, interval: interval)
        forecast.take(
            fix: position, before: last, since: since, estimate: bank.estimate, measured: receiver.newest,
            previous: receiver.previous, interval: interval, doubt: doubt)
        last = position
        lastUsed = time
        let share = 1 - exp(-interval / parameters.scatterMemory)
        slowSquared += share * ((bank.estimate - bank.slowest).lengthSquared - slowSquared)
    }

    private mutating func setAside(way: PlaneVector, velocity: PlaneVector?, interval: Double) {
        bank.carry(by: way, interval: interval)
        if let velocity { receiver.take(velocity, interval: interval) }
        forecast.coast(receiver.newest, by: way)
    }

    private mutating func restart(at position: PlaneVector, velocity: PlaneVector, afterGap: Bool) {
        bank.restart(at: position)
        receiver.restart(velocity)
        forecast.restart(at: position, velocity: velocity)
        gate.restart(afterGap: afterGap)
        last = position
        lastUsed = time
    }

    /// The receiver's error estimate divided by its usual one; 1 if it gives none.
    private mutating func doubt(of accuracy: Double?, interval: Double) -> Double {
        guard let accuracy else { return 1 }
        let usual = usualAccuracy ?? accuracy
        let now = usual + (1 - exp(-min(interval, 5) / parameters.usualMemory)) * (accuracy - usual)
        usualAccuracy = now
        return accuracy / now
    }

    /// Reflections displace a fix by a street or two: a longer leap started elsewhere, and shows nothing about this
    /// place.
    private mutating func remember(leap distance: Double) {
        if distance < parameters.longestLeap { leap = max(leap, distance) }
    }

    private mutating func learnScatter(_ distance: Double, interval: Double) {
        let forgetting = parameters.scatterForgetting
        scatterSeconds = min(forgetting * parameters.scatterMemory, scatterSeconds + interval)
        let squared = min(distance * distance, parameters.scatterLimit * parameters.scatterLimit)
        scatterSquared += min(1, forgetting * interval / scatterSeconds) * (squared - scatterSquared)
    }

    /// Moves with the plane's origin.
    mutating func move(by change: PlaneChange) {
        bank.move(by: change)
        forecast.move(by: change)
        gate.move(by: change)
        said.move(by: change)
        receiver.move(by: change)
        last = change.place(last)
    }
}
