/// A point that moves in the plane with an acceleration that is correlated in time (Singer, 1970), and how well each of
/// its parts is known: the state of the Kalman filter, at the instant of the newest fix.
struct SingerModel: Hashable, Sendable {
    /// Metres from the plane's origin.
    var position: PlaneVector
    /// Metres a second.
    var velocity: PlaneVector
    /// Metres a second squared.
    var acceleration: PlaneVector
    /// Its covariance, in the same units.
    private(set) var covariance: Covariance

    /// The blocks of a symmetric 6 × 6 covariance: position, velocity and acceleration against each other.
    struct Covariance: Hashable, Sendable {
        var pp: PlaneMatrix
        var pv: PlaneMatrix
        var pa: PlaneMatrix
        var vv: PlaneMatrix
        var va: PlaneMatrix
        var aa: PlaneMatrix

        /// Variances along each axis, nothing correlated.
        init(position: Double, velocity: Double, acceleration: Double) {
            pp = PlaneMatrix(diagonal: position)
            pv = .zero
            pa = .zero
            vv = PlaneMatrix(diagonal: velocity)
            va = .zero
            aa = PlaneMatrix(diagonal: acceleration)
        }
    }

    /// A state as first known.
    init(position: PlaneVector, velocity: PlaneVector, covariance: Covariance) {
        self.position = position
        self.velocity = velocity
        acceleration = .zero
        self.covariance = covariance
    }

    /// Mean variance of the position along one axis, m².
    var positionVariance: Double { max(0, covariance.pp.trace / 2) }
    /// Mean variance of the velocity along one axis, m²/s².
    var velocityVariance: Double { max(0, covariance.vv.trace / 2) }

    /// Moves the state on by `interval` seconds, for an acceleration of that standard deviation (m/s²) and correlation
    /// time (s), and a position that wanders by itself (m²/s).
    mutating func advance(by interval: Double, acceleration sigma: Double, time tau: Double, wander: Double) {
        let decay = exp(-interval / tau)
        let toVelocity = tau * (1 - decay)
        let toPosition = tau * (interval - toVelocity)
        position += interval * velocity + toPosition * acceleration
        velocity += toVelocity * acceleration
        acceleration = decay * acceleration

        let c = covariance
        let ap = c.pa.transposed
        let rowPP = c.pp + interval * c.pv.transposed + toPosition * ap
        let rowPV = c.pv + interval * c.vv + toPosition * c.va.transposed
        let rowPA = c.pa + interval * c.va + toPosition * c.aa
        let rowVV = c.vv + toVelocity * c.va.transposed
        let rowVA = c.va + toVelocity * c.aa
        covariance.pp = (rowPP + interval * rowPV + toPosition * rowPA).symmetric
        covariance.pv = rowPV + toVelocity * rowPA
        covariance.pa = decay * rowPA
        covariance.vv = (rowVV + toVelocity * rowVA).symmetric
        covariance.va = decay * rowVA
        covariance.aa = (decay * decay) * c.aa

        // White jerk within one correlation time; beyond it the acceleration is white as seen by the velocity.
        let density = 2 * sigma * sigma / tau
        let d = min(interval, tau)
        let rest = interval - d
        let walk = 2 * sigma * sigma * tau
        let pp = density * pow5(d) / 20 + walk * rest * rest * rest / 3 + wander * interval
        covariance.pp = covariance.pp + PlaneMatrix(diagonal: pp)
        covariance.pv = covariance.pv + PlaneMatrix(diagonal: density * d * d * d * d / 8)
        covariance.pa = covariance.pa + PlaneMatrix(diagonal: density * d * d * d / 6)
        covariance.vv = covariance.vv + PlaneMatrix(diagonal: density * d * d * d / 3 + walk * rest)
        covariance.va = covariance.va + PlaneMatrix(diagonal: density * d * d / 2)
        covariance.aa = covariance.aa + PlaneMatrix(diagonal: density * d)
    }

    /// Corrects the state by a position that is `innovation` off, of that covariance (m²).
    mutating func correctPosition(innovation: PlaneVector, covariance noise: PlaneMatrix) {
        let c = covariance
        let weight = (c.pp + noise).inverse
        let gainP = c.pp * weight
        let gainV = c.pv.transposed * weight
        let gainA = c.pa.transposed * weight
        position += gainP * innovation
        velocity += gainV * innovation
        acceleration += gainA * innovation
        covariance.pp = (c.pp - gainP * c.pp).symmetric
        covariance.pv = c.pv - gainP * c.pv
        covariance.pa = c.pa - gainP * c.pa
        covariance.vv = (c.vv - gainV * c.pv).symmetric
        covariance.va = c.va - gainV * c.pa
        covariance.aa = (c.aa - gainA * c.pa).symmetric
    }

    /// Corrects the state by a velocity that is `innovation` off, of that covariance (m²/s²).
    mutating func correctVelocity(innovation: PlaneVector, covariance noise: PlaneMatrix) {
        let c = covariance
        let weight = (c.vv + noise).inverse
        let gainP = c.pv * weight
        let gainV = c.vv * weight
        let gainA = c.va.transposed * weight
        position += gainP * innovation
        velocity += gainV * innovation
        acceleration += gainA * innovation
        let vp = c.pv.transposed
        covariance.pp = (c.pp - gainP * vp).symmetric
        covariance.pv = c.pv - gainP * c.vv
        covariance.pa = c.pa - gainP * c.va
        covariance.vv = (c.vv - gainV * c.vv).symmetric
        covariance.va = c.va - gainV * c.va
        covariance.aa = (c.aa - gainA * c.va).symmetric
    }

    /// Takes it as standing still at a place.
    mutating func halt(at place: PlaneVector, covariance stillness: Covariance) {
        position = place
        velocity = .zero
        acceleration = .zero
        covariance = stillness
    }

    /// Forgets how position and motion hang together, and takes the position as known to that variance (m²).
    mutating func loosenPosition(variance: Double) {
        covariance.pp = PlaneMatrix(diagonal: variance)
        covariance.pv = .zero
        covariance.pa = .zero
    }

    /// Takes the velocity as less well known, by that variance (m²/s²).
    mutating func loosenVelocity(by variance: Double) {
        covariance.vv = covariance.vv + PlaneMatrix(diagonal: variance)
    }
}

private func pow5(_ x: Double) -> Double { x * x * x * x * x }
