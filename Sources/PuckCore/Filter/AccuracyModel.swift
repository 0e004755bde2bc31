/// How far the truth may be: a 95 % radius that is honest, since what a receiver says of its error has no scale.
struct AccuracyModel: Hashable, Sendable {
    /// Its constants.
    struct Parameters: Hashable, Sendable {
        /// 95 % radius of what no filter sees, m: the slow error that a receiver's fixes share (orbits, clocks, air).
        var systematic = 5.0
        /// Radius at 95 % of a two-dimensional normal distribution, in standard deviations along an axis. (√(−2 ln 0.05))
        var radiusPerDeviation = 2.448
        /// Share of the scatter that is taken for error of the place.
        var scatterShare = 1.0
        /// Growth without fixes: 95 % radius of the unknown acceleration, m/s², while it may act …
        var growth = 0.5
        /// … and up to this long, s; from then on at constant speed.
        var growthTime = 10.0
    }

    private var parameters: Parameters
    private var floor: Double

    init(_ parameters: Parameters, floor: Double) {
        self.parameters = parameters
        self.floor = floor.isFinite ? max(0, floor) : 0
    }

    /// The radius, m, `age` seconds after a fix, for the variance of the estimate along an axis and the scatter of
    /// fixes (m²); `cycle` is the time between fixes, s, within which the scatter has it all.
    func radius(variance: Double, scatter: Double, age: Double, isStill: Bool) -> Double {
        let random = parameters.radiusPerDeviation * (variance + parameters.scatterShare * scatter).squareRoot()
        let grown = isStill ? 0 : growth(age)
        let systematic = parameters.systematic
        return max(floor, (systematic * systematic + random * random + grown * grown).squareRoot())
    }

    private func growth(_ age: Double) -> Double {
        let t = max(0, age)
        guard t > parameters.growthTime else { return parameters.growth * t * t / 2 }
        let corner = parameters.growthTime
        return parameters.growth * (corner * corner / 2 + corner * (t - corner))
    }
}
