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
        var enter = 0.15
        /// … or below this many times its noise, m/s, …
        var enterDeviations = 2.0
        /// … but never above this, m/s.
        var enterLimit = 0.3
        /// And below this speed, m/s, at each fix.
        var quietSpeed = 0.6
        /// For this many seconds.
        var enterTime = 4.0
        /// Moving above this mean, m/s … (measured)
        var exit = 0.3
        /// … and above this many times its noise, m/s …
        var exitDeviations = 3.5
        /// … which counts no further than this, m/s.
        var exitLimit = 0.8
        /// Or at two fixes running above this speed, m/s: setting off must be seen at once.
        var setOffSpeed = 0.8
        /// The noise of the velocity is a running mean over this many seconds.
        var noiseMemory = 60.0
        /// Noise, as variance along both axes, m²/s², taken at the start.
        var initialNoise = 0.01
        /// A sample counts no further than this, m²/s².
        var noiseLimit = 1.0
        /// With positions only: still where all fixes of the last seconds …
        var positionMemory = 6.0
        /// … lie this close together, m. (measured)
        var positionSpread = 1.2
        /// And moving where two fixes running are this far from the anchor, m. (measured)
        var positionExit = 2.5
    }

    private var parameters: Parameters
    private var mean = PlaneVector.zero
    private var noise: Double
    private var quietSeconds = 0.0
    private var setOffCount = 0
    private var farCount = 0

    /// Whether it is held to stand still.
    private(set) var isStill = false

    init(_ parameters: Parameters) {
        self.parameters = parameters
        noise = parameters.initialNoise
    }

    /// What a fix says of the motion.
    struct Evidence: Hashable, Sendable {
        /// Measured velocity, m/s, if any.
        var velocity: PlaneVector?
        /// Measured speed, m/s, if any.
        var speed: Double?
        /// Where the fix is, from the anchor while standing still, m.
        var fromAnchor: PlaneVector
        /// Scatter of positions along one axis, m.
        var scatter: Double
        /// The largest distance of fixes of the last seconds from this one, m; nil before there are enough.
        var spread: Double?
        /// Seconds since the fix before.
        var interval: Double
    }

    /// Forgets what it saw, and takes it as moving.
    mutating func restart() {
        mean = .zero
        quietSeconds = 0
        setOffCount = 0
        farCount = 0
        isStill = false
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
        let share = 1 - exp(-evidence.interval / parameters.memory)
        let sample = evidence.velocity ?? .zero
        let deviation = sample - mean
        mean += share * deviation
        let speed = evidence.speed ?? sample.length
        if mean.length < parameters.quietSpeed, speed < 2 * parameters.quietSpeed {
            let noiseShare = 1 - exp(-evidence.interval / parameters.noiseMemory)
            noise += noiseShare * (min(deviation.lengthSquared, parameters.noiseLimit) - noise)
        }
        let sigma = noise.squareRoot()
        let sigmaOfMean = (noise * share / (2 - share)).squareRoot()
        if isStill {
            let limit = max(parameters.exit, min(parameters.exitLimit, parameters.exitDeviations * sigmaOfMean))
            setOffCount = speed > max(parameters.setOffSpeed, 5 * sigma) ? setOffCount + 1 : 0
            if mean.length > limit || setOffCount >= 2 { restartMoving() }
        } else {
            let limit = max(parameters.enter, min(parameters.enterLimit, parameters.enterDeviations * sigmaOfMean))
            let quiet = mean.length < limit && speed < max(parameters.quietSpeed, 3 * sigma)
            quietSeconds = quiet ? quietSeconds + evidence.interval : 0
            if quietSeconds >= parameters.enterTime { becomeStill() }
        }
    }

    private mutating func updateByPosition(_ evidence: Evidence) {
        if isStill {
            let limit = max(parameters.positionExit, 3 * evidence.scatter)
            farCount = evidence.fromAnchor.length > limit ? farCount + 1 : 0
            if farCount >= 2 { restartMoving() }
        } else if let spread = evidence.spread, spread < parameters.positionSpread {
            becomeStill()
        }
    }

    private mutating func becomeStill() {
        isStill = true
        setOffCount = 0
        farCount = 0
    }

    private mutating func restartMoving() {
        isStill = false
        quietSeconds = 0
        setOffCount = 0
        farCount = 0
    }
}
