import PuckCore

// When a stream rests: its ticks are then not waited for. Everything shown is a function of time between two events, so
// that whether anything will change is seen by looking ahead, and takes no waiting.
extension Hub {
    /// Whether what a stream shows at a tick is what it will show until the next fix is due.
    func isSettled(_ key: StreamKey, showing content: FrameContent, at moment: Moment) -> Bool {
        // The next fix is overdue: nothing would come to show how the accuracy goes on growing.
        guard content.puck?.state != .predicted else { return false }
        return preview(of: key, at: moment.advanced(by: outlook(of: key.tier, at: moment))).looksLike(content)
    }

    /// Whether a stream that rests may go on doing so, whatever has just happened: at the next tick, and until the next fix
    /// is due, it shows what it shows.
    func goesOnResting(_ key: StreamKey, at moment: Moment) -> Bool {
        guard let ticker = TickerKey(key), let stream = streams[key], stream.isResting, let shown = stream.shown,
            stream.jumps == jumps(of: key.tier)
        else { return false }
        let soon = preview(of: key, at: TickGrid(rate: ticker.rate).next(from: moment))
        return !soon.isAnimating && soon.looksLike(shown) && isSettled(key, showing: shown, at: moment)
    }

    /// How far ahead to look, seconds: the receiver's usual silence, or until just before the clock changes something by
    /// itself, if that is later. What approximate clients get depends on nothing of the receiver's.
    private func outlook(of tier: AccuracyMode, at moment: Moment) -> Double {
        guard tier == .precise else { return Freshness.assumedCycle }
        let quiet = positioning.deadline.map { $0.seconds(since: moment.monotonic) - Self.justBefore } ?? 0
        return max(positioning.usualSilence ?? Freshness.assumedCycle, min(quiet, Self.longestOutlook))
    }

    /// Seconds.
    private static let justBefore = 0.001
    private static let longestOutlook = 10.0

    /// What a stream will show at a later moment if nothing happens before.
    private func preview(of key: StreamKey, at moment: Moment) -> FrameContent {
        var snapshot = Snapshot(moment: moment, frameInterval: key.rate.frameInterval)
        var content = FrameContent(puck: puck(of: key, in: &snapshot))
        if let wanted = key.wanted, var view = views[key.view] {
            content.show(view.scene(at: moment.monotonic, wanted, pucks: pucks(in: &snapshot)))
        }
        return content
    }
}
