/// A contest of rivals that forecast the next outcome: the better a rival forecasts, the greater its weight.
///
/// Each rival has a mean square of its recent forecast errors; its weight is that mean to a negative power. The power
/// is high, so a rival that is a few per cent worse has almost no weight, and equal rivals share.
struct ForecastContest: Hashable, Sendable {
    /// Constants.
    struct Parameters: Hashable, Sendable {
        /// Time constant, s, with which forecast errors are forgotten.
        var memory: Double
        /// A weight is the mean square error to the power of minus this.
        var power: Double
        /// An error counts as at most this many times the best rival's mean square, so that one large error decides
        /// nothing.
        var clip = 16.0
    }

    /// Mean square error, m², below which rivals are equal: a centimetre decides nothing.
    private static let leastError = 1e-4
    /// Added to the best mean square error, m², so that errors of an exact receiver are not cut off completely.
    private static let leastBest = 0.0025

    private let parameters: Parameters
    /// Discounted sums of squared error × seconds, by rival.
    private var sums: [Double]
    /// By rival; the sum is 1.
    private(set) var weights: [Double]
    /// Discounted seconds of the outcomes so far, at most the memory.
    private(set) var experience = 0.0
    /// Discounted number of outcomes so far, each at most one.
    private var outcomes = 0.0
    /// The smallest mean square forecast error of any rival, m².
    private(set) var best: Double

    /// A contest with that many rivals, led by the first. `best` is the mean square error, m², that a good rival is
    /// expected to have.
    init(rivals: Int, expected best: Double, _ parameters: Parameters) {
        self.parameters = parameters
        self.best = best
        sums = [Double](repeating: 0, count: rivals)
        weights = [Double](repeating: 0, count: rivals)
        weights[0] = 1
    }

    /// Updates each rival with its squared forecast error, m², over `interval` seconds. `doubt` is the receiver's
    /// error estimate of the outcome as a multiple of its usual one: the greater it is, the less the outcome counts.
    mutating func judge(interval: Double, doubt: Double, squaredError: (Int) -> Double) {
        let left = exp(-interval / parameters.memory)
        let counted = interval * min(1, 1 / (doubt * doubt))
        guard counted > 0 else { return }
        experience = left * experience + counted
        outcomes = left * outcomes + 1
        let most = parameters.clip * best
        var least = Double.infinity
        for rival in sums.indices {
            sums[rival] = left * sums[rival] + counted * min(squaredError(rival), most)
            least = min(least, sums[rival])
        }
        best = least / experience + Self.leastBest
    }

    /// Computes the weights. `advantage` is the logarithm of a rival's initial advantage.
    mutating func weigh(advantage: (Int) -> Double) {
        // No more than the outcomes bear: so many Gaussian errors of a plane say as much. (the likelihood's own power)
        let power = min(parameters.power * min(1, experience / parameters.memory), outcomes)
        var top = -Double.infinity
        for rival in weights.indices {
            let forecast = experience > 0 ? -power * log(sums[rival] / experience + Self.leastError) : 0
            weights[rival] = forecast + advantage(rival)
            top = max(top, weights[rival])
        }
        var total = 0.0
        for rival in weights.indices {
            weights[rival] = exp(weights[rival] - top)
            total += weights[rival]
        }
        for rival in weights.indices { weights[rival] /= total }
    }
}
