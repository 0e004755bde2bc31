/// The receiver's velocity at its newest fixes: measured (Doppler) and checked against positions, or else from positions.
struct ReceiverVelocity: Hashable, Sendable {
    /// Its constants.
    struct Parameters: Hashable, Sendable {
        /// A velocity that changes faster than this, m/s², …
        var fastestChange = 8.0
        /// … by more than this, m/s, …
        var leastChange = 3.0
        /// … and fits the positions less than the one before is left out, at most this many times in a row.
        var mostRefused = 3
        /// Time constant, s, with which the noise of velocity is learnt.
        var memory = 60.0
        /// The variance along an axis, m²/s², at first; and if the receiver measures no velocity: a brisk walk or a slow ride.
        var firstVariance = 0.04
        var firstVarianceUnaided = 9.0
        /// Which counts as this many seconds of what is learnt.
        var firstWeight = 2.0
        /// A change that is this many times the noise so far is a manoeuvre and counts no further.
        var clip = 9.0
        var leastVariance = 1e-5
    }

    private let parameters: Parameters
    private var refused = 0
    private var beforePrevious: PlaneVector?
    private var learnt: Double
    /// At the newest fix, m/s.
    private(set) var newest: PlaneVector
    /// At the fix before, m/s.
    private(set) var previous: PlaneVector
    /// Noise of the velocity along one axis, m²/s².
    private(set) var variance: Double

    /// With the velocity of the first fix, m/s; nil if it has none.
    init(_ measured: PlaneVector?, _ parameters: Parameters) {
        self.parameters = parameters
        newest = measured ?? .zero
        previous = newest
        variance = measured == nil ? parameters.firstVarianceUnaided : parameters.firstVariance
        learnt = parameters.firstWeight
    }

    /// What the velocity at a fix is that lies `moved` m from the last, `since` seconds before; `interval` is the time
    /// since the fix before of any kind. `measured` is nil, and `speed` too, where the receiver gives none.
    mutating func checked(
        measured: PlaneVector?, speed: Double?, moved: PlaneVector, since: Double, interval: Double
    ) -> PlaneVector {
        guard let measured else {
            let straight = (1 / since) * moved
            guard let speed, straight.length > 1e-6 else { return straight }
            return (speed / straight.length) * straight
        }
        let leaps = (measured - newest).length > parameters.fastestChange * interval + parameters.leastChange
        let fitsLess = (moved - since * measured).length > (moved - since * newest).length
        guard leaps, fitsLess, refused < parameters.mostRefused else {
            refused = 0
            return measured
        }
        refused += 1
        return newest
    }

    /// Takes a velocity, `interval` seconds after the last.
    mutating func take(_ velocity: PlaneVector, interval: Double) {
        if let beforePrevious {
            // The second difference of white noise has six times its variance, along each of two axes.
            let curve = (velocity - 2 * newest + beforePrevious).lengthSquared / 12
            learnt = min(parameters.memory, learnt + interval)
            let share = min(1, interval / learnt)
            variance += share * (min(curve, parameters.clip * variance) - variance)
            variance = max(variance, parameters.leastVariance)
        }
        beforePrevious = newest
        previous = newest
        newest = velocity
    }

    /// Turns with the plane.
    mutating func move(by change: PlaneChange) {
        beforePrevious = beforePrevious.map { change.vector($0) }
        previous = change.vector(previous)
        newest = change.vector(newest)
    }

    /// Begins anew. What was learnt of the receiver stays.
    mutating func restart(_ velocity: PlaneVector) {
        newest = velocity
        previous = velocity
        beforePrevious = nil
        refused = 0
    }
}
