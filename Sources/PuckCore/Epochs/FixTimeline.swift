/// Keeps the fixes of one receiver in the order of its own time.
///
/// A small step back is a straggler (some receivers give a computed fix at once and the measured one of the same time
/// later) and is left out; so is a date far ahead. But a receiver whose clock was set goes on from there: when the
/// host's clock confirms it, or after a few epochs in a row of the new time with none of the old between them, it is
/// taken, so that nothing freezes. (P10)
struct FixTimeline: Hashable, Sendable {
    /// Epochs in a row that make a new timeline.
    private static let enough = 3
    /// A time further ahead than this, in seconds, of what has elapsed is a jump and not a gap.
    private static let jump = 3_600.0
    /// How near to each other two clocks are that confirm one another, seconds.
    private static let agreement = 60.0

    /// What comes later than this, in seconds, is not merely late: the receiver's clock was set.
    private static let lateness = 0.5

    enum Verdict: Hashable, Sendable {
        /// Next on the timeline.
        case next
        /// First of a new timeline: the receiver's clock was set.
        case restarted
        /// Left out.
        case refused(RefusalReason)
    }

    private struct Entry: Hashable, Sendable {
        let time: UTC
        let arrival: Moment

        /// Whether the host's clock says the same.
        var isConfirmed: Bool { abs(time.seconds(since: arrival.utc)) <= agreement }
        /// Whether as much time has passed by the receiver's clock as by the host's since an entry before.
        func goesOn(from earlier: Entry) -> Bool {
            let elapsed = arrival.monotonic.seconds(since: earlier.arrival.monotonic)
            return abs(time.seconds(since: earlier.time) - elapsed) <= lateness
        }
    }

    private var last: Entry?
    private var candidate: Entry?
    private var agreeing = 0

    /// Judges an epoch by its time, and takes it where it fits.
    mutating func place(_ time: UTC, arrival: Moment) -> Verdict {
        let entry = Entry(time: time, arrival: arrival)
        guard let last else {
            take(entry)
            return .next
        }
        let ahead = time.seconds(since: last.time)
        let elapsed = arrival.monotonic.seconds(since: last.arrival.monotonic)
        if ahead > EpochAssembler.sameEpoch, ahead <= elapsed + Self.jump || entry.isConfirmed {
            // Back by less than it then went on: now it is past the last fix, but by the new time.
            let isNewTime = candidate.map { entry.goesOn(from: $0) && !entry.goesOn(from: last) } ?? false
            take(entry)
            return isNewTime ? .restarted : .next
        }
        consider(entry)
        guard abs(ahead) > EpochAssembler.sameEpoch else { return .refused(.repeated) }
        guard agreeing >= Self.enough || (entry.isConfirmed && !last.isConfirmed) else {
            return .refused(ahead < 0 ? .backwards : .implausibleDate)
        }
        take(entry)
        return .restarted
    }

    private mutating func take(_ entry: Entry) {
        last = entry
        candidate = nil
        agreeing = 0
    }

    /// Counts the epochs in a row that go on from each other, off the timeline.
    private mutating func consider(_ entry: Entry) {
        if let candidate {
            let ahead = entry.time.seconds(since: candidate.time)
            let elapsed = entry.arrival.monotonic.seconds(since: candidate.arrival.monotonic)
            guard abs(ahead) > EpochAssembler.sameEpoch else { return }
            agreeing = ahead > 0 && ahead <= elapsed + Self.agreement ? agreeing + 1 : 1
        } else {
            agreeing = 1
        }
        candidate = entry
    }
}
