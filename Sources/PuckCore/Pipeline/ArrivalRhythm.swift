/// Learns how a receiver's fixes usually arrive: how long the receiver is silent between them, and how old they are
/// on arrival. Bluetooth, batches and busy hosts make both longer than the receiver's cycle, so a late fix of such a
/// receiver does not mean a gap.
///
/// A single long silence is a gap, and changes nothing. Two of them in some tens of seconds are a habit of this
/// receiver, if no fix is missing after them (the fixes came late, or in a batch), or up to a limit in proportion to
/// its other silences. So the receiver's habit is known within seconds, and forgotten within a minute or two.
struct ArrivalRhythm: Hashable, Sendable {
    /// Silences before an answer is known.
    private static let enough = 3
    /// Silences after which most of a receiver's habits have appeared. Before that, a silence shorter than the
    /// assumed cycle is no gap.
    private static let settled = 32
    /// The longest silence that is a habit and not an outage, seconds.
    private static let longestSilence = 30.0
    /// The greatest age on arrival that is a habit and not a backlog, seconds: the most that the receiver's clock
    /// accepts.
    private static let greatestAge = 2.0
    /// If fixes are missing after them, usual silences are at most this many times the median silence, and this many
    /// seconds.
    private static let proportion = (times: 2.0, seconds: 0.5)
    /// The longest usual silence after which all fixes arrive, seconds.
    private static let longestDelay = 3.0
    /// No fix is missing if two successive fixes are at most this many cycles apart.
    private static let noneMissing = 1.5
    /// A fix belongs to the same batch if it follows another by less than this share of a cycle.
    private static let sameBatch = 0.5
    /// A new silence may be longer than the usual one by this many cycles, or by this share of the usual one if that
    /// is longer.
    private static let slack = (cycles: 1.0, share: 0.25)
    /// The minimum length of a span of silences: silences and seconds; and the number of remembered spans.
    private static let span = (silences: 16, seconds: 10.0)
    private static let remembered = 6

    /// The two greatest values seen.
    private struct Greatest: Hashable, Sendable {
        private var first = 0.0
        /// The second greatest; zero before there are two.
        private(set) var second = 0.0

        mutating func take(_ value: Double) {
            second = max(second, min(first, value))
            first = max(first, value)
        }
        mutating func take(_ others: Greatest) {
            take(others.first)
            take(others.second)
        }
    }

    private struct Span: Hashable, Sendable {
        let since: Instant
        var count = 0
        var silences = Greatest()
        /// The silences after which no fix was missing.
        var delays = Greatest()
        var ages = Greatest()
    }

    private var spans: [Span] = []
    private var median = CycleEstimator()
    private var count = 0
    /// The longest of the first silences.
    private var longest = 0.0
    private var last: Instant?

    /// The longest usual silence between two fixes, or two batches of them, seconds; nil before it is known.
    private(set) var usualSilence: Double?
    /// The age, in seconds, up to which the newest fix is live.
    private(set) var liveUntil = 0.0

    /// Takes a fix that is `age` seconds old when it arrives at `now`, `interval` seconds after the fix before it by
    /// their own times; nil if there was none. `cycle`: seconds between this receiver's fixes by its own clock; nil
    /// before it is known.
    mutating func receive(age: Double, interval: Double?, at now: Instant, cycle: Double?) {
        let silence = last.map { now.seconds(since: $0) }
        last = now
        if let silence, silence <= Self.longestSilence, silence >= (cycle ?? 0) * Self.sameBatch {
            let isDelay = interval.map { $0 <= (cycle ?? 0) * Self.noneMissing } ?? false
            note(silence, isDelay: isDelay, age, at: now)
        }
        var recent = Span(since: now)
        for span in spans {
            recent.silences.take(span.silences)
            recent.delays.take(span.delays)
            recent.ages.take(span.ages)
        }
        guard count >= Self.enough, let usual = median.cycle else {
            usualSilence = nil
            let assumed = max(Freshness.assumedCycle, cycle ?? 0, longest)
            liveUntil = min(age, Self.greatestAge) + Freshness.liveCycles * assumed
            return
        }
        let cycle = cycle ?? usual
        let most = usual * Self.proportion.times + Self.proportion.seconds
        let silent = max(usual, min(recent.silences.second, most), min(recent.delays.second, Self.longestDelay))
        usualSilence = silent
        var limit = silent + max(cycle * Self.slack.cycles, silent * Self.slack.share)
        if count < Self.settled { limit = max(limit, Freshness.assumedCycle) }
        liveUntil = min(age, recent.ages.second) + limit
    }

    /// Records a silence, and the age of the fix that ended it.
    private mutating func note(_ silence: Double, isDelay: Bool, _ age: Double, at now: Instant) {
        count += 1
        if count <= Self.enough { longest = max(longest, silence) }
        median.receive(interval: silence)
        let isOver = spans.last.map {
            $0.count >= Self.span.silences && now.seconds(since: $0.since) >= Self.span.seconds
        }
        if isOver ?? true {
            if spans.count == Self.remembered { spans.removeFirst() }
            spans.append(Span(since: now))
        }
        let newest = spans.count - 1
        spans[newest].count += 1
        spans[newest].silences.take(silence)
        if isDelay { spans[newest].delays.take(silence) }
        spans[newest].ages.take(min(age, Self.greatestAge))
    }
}
