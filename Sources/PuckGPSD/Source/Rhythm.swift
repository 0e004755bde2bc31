import PuckCore

/// Learns how often a receiver reports, from the epochs of its position reports, at any rate and however uneven. It
/// needs no configuration, and gpsd's own figure for a cycle is only a guess.
struct Rhythm: Sendable {
    /// The two longest intervals that began in one span of time.
    private struct Span: Sendable {
        let since: Instant
        var longest = 0.0
        var second = 0.0

        mutating func take(_ interval: Double) {
            second = max(second, min(interval, longest))
            longest = max(longest, interval)
        }
    }

    private var intervals: [Double] = []
    /// The intervals of the last minute, oldest first.
    private var spans: [Span] = []
    private var last: (epoch: UTC?, at: Instant)?

    /// The number of intervals that are remembered, whatever their age.
    private static let memory = 8
    /// The length of a span in seconds, and the number of remembered spans: a minute in total. A receiver that has
    /// long silences twice a minute does so habitually.
    private static let span = (seconds: 10.0, remembered: 6)
    /// The longest interval in seconds that is a habit and not an outage, after eight shorter ones have followed it.
    private static let longestHabit = 30.0
    /// The number of intervals before the rhythm is known: the first are often those of a receiver that is just
    /// starting.
    private static let enough = 4
    /// Seconds of silence that are insignificant, however fast the receiver: the host, a USB hub or gpsd was busy.
    private static let least = 1.0
    /// Seconds of silence that are insignificant while the rhythm is unknown.
    private static let unknownLimit = 5.0
    /// Reports within this many seconds belong to one epoch or one backlog. Receivers do not exceed 25 Hz.
    private static let burst = 0.025

    /// Takes the time of a position report.
    mutating func heard(_ epoch: UTC?, at instant: Instant) {
        guard let last else {
            last = (epoch, instant)
            return
        }
        let interval = instant.seconds(since: last.at)
        guard epoch == nil || epoch != last.epoch else { return }
        guard interval > Rhythm.burst else {
            // The next interval counts from the first of them.
            self.last?.epoch = epoch
            return
        }
        self.last = (epoch, instant)
        intervals.append(interval)
        if intervals.count > Rhythm.memory { intervals.removeFirst() }
        if interval <= Rhythm.longestHabit { remember(interval, at: instant) }
    }

    private mutating func remember(_ interval: Double, at instant: Instant) {
        spans.removeAll { instant.seconds(since: $0.since) > Rhythm.span.seconds * Double(Rhythm.span.remembered) }
        if spans.last.map({ instant.seconds(since: $0.since) >= Rhythm.span.seconds }) ?? true {
            spans.append(Span(since: instant))
        }
        spans[spans.count - 1].take(interval)
    }

    /// Seconds between epochs, rather too long: the second longest of the last eight intervals, or of the last
    /// minute's. So one gap has no effect, and a new, slower rhythm is known from its second interval on. Nil until
    /// it is known.
    var cycle: Double? {
        guard intervals.count >= Rhythm.enough else { return nil }
        return max(intervals.sorted()[intervals.count - 2], habit)
    }

    /// The second longest interval of the last minute; 0 if there were fewer than two.
    private var habit: Double {
        var minute = Span(since: Instant(nanoseconds: 0))
        for span in spans {
            minute.take(span.longest)
            minute.take(span.second)
        }
        return minute.second
    }

    /// Seconds of silence after which the receiver has missed two cycles.
    var silence: Double {
        if let cycle { return max(Rhythm.least, 2 * cycle) }
        return max(Rhythm.unknownLimit, 2 * (intervals.max() ?? 0))
    }
}
