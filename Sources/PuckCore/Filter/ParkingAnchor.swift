/// Where it stands, while it stands still: a running mean of the fixes, shown with a dead band so that it rests.
struct ParkingAnchor: Hashable, Sendable {
    /// Its constants.
    struct Parameters: Hashable, Sendable {
        /// A running mean of all fixes since the stop, but of no more than this many seconds where they scatter by a metre,
        /// and of fewer where they scatter less: a receiver that holds still needs no averaging.
        var memory = 600.0
        /// The place at the stop counts as this many seconds of fixes.
        var initialWeight = 4.0
        /// A fix counts no further than this, m, or than this many times the scatter.
        var reach = 3.0
        /// Scatter of fixes about the mean along both axes, m, taken at the stop, unless they lay closer together before it.
        var initialScatter = 1.0
        /// The scatter is a running mean over this many seconds.
        var scatterMemory = 30.0
        /// What is shown follows when the mean is this far from it, m, …
        var deadBand = 0.3
        /// … or as far as the largest scatter so far, up to this, m.
        var widestBand = 2.0
        /// A short mean shows whether a receiver that was just started slides to where it is: over this many seconds …
        var shortMemory = 4.0
        /// … of fixes that count no further than this, m, …
        var shortReach = 20.0
        /// … it drags the mean along where it is farther off than this, m, …
        var leash = 4.0
        /// … which grows by as much again each so many seconds: a receiver that has long been right and then shifts
        /// while it stands is being deceived.
        var leashTime = 30.0
        /// After a gap of this many seconds a receiver settles anew.
        var settlingGap = 60.0
    }

    private var parameters: Parameters
    private var weight: Double
    private var squaredScatter: Double
    private var short: PlaneVector
    private var band: Double
    /// How long it has stood, s: the scatter is a guess at first.
    private var stood = 0.0
    /// The running mean of the fixes, m from the plane's origin.
    private(set) var place: PlaneVector
    /// Where it is shown, m from the plane's origin.
    private(set) var shown: PlaneVector

    /// At a place; `spread` is how far apart the last fixes lay, m.
    init(at place: PlaneVector, spread: Double?, _ parameters: Parameters) {
        self.parameters = parameters
        weight = parameters.initialWeight
        let scatter = min(parameters.initialScatter, spread ?? parameters.initialScatter)
        squaredScatter = scatter * scatter
        short = place
        band = parameters.deadBand
        self.place = place
        shown = place
    }

    /// Scatter of the fixes about the mean, root mean square in the plane, m.
    var scatter: Double { squaredScatter.squareRoot() }

    /// The same along one axis, as a variance, m².
    var scatterVariance: Double { squaredScatter / 2 }

    /// Takes a fix, `interval` seconds after the one before, in a track that is `trackAge` seconds old. `creep` is a
    /// movement in between too slow to be called one, m; `doubt` how much less than usual a fix counts, from 1.
    mutating func update(_ position: PlaneVector, creep: PlaneVector, interval: Double, trackAge: Double, doubt: Double)
    {
        place += creep
        short += creep
        shown += creep
        let memory = max(parameters.initialWeight, parameters.memory * min(1, scatter))
        weight = min(weight + interval, memory)
        let offset = position - place
        let distance = offset.length
        let reach = max(parameters.reach, 2 * scatter)
        place += (min(1, interval / weight) / doubt * (distance > reach ? reach / distance : 1)) * offset
        let share = 1 - exp(-interval / parameters.scatterMemory)
        squaredScatter += share * (min(offset.lengthSquared, 4 * squaredScatter) - squaredScatter)

        let jump = position - short
        let clip = min(1, parameters.shortReach / max(jump.length, parameters.shortReach))
        short += (clip * (1 - exp(-interval / parameters.shortMemory))) * jump
        let leash = parameters.leash * max(1, trackAge / parameters.leashTime)
        place = place.drawn(to: short, within: leash)
        stood += interval
        if stood > parameters.scatterMemory { band = max(band, min(parameters.widestBand, scatter)) }
        shown = shown.drawn(to: place, within: band)
    }

    /// Moves with the plane's origin.
    mutating func translate(by shift: PlaneVector) {
        place += shift
        short += shift
        shown += shift
    }
}

extension PlaneVector {
    /// This place, or the nearest to it that lies within `reach` of `other`.
    func drawn(to other: PlaneVector, within reach: Double) -> PlaneVector {
        let lag = other - self
        let far = lag.length
        return far > reach ? self + ((far - reach) / far) * lag : self
    }
}
