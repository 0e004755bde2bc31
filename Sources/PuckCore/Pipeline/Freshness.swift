/// How old a location may be, and what it is then called.
///
/// A fix is `live` until the receiver has been silent for longer than it usually is (`ArrivalRhythm`: of a regular receiver
/// for two cycles), then carried forward as `predicted` for a bounded time, then held as `stale`, then gone: an old position
/// is never shown as a new one, and none for ever.
public struct Freshness: Hashable, Sendable {
    /// Seconds between fixes before the receiver has shown its own.
    public static let assumedCycle = 1.0
    /// Cycles for which a regular receiver's fix is live.
    static let liveCycles = 2.0

    /// Seconds for which a position is carried forward once it is no more live; 0 or more.
    public var predictFor: Double
    /// Seconds after which a position is gone, reckoned from the fix; more than zero.
    public var loseAfter: Double

    /// Both in seconds. The defaults suit vehicles: ten seconds of dead reckoning stay within some tens of metres.
    public init(predictFor: Double = 10, loseAfter: Double = 300) {
        self.predictFor = predictFor
        self.loseAfter = loseAfter
    }

    /// Age in seconds up to which a position is predicted, and at which it is held from then on, of a fix that is live up
    /// to the age `live`.
    func predictedUntil(live: Double) -> Double { live + predictFor }

    /// What a position is called from a fix of this age that is live up to the age `live`; nil: gone. Seconds. A negative
    /// age counts as none.
    func state(age: Double, live: Double) -> PuckState? {
        guard age < max(loseAfter, live) else { return nil }
        if age < live { return .live }
        return age < predictedUntil(live: live) ? .predicted : .stale
    }

    /// The age at which the state next changes, after `age`; nil once it is gone.
    func nextChange(after age: Double, live: Double) -> Double? {
        let gone = max(loseAfter, live)
        return [live, min(predictedUntil(live: live), gone), gone].first { $0 > age }
    }
}
