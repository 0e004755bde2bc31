/// Keeps the fixes of one receiver in the order of its own time.
///
/// A small step back is a straggler (some receivers give a computed fix at once and the measured one of the same time
/// later) and is left out. A date far off is taken apart from it: the place is the receiver's, the time is not. And a
/// receiver whose clock was set goes on from there: when the host's clock confirms it, or after a few epochs in a row of
/// the new time with none of the old between them, so that nothing freezes. (P10)
///
/// Whole GPS eras are no difference: a receiver that learns of another era, or forgets it, goes on as before.
struct FixTimeline: Hashable, Sendable {
    /// Epochs in a row that make a new timeline.
    private static let enough = 3
    /// A time further ahead than this, in seconds, of what has elapsed is a jump and not a gap; one further back is no
    /// straggler.
    private static let jump = 3_600.0
    /// How near to each other two clocks are that confirm one another, seconds.
    private static let agreement = 60.0

    /// What comes later than this, in seconds, is not merely late: the receiver's clock was set.
    private static let lateness = 0.5

    enum Verdict: Hashable, Sendable {
        /// Next on the timeline, with its time there.
        case next(UTC)
        /// First of a new timeline, with its time there: the receiver's clock was set.
        case restarted(UTC)
        /// Off the timeline: its time says nothing.
        case apart
        /// Left out.
        case refused(RefusalReason)
    }

    private struct Entry: Hashable, Sendable {
        let time: UTC
        let arrival: Moment

        /// Whether the host's clock says the same.
        var isConfirmed: Bool {
            ReceiverDate.canBeOrdered(arrival.utc)
                && abs(ReceiverDate.seconds(from: arrival.utc, to: time)) <= agreement
        }
        /// Whether as much time has passed by the receiver's clock as by the host's since an entry before.
        func goesOn(from earlier: Entry) -> Bool {
            let elapsed = arrival.monotonic.seconds(since: earlier.arrival.monotonic)
            return abs(time.seconds(since: earlier.time) - elapsed) <= lateness
        }
    }

    private var last: Entry?
    private var candidate: Entry?
    private var agreeing = 0

    /// Judges an epoch by its time, which can be ordered by, and takes it where it fits.
    mutating func place(_ time: UTC, arrival: Moment) -> Verdict {
        guard let last else {
            learn(from: Entry(time: time, arrival: arrival))
            return .next(time)
        }
        let entry = Entry(time: Self.inEra(of: last.time, time), arrival: arrival)
        let ahead = entry.time.seconds(since: last.time)
        let elapsed = arrival.monotonic.seconds(since: last.arrival.monotonic)
        if ahead > EpochAssembler.sameEpoch, ahead <= elapsed + Self.jump || entry.isConfirmed {
            // Back by less than it then went on: now it is past the last fix, but by the new time.
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

    /// A time, moved by whole eras to where it is nearest to another.
    private static func inEra(of other: UTC, _ time: UTC) -> UTC {
        let near = other.nanoseconds + ReceiverDate.withoutEras(time.nanoseconds - other.nanoseconds)
        // Times of a receiver that runs through era after era stay where they can be reckoned with.
        return ReceiverDate.canBeOrdered(UTC(nanoseconds: near)) ? UTC(nanoseconds: near) : time
    }

    private mutating func learn(from entry: Entry) {
        last = entry
        candidate = nil
        agreeing = 0
    }

    /// Counts the epochs in a row that go on from each other, off the timeline. False where it is the last one again.
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
