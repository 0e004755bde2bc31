/// Where it stands, while it stands still: a running mean of the fixes, shown with a dead band so that it rests.
struct ParkingAnchor: Hashable, Sendable {
    /// Its constants.
    struct Parameters: Hashable, Sendable {
        /// A running mean of all fixes since the stop, but of no more than this many seconds.
        var memory = 120.0
        /// The place at the stop counts as this many seconds of fixes.
        var initialWeight = 4.0
        /// A fix counts no further than this, m, or than its own accuracy.
        var reach = 3.0
        /// What is shown follows when the mean is this far from it, m.
        var deadBand = 0.3
        /// A short mean that tells a receiver that settles: its seconds.
        var shortMemory = 4.0
        /// Where the short mean is this far from the long, m, the long starts over.
        var settleDistance = 4.0
    }

    private var parameters: Parameters
    private var weight: Double
    private var mean: PlaneVector
    private var short: PlaneVector
    /// Where it is shown, m from the plane's origin.
    private(set) var shown: PlaneVector

    init(at place: PlaneVector, _ parameters: Parameters) {
        self.parameters = parameters
        weight = parameters.initialWeight
        mean = place
        short = place
        shown = place
    }

    /// The running mean, m from the plane's origin.
    var place: PlaneVector { mean }

    /// Takes a fix, `interval` seconds after the one before; `accuracy` as the receiver says, m.
    mutating func update(_ position: PlaneVector, accuracy: Double, interval: Double) {
        weight = min(weight + interval, parameters.memory)
        let offset = position - mean
        let distance = offset.length
        let reach = max(parameters.reach, accuracy)
        let share = min(1, interval / weight) * (distance > reach ? reach / distance : 1)
        mean += share * offset
        short += (1 - exp(-interval / parameters.shortMemory)) * (position - short)
        if (short - mean).length > max(parameters.settleDistance, accuracy) {
            mean = short
            weight = parameters.initialWeight
        }
        let lag = mean - shown
        let far = lag.length
        if far > parameters.deadBand { shown += ((far - parameters.deadBand) / far) * lag }
    }

    /// Moves with the plane's origin.
    mutating func translate(by shift: PlaneVector) {
        mean += shift
        short += shift
        shown += shift
    }
}
