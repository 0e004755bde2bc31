/// Tells standing still from moving, by the mean of the velocity vector rather than by the speed: noise averages out of
/// the one and not of the other.
struct StandstillDetector: Hashable, Sendable {
    /// Its constants.
    struct Parameters: Hashable, Sendable {
        /// Whether standing still is looked for at all.
        var enabled = true
        /// Velocity is averaged over this many seconds. (measured)
        var memory = 3.0
        /// Still below this mean, m/s … (measured)
        var enter = 0.1
        /// … or below this many times its noise …
        var enterDeviations = 2.0
        /// … but never above this, m/s, under a usual sky.
        var enterLimit = 0.3
        /// And below this speed, m/s, at each fix.
        var quietSpeed = 0.6
        /// For this many seconds.
        var enterTime = 4.0
        /// Moving above this mean, m/s … (measured)
        var exit = 0.2
        /// … and above this many times its noise …
        var exitDeviations = 4.0
        /// … which counts no further than this, m/s, under a usual sky.
        var exitLimit = 0.8
        /// Or at two fixes running above this speed, m/s, in one direction: setting off must be seen at once …
        var setOffSpeed = 0.2
        /// … and above this many times the noise of one velocity.
        var setOffDeviations = 6.0
        /// Which counts no further than this, m/s, under a usual sky.
        var setOffLimit = 1.0
        /// Or when the velocity of so many seconds …
        var driftMemory = 40.0
        /// … adds up to this, m, and the positions agree: a boat adrift.
        var drift = 4.0
        /// A single velocity may not shift the mean by more than this share of the limit: it may be a blunder.
        var blunderShare = 0.8
        /// Creeps, rather than stands, above this many times the noise of one velocity. (measured)
        var creepDeviations = 5.0
        /// But not above this, m/s: that is setting off, or a blunder.
        var creepLimit = 0.6
        /// The noise of the velocity is a running mean over this many seconds.
        var noiseMemory = 60.0
        /// Noise, as variance along both axes, m²/s², taken at the start.
        var initialNoise = 0.01
        /// Which counts as so many seconds of quiet.
        var initialNoiseWeight = 5.0
        /// A sample counts no further than this many times the noise so far, so that setting off is not taken for noise.
        var noiseGrowth = 4.0
        /// Least noise, m²/s²: receivers that hold still say zero.
        var leastNoise = 1e-5
        /// With positions only: still where all fixes of the last seconds …
        var positionMemory = 8.0
        /// … lie this close together, m. (measured)
        var positionSpread = 0.6
        /// And moving where two fixes running are this far from the place shown, m, and as many times their scatter.
        var positionExit = 0.6
        /// How many times.
        var positionExitDeviations = 3.0
        /// Or where the last seconds span as many times that.
        var positionWander = 2.0
        /// But no farther than this, m: going away slowly widens the scatter too.
        var positionExitLimit = 3.0
    }

    private var parameters: Parameters
    private var mean = PlaneVector.zero
    private var noise: Double
    /// Seconds of quiet that the noise was learnt from.
    private var noiseSeconds: Double
    private var quietSeconds = 0.0
    private var lastFast: PlaneVector?
    private var drift = PlaneVector.zero
    private var farCount = 0

    /// Whether it is held to stand still.
    private(set) var isStill = false
    /// A velocity too slow to be called moving, but above the noise, m/s: the last metre before a stop.
    private(set) var creep = PlaneVector.zero

    init(_ parameters: Parameters) {
        self.parameters = parameters
        noise = parameters.initialNoise
        noiseSeconds = parameters.initialNoiseWeight
    }

    /// What a fix says of the motion.
    struct Evidence: Hashable, Sendable {
        /// Measured velocity, m/s, if any.
        var velocity: PlaneVector?
        /// Measured speed, m/s, if any.
        var speed: Double?
        /// Where the estimate is, from the place shown while standing still, m.
        var fromRest: PlaneVector
        /// Scatter of fixes about where they were expected, m.
        var scatter: Double
        /// The largest distance of fixes of the last seconds from this one, m; nil before there are enough.
        var spread: Double?
        /// How much more evidence than usual a movement needs, from 1.
        var doubt: Double
        /// Whether its positions do not slide, as those of a receiver that was just started do.
        var isSteady: Bool
        /// Seconds since the fix before.
        var interval: Double
    }

