import PuckCore

/// What the simulated receiver knows of one epoch: the sentences are written from it.
public struct SimulatedFix: Hashable, Sendable {
    /// UTC of the epoch by the receiver's clock.
    public var time: UTC
    /// Position; nil: no fix.
    public var coordinate: Coordinate?
    /// Metres above mean sea level.
    public var altitudeMSL: Double?
    /// Mean sea level above the WGS 84 ellipsoid, metres.
    public var geoidSeparation: Double
    /// Over ground, m/s.
    public var speed: Double?
    /// Direction of travel; nil: too slow to tell.
    public var course: Direction?
    /// GGA's quality where there is a fix: 1 autonomous, 2 differential, 4 RTK fixed, 5 RTK float, 8 simulated.
    public var quality: Int
    /// Horizontal dilution of precision.
    public var hdop: Double
    /// What the receiver holds its error to be: one standard deviation of latitude and of longitude, metres.
    public var standardDeviation: Double
    /// Satellites in view; those with a signal are used.
    public var satellites: [SimulatedSatellite]

    /// What there is to know of an epoch; nothing is known of position and speed until they are set.
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
    /// How many satellites the fix was made with.
    public var satellitesUsed: Int { hasFix ? satellites.count { $0.signal != nil } : 0 }
}
