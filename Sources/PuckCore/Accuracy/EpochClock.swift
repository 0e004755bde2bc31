/// When an approximate location is made anew. The times belong to the device and to chance: neither a client nor what
/// the receiver does moves them. On the monotonic clock.
struct EpochClock: Hashable, Sendable {
    /// The next epoch that comes whatever happens.
    private(set) var next: Instant
    /// The next chance of one that comes early.
    private(set) var candidate: Instant

    /// Seconds between epochs, and between early candidates; each drawn anew within ± `spread` of it.
    static let interval = 1_800.0
    static let candidateInterval = 300.0
    static let spread = 0.25
    /// The longest that an epoch can be ahead, seconds.
    static let longestInterval = interval * (1 + spread)
    /// The first candidate after a start that found an epoch overdue, seconds: what a receiver needs for a fix.
    static let startInterval = 60.0

    /// What the clock has come to.
    enum Tick: Hashable, Sendable {
        /// Nothing.
        case none
        /// A chance of an early epoch.
        case candidate
        /// The epoch.
        case epoch
    }

    /// The clock of a device that has no epoch behind it, or one overdue.
    init(start: Instant, random: inout some RandomNumberGenerator) {
        next = start.advanced(by: draw(Self.interval, &random))
        candidate = start.advanced(by: draw(Self.startInterval, &random))
    }

    /// The clock of a device whose next epoch was to be at `planned` when it was stopped, and how many epochs have
    /// gone by since. A start makes none: one to come is kept to the second, and one overdue comes as any device's
    /// first. One farther ahead than any can be tells that the clock was set back: how long ago the last was is not
    /// known, and a whole interval is waited.
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

    /// When there is something to do.
    var deadline: Instant { min(next, candidate) }

    /// What has come by `now`. After an epoch, or a candidate that is taken, `restart` must be called.
    mutating func tick(_ now: Instant, random: inout some RandomNumberGenerator) -> Tick {
        if now >= next { return .epoch }
        guard now >= candidate else { return .none }
        candidate = now.advanced(by: draw(Self.candidateInterval, &random))
        return .candidate
    }

    /// Has no candidate before the next epoch.
    mutating func skipCandidates() { candidate = next }

    /// Draws the times that follow an epoch.
    mutating func restart(_ now: Instant, random: inout some RandomNumberGenerator) {
        next = now.advanced(by: draw(Self.interval, &random))
        candidate = now.advanced(by: draw(Self.candidateInterval, &random))
    }
}

/// Seconds, uniform within a quarter of `mean`.
private func draw(_ mean: Double, _ random: inout some RandomNumberGenerator) -> Double {
    mean * (1 - EpochClock.spread + 2 * EpochClock.spread * random.unit())
}