    /// Forgets what it saw, and takes it as moving.
    mutating func restart() {
        mean = .zero
        setMoving()
    }

    /// Looks at a fix.
    mutating func update(_ evidence: Evidence) {
        guard parameters.enabled else { return }
        if evidence.velocity == nil, evidence.speed == nil {
            updateByPosition(evidence)
        } else {
            updateByVelocity(evidence)
        }
    }

    private mutating func updateByVelocity(_ evidence: Evidence) {
        let doubt = evidence.doubt
        let share = 1 - exp(-evidence.interval / parameters.memory)
        let sigma = noise.squareRoot()
        let sigmaOfMean = sigma * (share / (2 - share)).squareRoot()
        let enter = doubt * max(parameters.enter, min(parameters.enterLimit, parameters.enterDeviations * sigmaOfMean))
        let exit = doubt * max(parameters.exit, min(parameters.exitLimit, parameters.exitDeviations * sigmaOfMean))

        // A speed without course counts as if always in one direction: its mean cannot average out, but it is a speed.
        let sample = evidence.velocity ?? PlaneVector(east: evidence.speed ?? 0, north: 0)
        let hasDirection = evidence.velocity != nil
        let speed = evidence.speed ?? sample.length
        // What was driven before the stop says nothing about it: or a second at 50 km/h would take ten to average out.
        let slow = doubt * max(parameters.quietSpeed, 3 * sigma)
        if !isStill, hasDirection, speed < slow, mean.length > slow { mean = sample }
        var deviation = sample - mean
        let limit = parameters.blunderShare * exit / share
        if isStill, deviation.length > limit { deviation = (limit / deviation.length) * deviation }
        mean += share * deviation
        if isStill || mean.length < enter {
            noiseSeconds = min(parameters.noiseMemory, noiseSeconds + evidence.interval)
            let noiseShare = min(1, evidence.interval / noiseSeconds)
            noise += noiseShare * (min(deviation.lengthSquared, parameters.noiseGrowth * noise) - noise)
            noise = max(noise, parameters.leastNoise)
        }
        let creeps = speed > parameters.creepDeviations * doubt * sigma && speed < parameters.creepLimit
        creep = isStill && creeps && hasDirection ? sample : .zero
        if isStill {
            let fast = min(parameters.setOffLimit, max(parameters.setOffSpeed, parameters.setOffDeviations * sigma))
            let candidate = speed > fast ? sample : nil
            let setsOff = lastFast.flatMap { last in
                candidate.map { last.dot($0) > 0.5 * last.length * $0.length && max(last.length, speed) > doubt * fast }
            }
            lastFast = candidate
            drift =
                exp(-evidence.interval / parameters.driftMemory) * drift + (hasDirection ? evidence.interval : 0) * mean
            if mean.length > exit || setsOff == true || drifts(evidence) { setMoving() }
        } else {
            let quiet = mean.length < enter && speed < slow
            quietSeconds = quiet ? quietSeconds + evidence.interval : 0
            if quietSeconds >= parameters.enterTime, evidence.isSteady { isStill = true }
        }
    }

    /// Whether it drifts slowly: the velocity has added up to some metres, and the positions say the same.
    private func drifts(_ evidence: Evidence) -> Bool {
        let length = drift.length
        guard length > parameters.drift * evidence.doubt else { return false }
        let moved = evidence.fromRest.dot(drift) / length
        return moved > 0.5 * length && moved < 2.5 * length
    }

    private mutating func updateByPosition(_ evidence: Evidence) {
        if isStill {
            let scattered = min(parameters.positionExitLimit, parameters.positionExitDeviations * evidence.scatter)
            let limit = max(parameters.positionExit, scattered)
            // The place shown may follow a slow walk: then the last seconds show it.
            let wandered = (evidence.spread ?? 0) > parameters.positionWander * limit
            farCount = evidence.fromRest.length > limit || wandered ? farCount + 1 : 0
            if farCount >= 2 { setMoving() }
        } else if let spread = evidence.spread, spread < parameters.positionSpread {
            isStill = true
        }
    }

    private mutating func setMoving() {
        isStill = false
        quietSeconds = 0
        lastFast = nil
        drift = .zero
        farCount = 0
        creep = .zero
    }
}
