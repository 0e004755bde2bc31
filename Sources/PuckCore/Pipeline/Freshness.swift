/// The maximum age of a location, and its state at each age.
///
/// A fix is `live` until the receiver has been silent for longer than usual (`ArrivalRhythm`: two cycles for a
/// regular receiver). Then it is extrapolated as `predicted` for a limited time, then held as `stale`, then removed.
/// So an old position is never shown as a new one, and no position is shown for ever.
public struct Freshness: Hashable, Sendable {
    /// Seconds between fixes, until the receiver's own cycle is known.
    public static let assumedCycle = 1.0
    /// Cycles for which a regular receiver's fix is live.
    static let liveCycles = 2.0

    /// Seconds for which a position is extrapolated after it was live; 0 or more.
    public var predictFor: Double
    /// Seconds after the fix at which a position is removed; more than zero.
    public var loseAfter: Double

    /// Both in seconds. The defaults suit vehicles: ten seconds of dead reckoning err by some tens of metres at most.
    public init(predictFor: Double = 10, loseAfter: Double = 300) {
        self.predictFor = predictFor
        self.loseAfter = loseAfter
    }

    /// The age in seconds up to which a position is predicted, and at which it is held from then on. `live`: the age
    /// up to which its fix is live.
    func predictedUntil(live: Double) -> Double { live + predictFor }

    /// The state of a position whose fix has this age, in seconds; nil: removed. `live`: the age up to which the fix
    /// is live. A negative age counts as zero.
    func state(age: Double, live: Double) -> PuckState? {
        guard age < max(loseAfter, live) else { return nil }
        if age < live { return .live }
        return age < predictedUntil(live: live) ? .predicted : .stale
    }

    /// The age at which the state next changes, after `age`; nil once the position is removed.
    func nextChange(after age: Double, live: Double) -> Double? {
        let gone = max(loseAfter, live)
        return [live, min(predictedUntil(live: live), gone), gone].first { $0 > age }
    }
}
