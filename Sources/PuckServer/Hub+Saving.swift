import PuckCore

// What comes of keeping state over a restart.
extension Hub {
    /// Takes what came of a save that `HubAction.save` asked for: each has one outcome, in the order of asking. `failure`
    /// says why `state` is not on the disk; nil: it is.
    public mutating func saved(_ state: KeptState, failure: String?, at moment: Moment) {
        if failure != nil { tallies.failedSaves += 1 }
    }
}
