/// Tells when an epoch was true on the host's monotonic clock.
///
/// Epochs of a regular receiver are true at regular instants, however irregularly they arrive. So what is learnt is
/// one number, the offset from the receiver's time to the monotonic clock, and each epoch is put where its own time
/// says. Where the host's UTC clock agrees with the receiver's, the difference on arrival is the receiver's latency;
/// where it does not (it was never set, it was stepped, it is an hour off, the receiver counts leap seconds of its
/// own), the quickest recent arrival is taken to have had the latency last known.
public struct ReceiverClock: Hashable, Sendable {
    /// By how much the host's clock may be behind the receiver's and still be believed, nanoseconds.
    private static let hostBehind: Int64 = 50_000_000
    /// How long an epoch's way to the host may take over the receiver's cycle, nanoseconds: a receiver has told an
    /// epoch before it makes the next, and no serial line or Bluetooth takes longer.
    private static let transport: Int64 = 500_000_000
    /// Longest latency that the host's clock is believed for, nanoseconds.
    private static let longestLatency: Int64 = 2_000_000_000
    /// An offset that is further off than this is wrong, and is corrected at once, nanoseconds.
    private static let step: Int64 = 500_000_000
    /// Epochs in a row, and seconds, that must be later than that before it is the clocks and not the epochs.
    private static let lateRun = (epochs: 3, seconds: 2.0)
    /// One that is nearer is corrected at this rate, so that motion is not distorted (seconds a second).
    private static let slew = 0.005
    /// Among how many of the last epochs, or batches of them, the quickest is looked for.
    private static let window = 32
    /// What comes sooner than this after another is of the same batch, seconds: no receiver is as fast, and of a batch only
    /// the last one came quickly.
    private static let sameBatch = 0.02

    /// Monotonic instant less receiver's UTC, nanoseconds.
    private var offset: Int64?
    /// Latency of the quickest recent epoch, nanoseconds, as last seen with a host's clock that could be believed.
    private var usualLatency: Int64 = 0
    /// Arrival less receiver's UTC of the last epochs, nanoseconds; of a batch, of its quickest.
    private var recent: [Int64] = []
    private var next = 0
    /// When the last one came, and where it is among them.
    private var newest: Newest?
    /// The latest epochs in a row that were later than a step: since when, how many, and the quickest of them.
    private var late: LateRun?
    private var lastTime: UTC?
    private var lastInstant: Instant?

    private struct Newest: Hashable, Sendable {
        let arrival: Instant
        let index: Int
    }

    private struct LateRun: Hashable, Sendable {
        let since: Instant
        var epochs: Int
        var quickest: Int64
    }

    /// A clock that knows nothing yet.
    public init() {}

    /// Forgets the receiver's time, which was set, but not its latency.
    public mutating func restart() {
        offset = nil
        recent = []
        next = 0
        newest = nil
        late = nil
        lastTime = nil
    }

    /// The instant at which the epoch of the receiver's `time` was true: never after its arrival, never before that
    /// of the epoch before it. Call it once for each epoch, in order. `cycle` is the receiver's, seconds.
    public mutating func instant(of time: UTC?, arrival: Moment, cycle: Double?) -> Instant {
        let arrived = arrival.monotonic
        let told: Instant
        if let time {
            told = Instant(nanoseconds: time.nanoseconds.adding(learn(time, arrival: arrival, cycle: cycle)))
        } else {
            told = Instant(nanoseconds: arrived.nanoseconds.lessened(by: usualLatency))
        }
        let instant = min(max(told, lastInstant ?? told), arrived)
        lastInstant = instant
        return instant
    }

    /// Brings the offset up to date with one more epoch.
    private mutating func learn(_ time: UTC, arrival: Moment, cycle: Double?) -> Int64 {
        let difference = arrival.monotonic.nanoseconds.lessened(by: time.nanoseconds)
        let quickest = remember(difference, at: arrival.monotonic)
        let hostOffset = arrival.monotonic.nanoseconds.lessened(by: arrival.utc.nanoseconds)
        // Whole GPS eras are the receiver's date, and no latency.
        let latency = ReceiverDate.withoutEras(quickest.lessened(by: hostOffset))
        let limit = Self.latencyLimit(cycle)
        if latency >= -Self.hostBehind, latency <= limit { usualLatency = max(0, latency) }
        if usualLatency > limit { usualLatency = 0 }
        let target = quickest.lessened(by: usualLatency)
        // No epoch is true after it arrived.
        let corrected = min(corrected(towards: target, elapsed: lastTime.map { time.seconds(since: $0) }), difference)
        offset = corrected
        lastTime = time
        return corrected
    }

    private func corrected(towards target: Int64, elapsed: Double?) -> Int64 {
        guard let offset, let elapsed else { return target }
        let error = target.lessened(by: offset)
        guard error.magnitude <= Self.step.magnitude else { return target }
        let most = Int64(min(max(elapsed, 0), 1) * Self.slew * 1e9)
        return offset.adding(min(max(error, -most), most))
    }

    /// Adds an epoch's difference to those remembered; returns the quickest of them.
    private mutating func remember(_ difference: Int64, at arrival: Instant) -> Int64 {
        if let quickest = recent.min(), difference.lessened(by: quickest) > Self.step {
            var run = late ?? LateRun(since: arrival, epochs: 0, quickest: difference)
            run.epochs += 1
            run.quickest = min(run.quickest, difference)
            late = run
            if run.epochs >= Self.lateRun.epochs, arrival.seconds(since: run.since) >= Self.lateRun.seconds {
                recent = [run.quickest]
                next = 0
                newest = nil
                late = nil
            }
        } else {
            late = nil
        }
        keep(difference, at: arrival)
        return recent.min() ?? difference
    }

    private mutating func keep(_ difference: Int64, at arrival: Instant) {
        if let newest, arrival.seconds(since: newest.arrival) < Self.sameBatch {
            recent[newest.index] = min(recent[newest.index], difference)
            self.newest = Newest(arrival: arrival, index: newest.index)
        } else if recent.count < Self.window {
            recent.append(difference)
            newest = Newest(arrival: arrival, index: recent.count - 1)
        } else {
            recent[next] = difference
            newest = Newest(arrival: arrival, index: next)
            next = (next + 1) % Self.window
        }
    }

    private static func latencyLimit(_ cycle: Double?) -> Int64 {
        guard let cycle, cycle <= 1.5 else { return longestLatency }
        return min(longestLatency, Int64(cycle * 1e9) + transport)
    }
}
