/// How a vehicle is tilted, as a client says that places its attitude. It is lost when it has not been heard of for as long
/// as a heading would be.
struct PlacedTilt: Sendable {
    /// Degrees; nil: not known.
    private(set) var pitch: Double?
    private(set) var roll: Double?
    /// Who says so.
    let device: DeviceName
    private var instant: Instant
    private var rhythm = CycleEstimator()

    /// A first tilt; nil if it says none.
    init?(_ attitude: Attitude, of device: DeviceName, at instant: Instant) {
        guard attitude.pitch != nil || attitude.roll != nil else { return nil }
        self.device = device
        self.instant = instant
        (pitch, roll) = (attitude.pitch, attitude.roll)
    }

    /// Takes the next of the same client. One older than the last is not taken.
    mutating func receive(_ attitude: Attitude, at instant: Instant) {
        guard instant > self.instant else { return }
        rhythm.receive(interval: instant.seconds(since: self.instant))
        self.instant = instant
        (pitch, roll) = (attitude.pitch, attitude.roll)
    }

    /// When it is lost, if nothing is heard until then.
    var loss: Instant {
        instant.advanced(by: HeadingTracker.freshness(cycle: rhythm.cycle)).advanced(byNanoseconds: 1)
    }
}
