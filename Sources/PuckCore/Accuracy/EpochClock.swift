/// The times at which an approximate location is made. They belong to the device and are random: neither a client nor
/// the receiver influences them. They are on the monotonic clock.
struct EpochClock: Hashable, Sendable {
    /// The next epoch.
    private(set) var next: Instant
    /// The next candidate for an early epoch.
    private(set) var candidate: Instant

    /// Mean seconds between epochs, and between early candidates; each interval is random within ± `spread` of it.
    static let interval = 1_800.0
    static let candidateInterval = 300.0
    static let spread = 0.25
    /// The longest time until the next epoch, seconds.
    static let longestInterval = interval * (1 + spread)
    /// The time until the first candidate after a start with an overdue epoch, seconds: what a receiver needs for a
    /// fix.
    static let startInterval = 60.0

    /// The event that is due.
    enum Tick: Hashable, Sendable {
        /// Nothing.
        case none
        /// A candidate for an early epoch.
        case candidate
        /// A scheduled epoch.
        case epoch
    }

    /// The clock of a device without an epoch so far, or with an overdue one.
    init(start: Instant, random: inout some RandomNumberGenerator) {
        next = start.advanced(by: draw(Self.interval, &random))
        candidate = start.advanced(by: draw(Self.startInterval, &random))
    }

    /// The clock of a device that stopped before its next epoch at `planned`, and the number of epochs missed since
    /// then. A start causes no epoch: a future one keeps its time to the second, and an overdue one comes like the
    /// first epoch of any device. A planned epoch beyond the longest interval means that the clock was set back: the
    /// time of the last epoch is unknown, so the clock waits a whole interval.
    init(start: Moment, planned: UTC, missed: inout Int, random: inout some RandomNumberGenerator) {
        self.init(start: start.monotonic, random: &random)
        let ahead = planned.seconds - start.utc.seconds
        if ahead > Self.longestInterval {
            missed = CoarsenerState.staleMisses
            candidate = next
        } else if ahead > 0 {
            next = start.monotonic.advanced(by: ahead)
            candidate = start.monotonic.advanced(by: draw(Self.candidateInterval, &random))
        } else {
            let gone = min(-ahead / Self.interval, Double(CoarsenerState.staleMisses))
            missed = min(CoarsenerState.staleMisses, missed + 1 + Int(gone))
        }
    }

    /// When the next event is due.
    var deadline: Instant { min(next, candidate) }

    /// The event that is due by `now`. After an epoch, or a candidate that is taken, call `restart`.
    mutating func tick(_ now: Instant, random: inout some RandomNumberGenerator) -> Tick {
        if now >= next { return .epoch }
        guard now >= candidate else { return .none }
        candidate = now.advanced(by: draw(Self.candidateInterval, &random))
        return .candidate
    }

    /// Skips all candidates before the next epoch.
    mutating func skipCandidates() { candidate = next }

    /// Draws the times after an epoch.
    mutating func restart(_ now: Instant, random: inout some RandomNumberGenerator) {
        next = now.advanced(by: draw(Self.interval, &random))
        candidate = now.advanced(by: draw(Self.candidateInterval, &random))
    }
}

/// Seconds, uniform within a quarter of `mean`.
private func draw(_ mean: Double, _ random: inout some RandomNumberGenerator) -> Double {
    mean * (1 - EpochClock.spread + 2 * EpochClock.spread * random.unit())
}
