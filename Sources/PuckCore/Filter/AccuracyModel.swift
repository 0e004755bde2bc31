/// The possible error: a 95 % radius. A receiver's own error estimate has no reliable scale.
///
/// Most of a receiver's error is slow (0.98 of it remains after a second), so no filter sees it. The radius starts
/// with the usual size of such errors, and adds the errors that the filter has seen for this receiver.
struct AccuracyModel: Hashable, Sendable {
    /// Constants.
    struct Parameters: Hashable, Sendable {
        /// 95 % radius of the slow error of consumer receivers without an estimate of it, m: orbits, clocks, air, and
        /// reflections. (measured: 1 to 14 by receiver; gpsd assumes 10 to 19 for a usual HDOP)
        var usual = 10.0
        /// The same for receivers that do not measure velocity either: these are old ones. (measured: 10 to 140,
        /// median 20; steps and scatter are added)
        var usualUnaided = 17.0
        /// A receiver's own figure is believed only so far: at this many times it … (measured: 0.3 to 2 if it is small)
        var distrust = 1.9
        /// … but never under this, m, unless carrier phases are fixed.
        var least = 3.0
        /// Under a sky worse than usual errors grow faster than that figure does: by this further power of the ratio … (measured)
        var skyPower = 1.0
        /// … up to this ratio.
        var worst = 4.0
        /// Radius at 95 % of a two-dimensional normal distribution, in standard deviations along an axis. (√(−2 ln 0.05))
        var radiusPerDeviation = 2.448
        /// What seconds of fixes together differ from the estimate counts this many times. (measured)
        var slow = 2.5
        /// And no more than this many times the error of forecasts.
        var slowLimit = 5.0
        /// Weight of the estimate's wander at a standstill. (1.7 for a normal distribution; measured)
        var stray = 2.5
        /// Without fixes, on the move: 95 % of what turning and braking come to grow by half of this × t², m/s² …
        var turning = 1.5
        /// … but by no more than this many times the speed × t: it may turn back at most.
        var reversal = 2.0
        /// A speed that may be unnoticed, m/s.
        var unseenSpeed = 0.5
        /// Growth at a standstill, m/s: the receiver may have set off unnoticed.
        var stillGrowth = 0.3

        /// How far the receiver may have turned or braked away from the expected path, m, 95 %: after `t` seconds
        /// without fixes, starting at that speed, m/s.
        func wandering(for t: Double, speed: Double) -> Double {
            min(turning * t * t / 2, reversal * (speed + unseenSpeed) * t)
        }
    }

    private var parameters: Parameters
    private var floor: Double

    /// A model with the smallest radius that is ever shown, m.
    init(_ parameters: Parameters, floor: Double) {
        self.parameters = parameters
        self.floor = floor.isFinite ? max(0, floor) : 0
    }

    /// The known figures about a fix's error.
    struct Evidence: Hashable, Sendable {
        /// The receiver's own figure, 95 % radius, m.
        var accuracy: Double?
        /// That figure against its usual one.
        var ratio: Double
        /// Whether carrier phases are fixed.
        var isFixed: Bool
        /// Whether the receiver measures velocity.
        var hasVelocity: Bool
        /// Scatter of its fixes about their expected positions, along one axis, m.
        var scatter: Double
        /// Root mean square distance of the estimate from the mean of many seconds of fixes, m.
        var slowError: Double
        /// The size of recent leaps of its positions, m.
        var leap: Double
        /// Root mean square wander of the estimate at a standstill, m.
        var strayed: Double
        /// Root mean square error of forecasts of the next fix, m; nil before the first.
        var forecastError: Double?
        /// Seconds between its fixes.
        var cycle: Double
    }

    /// The radius, m, `age` seconds after a fix, with that speed at the fix, m/s; nil at a standstill. The shown
    /// position is `hidden` m from the estimate.
    func radius(_ evidence: Evidence, age: Double, speed: Double?, hidden: Double) -> Double {
        let slow = systematic(evidence)
        let seen = parameters.radiusPerDeviation * evidence.scatter
        // If the receiver's velocity is wrong, many seconds of it show nothing.
        let credible = parameters.slowLimit * (evidence.forecastError ?? 0)
        let drift = parameters.slow * min(evidence.slowError, credible)
        let grown = growth(evidence, age: max(0, age), speed: speed)
        let stray = parameters.stray * evidence.strayed
        let learnt = seen * seen + drift * drift + stray * stray + evidence.leap * evidence.leap
        let squares = slow * slow + learnt + grown * grown
        return max(floor, squares.squareRoot() + hidden)
    }

    private func systematic(_ evidence: Evidence) -> Double {
        guard let accuracy = evidence.accuracy else {
            return evidence.hasVelocity ? parameters.usual : parameters.usualUnaided
        }
        if evidence.isFixed { return accuracy }
        let believed = max(parameters.least, min(parameters.distrust * accuracy, parameters.usual), accuracy)
        guard evidence.ratio > 1 else { return believed }
        return believed * pow(min(parameters.worst, evidence.ratio), parameters.skyPower)
    }

    /// Until the next fix is due, the known error of forecasts applies; after that, the receiver may have turned or
    /// braked.
    private func growth(_ evidence: Evidence, age t: Double, speed: Double?) -> Double {
        let isDue = t > 1.2 * evidence.cycle
        guard let speed else { return isDue ? parameters.stillGrowth * t : 0 }
        let free = parameters.wandering(for: t, speed: speed)
        guard !isDue, let error = evidence.forecastError else { return free }
        return min(free, parameters.radiusPerDeviation / 2.0.squareRoot() * error * t / evidence.cycle)
    }
}
