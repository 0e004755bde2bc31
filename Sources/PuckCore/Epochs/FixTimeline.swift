/// Keeps the fixes of one receiver in the order of its own time.
///
/// A small step back is a late fix, which is refused (some receivers send a computed fix at once and the measured one
/// of the same time later). If a date is far off, the position is used but the time is not. If a receiver's clock was
/// set, the timeline continues with the new time: when the host's clock confirms it, or after a few successive epochs
/// of the new time without one of the old, so that nothing freezes. (P10)
///
/// Whole GPS eras make no difference: a receiver that learns another era, or forgets it, continues as before.
struct FixTimeline: Hashable, Sendable {
    /// Successive epochs that start a new timeline.
    private static let enough = 3
    /// A time that is further ahead of the elapsed time than this, in seconds, is a jump and not a gap; one further
    /// back is not a late fix.
    private static let jump = 3_600.0
    /// The maximum difference of two clocks that confirm each other, seconds.
    private static let agreement = 60.0

    /// If a fix is later than this, in seconds, it is not merely late: the receiver's clock was set.
    private static let lateness = 0.5

    enum Verdict: Hashable, Sendable {
        /// The next one on the timeline, with its time there.
        case next(UTC)
        /// The first one of a new timeline, with its time there: the receiver's clock was set.
        case restarted(UTC)
        /// Not on the timeline: its time is unusable.
        case apart
        /// Refused.
        case refused(RefusalReason)
    }

    private struct Entry: Hashable, Sendable {
        let time: UTC
        let arrival: Moment

        /// Whether the host's clock confirms it.
        var isConfirmed: Bool {
            ReceiverDate.canBeOrdered(arrival.utc)
                && abs(ReceiverDate.seconds(from: arrival.utc, to: time)) <= agreement
        }
        /// Whether the receiver's clock and the host's have advanced equally since an earlier entry.
        func goesOn(from earlier: Entry) -> Bool {
            let elapsed = arrival.monotonic.seconds(since: earlier.arrival.monotonic)
            return abs(time.seconds(since: earlier.time) - elapsed) <= lateness
        }
    }

    private var last: Entry?
    private var candidate: Entry?
    private var agreeing = 0

    /// Checks the time of an epoch, which must be sortable, and adds the epoch to the timeline if it fits.
    mutating func place(_ time: UTC, arrival: Moment) -> Verdict {
        guard let last else {
            learn(from: Entry(time: time, arrival: arrival))
            return .next(time)
        }
        let entry = Entry(time: Self.inEra(of: last.time, time), arrival: arrival)
        let ahead = entry.time.seconds(since: last.time)
        let elapsed = arrival.monotonic.seconds(since: last.arrival.monotonic)
        if ahead > EpochAssembler.sameEpoch, ahead <= elapsed + Self.jump || entry.isConfirmed {
            // The time stepped back and then advanced further: it is now past the last fix, but in the new time.
            let isNewTime = candidate.map { entry.goesOn(from: $0) && !entry.goesOn(from: last) } ?? false
            learn(from: entry)
            return isNewTime ? .restarted(entry.time) : .next(entry.time)
        }
        let isRepeated = !consider(entry)
        guard !isRepeated, abs(ahead) > EpochAssembler.sameEpoch else { return .refused(.repeated) }
        guard agreeing >= Self.enough || (entry.isConfirmed && !last.isConfirmed) else {
            return abs(ahead) > Self.jump ? .apart : .refused(.backwards)
        }
        learn(from: entry)
        return .restarted(entry.time)
    }

    /// A time, shifted by whole eras to be nearest to another.
    private static func inEra(of other: UTC, _ time: UTC) -> UTC {
        let near = other.nanoseconds + ReceiverDate.withoutEras(time.nanoseconds - other.nanoseconds)
        // The times of a receiver that runs through era after era stay in the supported range.
        return ReceiverDate.canBeOrdered(UTC(nanoseconds: near)) ? UTC(nanoseconds: near) : time
    }

    private mutating func learn(from entry: Entry) {
        last = entry
        candidate = nil
        agreeing = 0
    }

    /// Counts successive epochs off the timeline that follow each other. False if the epoch repeats the last one.
    private mutating func consider(_ entry: Entry) -> Bool {
        if let candidate {
            let ahead = entry.time.seconds(since: candidate.time)
            let elapsed = entry.arrival.monotonic.seconds(since: candidate.arrival.monotonic)
            guard abs(ahead) > EpochAssembler.sameEpoch else { return false }
            agreeing = ahead > 0 && ahead <= elapsed + Self.agreement ? agreeing + 1 : 1
        } else {
            agreeing = 1
        }
        candidate = entry
        return true
    }
}
