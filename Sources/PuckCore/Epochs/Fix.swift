/// One epoch of one receiver with a position, merged from all its reports. The gate makes it, and the filter takes
/// it.
public struct Fix: Hashable, Sendable {
    /// The receiver.
    public var device: DeviceName
    /// UTC of the fix by the receiver's own clock; nil if the receiver gives none.
    public var time: UTC?
    /// The instant of the fix, on the host's monotonic clock: its arrival minus the receiver's latency.
    public var instant: Instant
    /// When its first report reached the host.
    public var arrival: Instant
    /// 2D or 3D.
    public var mode: FixMode
    /// The kind of fix.
    public var status: FixStatus
    /// Position, WGS 84.
    public var coordinate: Coordinate
    /// Horizontal accuracy from the receiver's best figure (GST, else eph, else epx and epy, else HDOP × a constant):
    /// 95 % radius, metres. Its scale is unreliable (see docs): compare it with its own recent median.
    public var accuracy: Double?
    /// Altitude above the ellipsoid, metres.
    public var altitudeEllipsoid: Double?
    /// Altitude above mean sea level, metres.
    public var altitudeMSL: Double?
    /// Vertical accuracy, 95 % half-width, metres.
    public var altitudeAccuracy: Double?
    /// Speed over ground, m/s.
    public var speed: Double?
    /// Course over ground, from true north.
    public var course: Direction?
    /// Horizontal dilution of precision.
    public var hdop: Double?

    /// A fix with the required fields. Set the others afterwards.
    public init(
        device: DeviceName, time: UTC?, instant: Instant, arrival: Instant, mode: FixMode,
        status: FixStatus = .normal, coordinate: Coordinate
    ) {
        self.device = device
        self.time = time
        self.instant = instant
        self.arrival = arrival
        self.mode = mode
        self.status = status
        self.coordinate = coordinate
    }
}
