/// All constants of the position filter, each with its unit, its meaning and the source of its value. A profile is a
/// value of this type.
///
/// "Measured" means chosen on the recorded tracks in docs/quality.md, in the middle of a range over which the result
/// is flat. The others are derived, or come from the named source.
struct FilterParameters: Hashable, Sendable {
    /// How the parts of the estimator work together.
    var estimator = Estimator.Parameters()
    /// How far positions are trusted.
    var bank = PositionBank.Parameters()
    /// The puck's motion until the next fix.
    var forecast = VelocityForecast.Parameters()
    /// How the receiver's velocity is checked.
    var receiver = ReceiverVelocity.Parameters()
    /// Which fixes are set aside, and when a leap is accepted.
    var gate = LeapGate.Parameters()
    /// How a receiver's own error estimates are used.
    var sky = SkyQuality.Parameters()
    /// When the receiver stands still, and when it sets off.
    var standstill = StandstillDetector.Parameters()
    /// The shown position at a standstill.
    var rest = Rest.Parameters()
    /// How far the estimate wanders at a standstill.
    var spread = StandingSpread.Parameters()
    /// The motion shown between fixes and over gaps.
    var coasting = Coasting()
    /// How corrections are applied.
    var blend = CorrectionBlend.Parameters()
    /// When a course is accepted, and how it turns.
    var course = CourseTrack.Parameters()
    /// The possible error.
    var accuracy = AccuracyModel.Parameters()

    /// The parameters for a kind of vehicle.
    init(profile: Profile) {
        // A boat is never completely still.
        if profile == .boat { standstill.enabled = false }
    }
}
