/// Every constant of the position filter, with its unit, its meaning and where its value comes from; a profile is a
/// value of it.
///
/// "Measured" means chosen on the recorded tracks that docs/quality.md names, in the middle of a range over which the
/// result is flat; the others are derived or taken from the source named.
struct FilterParameters: Hashable, Sendable {
    /// How the parts of the estimator work together.
    var estimator = Estimator.Parameters()
    /// How far positions are believed.
    var bank = PositionBank.Parameters()
    /// Where the puck goes until the next fix.
    var forecast = VelocityForecast.Parameters()
    /// How the receiver's velocity is checked.
    var receiver = ReceiverVelocity.Parameters()
    /// Which fixes are set aside, and when a leap is believed.
    var gate = LeapGate.Parameters()
    /// How a receiver's own error estimates are read.
    var sky = SkyQuality.Parameters()
    /// When it stands still, and when it sets off.
    var standstill = StandstillDetector.Parameters()
    /// Where it is shown while it stands.
    var rest = Rest.Parameters()
    /// How far it strays while it stands.
    var spread = StandingSpread.Parameters()
    /// What is shown between fixes and over gaps.
    var coasting = Coasting()
    /// How corrections are worked in.
    var blend = CorrectionBlend.Parameters()
    /// When a course is believed, and how it turns.
    var course = CourseTrack.Parameters()
    /// How far the truth may be.
    var accuracy = AccuracyModel.Parameters()

    /// The parameters for what carries the receiver.
    init(profile: Profile) {
        // A boat is never quite still.
        if profile == .boat { standstill.enabled = false }
    }
}
