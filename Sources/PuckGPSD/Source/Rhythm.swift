import PuckCore

/// How often a receiver speaks, learnt from the epochs of its position reports, whatever their rate and however
/// uneven: nothing has to be configured, and what gpsd says of a cycle is its guess.
struct Rhythm: Sendable {
    private var intervals: [Double] = []
    private var last: (epoch: UTC?, at: Instant)?

    /// Intervals that are remembered.
    private static let memory = 8
    /// Intervals before the rhythm is known: the first are often those of a receiver that is just starting.
    private static let enough = 4
    /// Seconds of silence that mean nothing, however fast the receiver: a busy host, a USB hub, gpsd itself.
    private static let least = 1.0
    /// Seconds of silence that mean nothing while the rhythm is not known.
    private static let unknownLimit = 5.0
    /// Reports that come within this many seconds are of one epoch, or of one backlog: receivers do not go over 25 Hz.
    private static let burst = 0.025

    /// Takes note of a position report.
    mutating func heard(_ epoch: UTC?, at instant: Instant) {
        guard let last else {
            last = (epoch, instant)
            return
        }
        let interval = instant.seconds(since: last.at)
        guard epoch == nil || epoch != last.epoch else { return }
        guard interval > Rhythm.burst else {
            // The interval to the next one counts from the first of them.
            self.last?.epoch = epoch
            return
        }
        self.last = (epoch, instant)
        intervals.append(interval)
        if intervals.count > Rhythm.memory { intervals.removeFirst() }
    }

    /// Seconds between epochs, on the long side: the second longest of the last eight intervals, so that one gap does
    /// not count and a new rhythm does from its second interval on. Nil until it is known.
    var cycle: Double? {
        guard intervals.count >= Rhythm.enough else { return nil }
        return intervals.sorted()[intervals.count - 2]
    }

    /// Seconds of silence after which the receiver has missed two cycles.
    var silence: Double {
        if let cycle { return max(Rhythm.least, 2 * cycle) }
        return max(Rhythm.unknownLimit, 2 * (intervals.max() ?? 0))
    }
}
