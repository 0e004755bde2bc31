/// Learns how the fixes of a receiver usually arrive: how long it is silent between them, and how old they are when they
/// come. Bluetooth, batches and busy hosts make both longer than its cycle, and no fix of such a receiver is news of a gap.
///
/// A single long silence is a gap and teaches nothing; two of them in some tens of seconds are how this receiver is, if no
/// fix is missing after them (they came late, or in a batch), or as far as they are not out of all proportion to its other
/// silences. So a new habit is known within seconds, and forgotten within a minute or two.
struct ArrivalRhythm: Hashable, Sendable {
    /// Silences before there is an answer.
    private static let enough = 3
    /// Silences by which most of what a receiver does has been seen; before, none shorter than the assumed cycle is a gap.
    private static let settled = 32
    /// The longest silence that is a habit and not an outage, seconds.
    private static let longestSilence = 30.0
    /// The greatest age on arrival that is a habit and not a backlog, seconds: what the receiver's clock believes at most.
    private static let greatestAge = 2.0
    /// A habit of silences in which fixes go missing is at most so many times the median silence, and this many seconds.
    private static let proportion = (times: 2.0, seconds: 0.5)
    /// A habit of silences after which all fixes come is at most so long, seconds.
    private static let longestDelay = 3.0
    /// A fix that is true by no more than so many cycles after the last: none is missing between them.
    private static let noneMissing = 1.5
    /// What comes sooner than this share of a cycle after another is of the same batch.
    private static let sameBatch = 0.5
    /// A new silence may be so much longer than the usual: cycles, or this share of the usual one where that is longer.
    private static let slack = (cycles: 1.0, share: 0.25)
    /// How long a span of silences is at least: silences, seconds. And how many spans are remembered.
    private static let span = (silences: 16, seconds: 10.0)
    private static let remembered = 6

    /// The two greatest of what was seen.
    private struct Greatest: Hashable, Sendable {
        private var first = 0.0
        /// The greatest but one; zero before there are two.
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
        /// Those of them after which no fix was missing.
        var delays = Greatest()
        var ages = Greatest()
    }

    private var spans: [Span] = []
    private var median = CycleEstimator()
    private var count = 0
    /// The longest of the first silences.
    private var longest = 0.0
    private var last: Instant?

    /// Seconds for which the receiver is usually silent between two fixes, or two batches of them, on the long side; nil
    /// before it is known.
    private(set) var usualSilence: Double?
    /// The age, in seconds, up to which the newest fix is live.
    private(set) var liveUntil = 0.0

    /// Takes a fix that is `age` seconds old when it arrives at `now`, and that was true `interval` seconds after the one
    /// before it; nil where there was none. `cycle`: seconds from one fix of this receiver to the next by its own clock;
    /// nil before that is known.
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

    /// Remembers a silence, and the age of the fix that ended it.
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
