/// gpsd's name of a receiver: its path, with links resolved.
public struct DeviceName: Hashable, Sendable, CustomStringConvertible {
    /// The path as gpsd sends it, such as `/dev/ttyACM0`.
    public let path: String
    /// A device by its path.
    public init(_ path: String) { self.path = path }
    /// The path.
    public var description: String { path }
}

/// A receiver's report through gpsd: validated, never filtered. A value that is missing or out of range is nil.
public enum Report: Hashable, Sendable {
    /// gpsd's TPV.
    case position(PositionReport)
    /// gpsd's ATT.
    case attitude(AttitudeReport)
    /// gpsd's SKY.
    case sky(SkyReport)
    /// gpsd's GST.
    case noise(NoiseReport)

    /// The receiver of the report.
    public var device: DeviceName {
        switch self {
        case .position(let r): r.device
        case .attitude(let r): r.device
        case .sky(let r): r.device
        case .noise(let r): r.device
        }
    }
}

/// Whether a receiver has a fix. (gpsd's TPV.mode, which alone decides)
public enum FixMode: Int, Hashable, Sendable {
    /// Not seen yet.
    case unseen = 0
    /// No fix.
    case none = 1
    /// Latitude and longitude.
    case twoDimensional = 2
    /// Latitude, longitude and altitude.
    case threeDimensional = 3
}

/// The kind of fix. (gpsd's TPV.status; gpsd omits "normal")
public enum FixStatus: Int, CaseIterable, Hashable, Sendable {
    /// An ordinary autonomous fix, or not reported.
    case normal = 1
    /// Differential corrections.
    case differential = 2
    /// Real-time kinematic, integers fixed.
    case rtkFixed = 3
    /// Real-time kinematic, float.
    case rtkFloat = 4
    /// Dead reckoning.
    case deadReckoning = 5
    /// GNSS with dead reckoning.
    case gnssDeadReckoning = 6
    /// Time only: a surveyed position.
    case surveyed = 7
    /// Simulated.
    case simulated = 8
    /// The encrypted precise positioning service, P(Y).
    case precisePositioning = 9

    /// Whether it comes from dead reckoning, at least partly.
    public var isEstimated: Bool { self == .deadReckoning || self == .gnssDeadReckoning || self == .simulated }
}

/// The line from another antenna to the receiver's (u-blox RELPOSNED). Between two antennas on one vehicle it shows
/// where the vehicle points; from a fixed base it shows only the direction of the base.
public struct Baseline: Hashable, Sendable {
    /// From true north.
    public var heading: Direction
    /// Metres; nil if not reported.
    public var length: Double?

    /// A line.
    public init(heading: Direction, length: Double?) {
        self.heading = heading
        self.length = length
    }
}

/// A position report: one gpsd TPV. One epoch often brings several, some of them partial.
public struct PositionReport: Hashable, Sendable {
    /// The receiver.
    public var device: DeviceName
    /// UTC of the fix by the receiver.
    public var time: UTC?
    /// Whether there is a fix.
    public var mode: FixMode
    /// The kind of fix.
    public var status: FixStatus = .normal
    /// Position, WGS 84.
    public var coordinate: Coordinate?
    /// Altitude above the WGS 84 ellipsoid, metres.
    public var altitudeEllipsoid: Double?
    /// Altitude above mean sea level by the receiver's geoid, metres.
    public var altitudeMSL: Double?
    /// Speed over ground, m/s, not negative.
    public var speed: Double?
    /// Course over ground from true north.
    public var course: Direction?
    /// Estimated horizontal error, metres, 95 % by gpsd's definition: a guess (HDOP × 19 m) for most drivers.
    public var eph: Double?
    /// Estimated longitude error, metres, 95 %, likewise.
    public var epx: Double?
    /// Estimated latitude error, metres, 95 %, likewise.
    public var epy: Double?
    /// Estimated vertical error, metres, 95 %, likewise.
    public var epv: Double?
    /// Magnetic variation here, degrees east of true north, from the receiver, or else from gpsd's table.
    public var magneticVariation: Double?
    /// The line from another antenna to the receiver's.
    public var baseline: Baseline?

    /// A report with only the fields of every TPV.
    public init(device: DeviceName, time: UTC? = nil, mode: FixMode) {
        self.device = device
        self.time = time
        self.mode = mode
    }
}

/// An attitude report: one gpsd ATT.
public struct AttitudeReport: Hashable, Sendable {
    /// The receiver or compass.
    public var device: DeviceName
    /// UTC of the measurement; gpsd gives none for NMEA HDT.
    public var time: UTC?
    /// Heading from true north.
    public var heading: Direction?
    /// Heading from magnetic north.
    public var magneticHeading: Direction?
    /// The line from another antenna to the receiver's.
    public var baseline: Baseline?

    /// An attitude report.
    public init(
        device: DeviceName, time: UTC? = nil, heading: Direction? = nil, magneticHeading: Direction? = nil,
        baseline: Baseline? = nil
    ) {
        self.device = device
        self.time = time
        self.heading = heading
        self.magneticHeading = magneticHeading
        self.baseline = baseline
    }
}

/// A sky report: one gpsd SKY.
public struct SkyReport: Hashable, Sendable {
    /// The receiver.
    public var device: DeviceName
    /// UTC of the report.
    public var time: UTC?
    /// Horizontal dilution of precision, dimensionless, positive.
    public var hdop: Double?
    /// Satellites used in the fix.
    public var used: Int?
    /// Satellites in view.
    public var visible: Int?

    /// A sky report.
    public init(
        device: DeviceName, time: UTC? = nil, hdop: Double? = nil, used: Int? = nil, visible: Int? = nil
    ) {
        self.device = device
        self.time = time
        self.hdop = hdop
        self.used = used
        self.visible = visible
    }
}

/// A noise report: one gpsd GST, 1 σ figures of the receiver itself.
public struct NoiseReport: Hashable, Sendable {
    /// The receiver.
    public var device: DeviceName
    /// UTC of the report.
    public var time: UTC?
    /// Standard deviation of latitude, metres, 1 σ.
    public var latitudeSigma: Double?
    /// Standard deviation of longitude, metres, 1 σ.
    public var longitudeSigma: Double?
    /// Standard deviation of altitude, metres, 1 σ.
    public var altitudeSigma: Double?

    /// A noise report.
    public init(
        device: DeviceName, time: UTC? = nil, latitudeSigma: Double? = nil, longitudeSigma: Double? = nil,
        altitudeSigma: Double? = nil
    ) {
        self.device = device
        self.time = time
        self.latitudeSigma = latitudeSigma
        self.longitudeSigma = longitudeSigma
        self.altitudeSigma = altitudeSigma
    }
}
