/// How far a receiver's positions scatter about the prediction, learnt from the innovations themselves: what a receiver
/// says of its own error has no usable scale, from 0.23 to 7 times the truth by receiver.
struct PositionNoise: Hashable, Sendable {
    /// Its constants.
    struct Parameters: Hashable, Sendable {
        /// The scatter is a running mean over this many seconds. (measured)
        var memory = 30.0
        /// Scatter taken at the start, m².
        var initialVariance = 1.0
        /// Positions are believed this much less than their scatter says, since errors of one receiver hang together
        /// over seconds (0.98 after 1 s). (measured)
        var inflation = 1.5
        /// The same where only positions are measured: there they are all there is. (measured)
        var inflationUnaided = 0.15
        /// Least standard deviation, m, where velocity is measured.
        var floor = 0.15
        /// Least standard deviation, m, where only positions are.
        var floorUnaided = 0.4
        /// A squared innovation counts for no more than this, m², so that one wild fix does not open the gate to others.
        var innovationLimit = 400.0
        /// Share at which a refused fix counts towards the scatter: a place that gets worse must be noticed.
        var refusedShare = 0.02
        /// Largest variance, m².
        var largestVariance = 900.0
    }

    private var parameters: Parameters
    /// Scatter along one axis beyond what the prediction's own uncertainty explains, m².
    private(set) var variance: Double

    init(_ parameters: Parameters) {
        self.parameters = parameters
        variance = parameters.initialVariance
    }

    /// Standard deviation of the scatter along one axis, m.
    var deviation: Double { variance.squareRoot() }

    /// The variance along one axis, m², at which the next position is believed.
    func believed(unaided: Bool) -> Double {
        let floor = unaided ? parameters.floorUnaided : parameters.floor
        let inflation = unaided ? parameters.inflationUnaided : parameters.inflation
        return max(floor * floor, inflation * variance)
    }

    /// Learns from a fix that was taken: its squared innovation in the plane, m², the variance of the prediction along
    /// one axis, m², and the seconds since the fix before.
    mutating func learn(squaredInnovation: Double, predicted: Double, interval: Double) {
        let sample = max(0, min(squaredInnovation, parameters.innovationLimit) / 2 - predicted)
        variance += share(interval) * (sample - variance)
    }

    /// Learns from a fix that was left out.
    mutating func learnRefused(squaredInnovation: Double, interval: Double) {
        let sample = parameters.refusedShare * min(squaredInnovation, parameters.innovationLimit)
        variance = min(parameters.largestVariance, variance + share(interval) * sample)
    }

    private func share(_ interval: Double) -> Double { 1 - exp(-interval / parameters.memory) }
}
