/// How old a location may be, and what it is then called.
///
/// A fix is `live` for two cycles of the receiver, then carried forward as `predicted` for a bounded time, then held as
/// `stale`, then gone: an old position is never shown as a new one, and none for ever.
public struct Freshness: Hashable, Sendable {
    /// Seconds between fixes that is assumed before the receiver has shown its own.
    public static let assumedCycle = 1.0
    /// Cycles for which a fix is live.
    public static let liveCycles = 2.0

    /// Seconds for which a position is carried forward once it is no more live; 0 or more.
    public var predictFor: Double
    /// Seconds after which a position is gone, reckoned from the fix; more than zero.
    public var loseAfter: Double

    /// Both in seconds. The defaults suit vehicles: ten seconds of dead reckoning stay within some tens of metres.
    public init(predictFor: Double = 10, loseAfter: Double = 300) {
        self.predictFor = predictFor
        self.loseAfter = loseAfter
    }

    /// Age in seconds up to which a fix of a receiver with this cycle is live.
    public func liveUntil(cycle: Double?) -> Double { Self.liveCycles * (cycle ?? Self.assumedCycle) }

    /// Age in seconds up to which a position is predicted, and at which it is held from then on.
    public func predictedUntil(cycle: Double?) -> Double { liveUntil(cycle: cycle) + predictFor }

    /// What a position from a fix of this age is called; nil: gone. Seconds. A negative age counts as none.
    public func state(age: Double, cycle: Double?) -> PuckState? {
        guard age < max(loseAfter, liveUntil(cycle: cycle)) else { return nil }
        if age < liveUntil(cycle: cycle) { return .live }
        return age < predictedUntil(cycle: cycle) ? .predicted : .stale
    }

    /// The age at which the state next changes, after `age`; nil once it is gone.
    public func nextChange(after age: Double, cycle: Double?) -> Double? {
        let live = liveUntil(cycle: cycle)
        let gone = max(loseAfter, live)
        return [live, min(predictedUntil(cycle: cycle), gone), gone].first { $0 > age }
    }
}
