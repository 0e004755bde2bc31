import PuckCore

// Decides when a stream rests, so that the server does not wake up for its ticks. Between two events, everything shown is
// a function of time, so the hub computes in advance whether anything will change.
extension Hub {
    /// Whether a stream will show the same from this tick until the next fix is due.
    func isSettled(_ key: StreamKey, showing content: FrameContent, at moment: Moment) -> Bool {
        // The next fix is overdue: without ticks, nothing would show the growing accuracy radius.
        guard content.puck?.state != .predicted else { return false }
        return preview(of: key, at: moment.advanced(by: outlook(of: key.tier, at: moment))).looksLike(content)
    }

    /// Whether a stream at rest may keep resting after an event: at the next tick, and until the next fix is due, it shows
    /// the same as now.
    func goesOnResting(_ key: StreamKey, at moment: Moment) -> Bool {
        guard let ticker = TickerKey(key), let stream = streams[key], stream.isResting, let shown = stream.shown,
            stream.jumps == jumps(of: key.tier)
        else { return false }
        let soon = preview(of: key, at: TickGrid(rate: ticker.rate).next(from: moment))
        return !soon.isAnimating && soon.looksLike(shown) && isSettled(key, showing: shown, at: moment)
    }

    /// How far to look ahead, seconds: the receiver's usual silence, or the time until just before the next change by time
    /// alone, if that is later. For approximate clients, the value does not depend on the receiver.
    private func outlook(of tier: AccuracyMode, at moment: Moment) -> Double {
        guard tier == .precise else { return Freshness.assumedCycle }
        let quiet = positioning.deadline.map { $0.seconds(since: moment.monotonic) - Self.justBefore } ?? 0
        return max(positioning.usualSilence ?? Freshness.assumedCycle, min(quiet, Self.longestOutlook))
    }

    /// Seconds.
    private static let justBefore = 0.001
    private static let longestOutlook = 10.0

    /// What a stream will show at a later moment if no event happens before.
    private func preview(of key: StreamKey, at moment: Moment) -> FrameContent {
        var snapshot = Snapshot(moment: moment, frameInterval: key.rate.frameInterval)
        var content = FrameContent(puck: puck(of: key, in: &snapshot))
        if let wanted = key.wanted, var view = views[key.view] {
            content.show(view.scene(at: moment.monotonic, wanted, pucks: pucks(in: &snapshot)))
        }
        return content
    }
}
