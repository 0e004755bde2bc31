import PuckCore

/// The simulated receiver's data for one epoch, from which it writes its sentences.
public struct SimulatedFix: Hashable, Sendable {
    /// The UTC time of the epoch on the receiver's clock.
    public var time: UTC
    /// The position; nil if there is no fix.
    public var coordinate: Coordinate?
    /// The altitude in metres above mean sea level.
    public var altitudeMSL: Double?
    /// The height in metres of mean sea level above the WGS 84 ellipsoid.
    public var geoidSeparation: Double
    /// The speed over ground in m/s.
    public var speed: Double?
    /// The direction of travel; nil if the speed is too low.
    public var course: Direction?
    /// The quality in GGA if there is a fix: 1 autonomous, 2 differential, 4 RTK fixed, 5 RTK float, 8 simulated.
    public var quality: Int
    /// The horizontal dilution of precision.
    public var hdop: Double
    /// The receiver's estimate of its error: one standard deviation of latitude and of longitude, in metres.
    public var standardDeviation: Double
    /// The satellites in view. Those with a signal are used.
    public var satellites: [SimulatedSatellite]

    /// Creates the data for an epoch, with unknown position and speed.
    public init(
        time: UTC, geoidSeparation: Double, quality: Int, hdop: Double, standardDeviation: Double,
        satellites: [SimulatedSatellite]
    ) {
        self.time = time
        self.geoidSeparation = geoidSeparation
        self.quality = quality
        self.hdop = hdop
        self.standardDeviation = standardDeviation
        self.satellites = satellites
    }

    /// Whether there is a position.
    public var hasFix: Bool { coordinate != nil }
    /// The number of satellites used for the fix.
    public var satellitesUsed: Int { hasFix ? satellites.count { $0.signal != nil } : 0 }
}
