/// How far the truth may be: a 95 % radius that is honest, since what a receiver says of its error has no scale.
///
/// Most of a receiver's error is slow (0.98 of it is still there after a second), so no filter sees it: the radius begins
/// with what such errors usually come to, and adds what the filter does see.
struct AccuracyModel: Hashable, Sendable {
    /// Its constants.
    struct Parameters: Hashable, Sendable {
        /// 95 % radius of the slow error of consumer receivers that tell nothing of it, m: orbits, clocks, air, and
        /// reflections. (measured: 1 to 14 by receiver; gpsd reckons 10 to 19 for a usual HDOP)
        var usual = 10.0
        /// The same where it tells no velocity either: such receivers are old ones. (measured: 10 to 140, 20 in the middle)
        var usualUnaided = 20.0
        /// A receiver's own figure is believed only so far: at this many times it … (measured: 0.3 to 2 where it is small)
        var distrust = 1.9
        /// … but never under this, m, unless carrier phases are fixed.
        var least = 2.0
        /// The least with fixed carrier phases, m.
        var leastFixed = 0.1
        /// Under a sky worse than usual errors grow faster than that figure does: by this further power of the ratio … (measured)
        var skyPower = 1.0
        /// … up to this ratio.
        var worst = 4.0
        /// Radius at 95 % of a two-dimensional normal distribution, in standard deviations along an axis. (√(−2 ln 0.05))
        var radiusPerDeviation = 2.448
        /// Without fixes, on the move: 95 % of what turning and braking come to grow by half of this × t², m/s² …
        var turning = 1.5
        /// … but by no more than this many times the speed × t: it may turn back at most.
        var reversal = 2.0
        /// A speed that may be there unseen, m/s.
        var unseenSpeed = 0.5
        /// Growth while standing still, m/s: it may have set off unseen.
        var stillGrowth = 0.3
    }

    private var parameters: Parameters
    private var floor: Double

    /// With the least radius ever told, m.
    init(_ parameters: Parameters, floor: Double) {
        self.parameters = parameters
        self.floor = floor.isFinite ? max(0, floor) : 0
    }

    /// What is known of a fix's slow error.
    struct Sky: Hashable, Sendable {
        /// The receiver's own figure, m.
        var accuracy: Double?
        /// That figure against its usual one.
        var ratio: Double
        /// Whether carrier phases are fixed.
        var isFixed: Bool
        /// Whether the receiver measures velocity.
        var hasVelocity: Bool
        /// How far its positions leapt lately, m.
        var leap: Double
    }

    /// The radius, m, `age` seconds after a fix, for the variance of the estimate and the scatter of fixes along an axis
    /// (both m²), and the speed then, m/s; nil while standing still.
    func radius(sky: Sky, variance: Double, scatter: Double, age: Double, speed: Double?) -> Double {
        let slow = systematic(sky)
        let seen = parameters.radiusPerDeviation * parameters.radiusPerDeviation * (variance + scatter)
        let grown = growth(age: max(0, age), speed: speed)
        return max(floor, (slow * slow + sky.leap * sky.leap + seen + grown * grown).squareRoot())
    }

    private func systematic(_ sky: Sky) -> Double {
        guard let accuracy = sky.accuracy else {
            return sky.hasVelocity ? parameters.usual : parameters.usualUnaided
        }
        let least = sky.isFixed ? parameters.leastFixed : parameters.least
        let believed = max(least, min(parameters.distrust * accuracy, parameters.usual), accuracy)
        guard sky.ratio > 1 else { return believed }
        return believed * pow(min(parameters.worst, sky.ratio), parameters.skyPower)
    }

    private func growth(age t: Double, speed: Double?) -> Double {
        guard let speed else { return parameters.stillGrowth * t }
        return min(parameters.turning * t * t / 2, parameters.reversal * (speed + parameters.unseenSpeed) * t)
    }
}
