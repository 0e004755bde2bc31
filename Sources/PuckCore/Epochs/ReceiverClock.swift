/// Computes the instant of an epoch on the host's monotonic clock.
///
/// The epochs of a regular receiver have regular instants, however irregularly they arrive. So only one number is
/// learnt, the offset from the receiver's time to the monotonic clock, and each epoch is placed by its own time. If
/// the host's UTC clock agrees with the receiver's, the difference on arrival is the receiver's latency. If it does
/// not (it was never set, it was stepped, it is an hour off, the receiver counts leap seconds of its own), the
/// quickest recent arrival is assumed to have the last known latency.
public struct ReceiverClock: Hashable, Sendable {
    /// How far the host's clock may be behind the receiver's and still be trusted, nanoseconds.
    private static let hostBehind: Int64 = 50_000_000
    /// The maximum delay of an epoch beyond the receiver's cycle, nanoseconds: a receiver sends an epoch before it
    /// makes the next, and no serial line or Bluetooth takes longer.
    private static let transport: Int64 = 500_000_000
    /// The longest latency for which the host's clock is trusted, nanoseconds.
    private static let longestLatency: Int64 = 2_000_000_000
    /// An offset that is wrong by more than this is corrected at once, nanoseconds.
    private static let step: Int64 = 500_000_000
    /// Successive epochs, and seconds, that must be late by more than that before the clocks are assumed to have
    /// changed.
    private static let lateRun = (epochs: 3, seconds: 2.0)
    /// A smaller error is corrected at this rate, so that motion is not distorted (seconds a second).
    private static let slew = 0.005
    /// The number of recent epochs, or batches of them, among which the quickest is chosen.
    private static let window = 32
    /// An epoch that follows another within this time belongs to the same batch, seconds: no receiver is as fast, and
    /// only the last epoch of a batch arrived quickly.
    private static let sameBatch = 0.02

    /// The monotonic instant minus the receiver's UTC, nanoseconds.
    private var offset: Int64?
    /// Latency of the quickest recent epoch, nanoseconds, from the last time when the host's clock could be trusted.
    private var usualLatency: Int64 = 0
    /// Arrival minus receiver's UTC of the recent epochs, nanoseconds; for a batch, that of its quickest.
    private var recent: [Int64] = []
    private var next = 0
    /// The arrival of the last epoch, and its index among the recent ones.
    private var newest: Newest?
    /// The newest successive epochs that were late by more than a step: since when, how many, and the quickest of
    /// them.
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

    /// A clock without data.
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

    /// The instant of the epoch at the receiver's `time`: never after its arrival, never before the instant of the
    /// previous epoch. Call it once for each epoch, in order. `cycle`: the receiver's cycle, seconds.
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

    /// Updates the offset with one more epoch.
    private mutating func learn(_ time: UTC, arrival: Moment, cycle: Double?) -> Int64 {
        let difference = arrival.monotonic.nanoseconds.lessened(by: time.nanoseconds)
        let quickest = remember(difference, at: arrival.monotonic)
        let hostOffset = arrival.monotonic.nanoseconds.lessened(by: arrival.utc.nanoseconds)
        // Whole GPS eras belong to the receiver's date, not to the latency.
        let latency = ReceiverDate.withoutEras(quickest.lessened(by: hostOffset))
        let limit = Self.latencyLimit(cycle)
        if latency >= -Self.hostBehind, latency <= limit { usualLatency = max(0, latency) }
        if usualLatency > limit { usualLatency = 0 }
        let target = quickest.lessened(by: usualLatency)
        // The instant of an epoch is never after its arrival.
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

    /// Adds an epoch's difference to the recent ones. Returns the quickest of them.
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
