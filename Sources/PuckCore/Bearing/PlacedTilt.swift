/// The tilt of a vehicle, from a client that places its attitude. It is lost after the same silence as a heading.
struct PlacedTilt: Sendable {
    /// Degrees; nil if unknown.
    private(set) var pitch: Double?
    private(set) var roll: Double?
    /// The client that placed it.
    let device: DeviceName
    private var instant: Instant
    private var rhythm = CycleEstimator()

    /// A first tilt; nil if the attitude has none.
    init?(_ attitude: Attitude, of device: DeviceName, at instant: Instant) {
        guard attitude.pitch != nil || attitude.roll != nil else { return nil }
        self.device = device
        self.instant = instant
        (pitch, roll) = (attitude.pitch, attitude.roll)
    }

    /// Takes the next tilt of the same client. Ignores one that is older than the last.
    mutating func receive(_ attitude: Attitude, at instant: Instant) {
        guard instant > self.instant else { return }
        rhythm.receive(interval: instant.seconds(since: self.instant))
        self.instant = instant
        (pitch, roll) = (attitude.pitch, attitude.roll)
    }

    /// When the tilt is lost without further reports.
    var loss: Instant {
        instant.advanced(by: HeadingTracker.freshness(cycle: rhythm.cycle)).advanced(byNanoseconds: 1)
    }
}
