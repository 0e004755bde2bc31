/// Keeps the fixes of one receiver in the order of its own time.
///
/// A small step back is a straggler (some receivers give a computed fix at once and the measured one of the same time
/// later) and is left out. A receiver whose clock was set back goes on from there: after a few epochs in a row of the
/// new time, with none of the old between them, it is taken, so that nothing freezes.
struct FixTimeline: Hashable, Sendable {
    /// Epochs in a row that make a new timeline.
    private static let enough = 3

    enum Verdict: Hashable, Sendable {
        /// Next on the timeline.
        case next
        /// First of a new timeline: the receiver's clock was set back.
        case restarted
        /// Left out.
        case refused(RefusalReason)
    }

    private var last: UTC?
    private var candidate: UTC?
    private var agreeing = 0

    /// Judges an epoch by its time, and takes it where it fits.
    mutating func place(_ time: UTC) -> Verdict {
        guard let last else {
            self.last = time
            return .next
        }
        let ahead = time.seconds(since: last)
        guard ahead <= EpochAssembler.sameEpoch else {
            self.last = time
            candidate = nil
            agreeing = 0
            return .next
        }
        if let candidate, time.seconds(since: candidate) > EpochAssembler.sameEpoch {
            agreeing += 1
        } else if candidate != time {
            agreeing = 1
        }
        candidate = time
        guard ahead < -EpochAssembler.sameEpoch else { return .refused(.repeated) }
        guard agreeing >= Self.enough else { return .refused(.backwards) }
        self.last = time
        candidate = nil
        agreeing = 0
        return .restarted
    }
}
