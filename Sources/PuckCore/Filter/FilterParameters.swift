/// Every constant of the position filter, with its unit, its meaning and where its value comes from; a profile is a
/// value of it.
///
/// "Measured" means chosen on the recorded tracks of docs/quality.md, in the middle of a range over which the result
/// is flat; the others are derived or taken from the source named.
struct FilterParameters: Hashable, Sendable {
    /// How what carries the receiver moves.
    var dynamics = Dynamics()
    /// How well a receiver's velocity is believed.
    var velocity = VelocityNoise()
    /// How well a receiver's position is believed.
    var position = PositionNoise.Parameters()
    /// Which fixes are left out, and when a new place is taken.
    var gate = FixGate.Parameters()
    /// How a receiver's own error estimates are read.
    var sky = SkyQuality.Parameters()
    /// When it stands still, and when it sets off.
    var standstill = StandstillDetector.Parameters()
    /// Where it stands.
    var anchor = ParkingAnchor.Parameters()
    /// What is shown between fixes and over gaps.
    var coasting = Coasting()
    /// How corrections are worked in.
    var blend = CorrectionBlend.Parameters()
    /// When a course is believed.
    var course = CourseHold.Parameters()
    /// What counts as a leap of the positions.
    var leaps = LeapMemory.Parameters()
    /// How far the truth may be.
    var accuracy = AccuracyModel.Parameters()

    /// The process noise of the model.
    struct Dynamics: Hashable, Sendable {
        /// Standard deviation of the acceleration along each axis, m/s², where velocity is measured. Cars brake and turn
        /// at 1 to 3; flat from 0.6 to 1.6. (measured)
        var acceleration = 1.6
        /// The same where only positions are measured. (measured)
        var accelerationUnaided = 1.2
        /// Correlation time of the acceleration, s: how long braking or turning lasts. (measured)
        var correlation = 1.0
        /// Wander of the position by itself, m²/s: what a receiver's own filter adds. (measured)
        var wander = 0.05
        /// Standard deviation of a velocity along each axis that was never measured, m/s: a brisk walk or a slow ride.
        var velocityUnknown = 3.0
        /// The same where it was measured once, m/s.
        var velocityMeasured = 0.7
        /// The same of an acceleration at the start, m/s².
        var accelerationUnknown = 1.0
    }

    /// Doppler velocity.
    struct VelocityNoise: Hashable, Sendable {
        /// Standard deviation along each axis, m/s. (measured: receivers of the last ten years 0.05 to 0.15)
        var deviation = 0.12
        /// Innovations beyond this many standard deviations are given less weight the further off they are. Without it
        /// one city track goes from 14 to 40 m. (measured)
        var gateDeviations = 4.0
        /// Nor is an innovation under this, m/s, ever given less.
        var gateFloor = 1.2
        /// Variance across the direction of travel of a speed without course, m²/s²: it says nothing of it.
        var unmeasuredVariance = 1e4
        /// Below this speed, m/s, a speed without course says "not moving" rather than nothing. (measured)
        var slowWithoutCourse = 0.7
        /// And its standard deviation is at least this, m/s.
        var slowDeviation = 0.3
        /// Below this speed, m/s, a course means nothing, and the velocity is zero. (receivers send their last one)
        var directionless = 0.05
        /// A fix counts this much towards whether the receiver measures velocity at all: ten fixes decide.
        var habitWeight = 0.1
        /// Above this share of fixes with velocity, the receiver is one that measures it.
        var habit = 0.3

        /// The variance along an axis, m²/s², at which a velocity is believed that is `innovation` off a prediction of
        /// that variance.
        func variance(of innovation: PlaneVector, predicted: Double) -> Double {
            let variance = deviation * deviation
            let total = predicted + variance
            let limit = max(gateDeviations * total.squareRoot(), gateFloor)
            let off = innovation.length / limit
            return off > 1 ? 2 * total * off * off : variance
        }
    }
}

extension FilterParameters {
    /// The parameters for what carries the receiver.
    init(profile: Profile) {
        switch profile {
        case .auto, .car, .bike, .walk: break
        case .boat:
            // A hull accelerates little, its antenna swings with the waves, and it is never quite still.
            dynamics.acceleration = 0.3
            velocity.deviation = 0.25
            standstill.enabled = false
        }
    }
}
