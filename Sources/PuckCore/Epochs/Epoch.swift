/// The merged reports of a receiver for one epoch. It may lack a position: the gate checks that.
public struct Epoch: Hashable, Sendable {
    /// The receiver.
    public var device: DeviceName
    /// UTC of the epoch by the receiver's own clock; nil if it gave none.
    public var time: UTC?
    /// When its first report reached the host, on both clocks.
    public var arrival: Moment
    /// The best mode in the reports of this epoch.
    public var mode: FixMode
    /// The kind of fix.
    public var status: FixStatus = .normal
    /// Position, WGS 84.
    public var coordinate: Coordinate?
    /// Altitude above the WGS 84 ellipsoid, metres.
    public var altitudeEllipsoid: Double?
    /// Altitude above mean sea level, metres.
    public var altitudeMSL: Double?
    /// Speed over ground, m/s.
    public var speed: Double?
    /// Course over ground, from true north.
    public var course: Direction?
    /// Estimated horizontal error, metres, 95 % by gpsd's definition.
    public var eph: Double?
    /// Estimated longitude error, metres, 95 %, likewise.
    public var epx: Double?
    /// Estimated latitude error, metres, 95 %, likewise.
    public var epy: Double?
    /// Estimated vertical error, metres, 95 %, likewise.
    public var epv: Double?
    /// Horizontal dilution of precision, from this epoch's sky report or a recent one.
    public var hdop: Double?
    /// Standard deviation of latitude, metres, 1 σ, from this epoch's noise report or a recent one.
    public var latitudeSigma: Double?
    /// Standard deviation of longitude, metres, 1 σ, likewise.
    public var longitudeSigma: Double?
    /// Standard deviation of altitude, metres, 1 σ, likewise.
    public var altitudeSigma: Double?
    /// Seconds from one epoch of this receiver to the next; nil before they are known.
    public var cycle: Double?

    /// The parts of the fullest report merged so far.
    private var fullest: EpochParts

    /// An epoch with the required fields. Set the others afterwards.
    public init(device: DeviceName, time: UTC?, arrival: Moment, mode: FixMode) {
        self.device = device
        self.time = time
        self.arrival = arrival
        self.mode = mode
        fullest = []
    }

    /// The epoch that `report` begins.
    init(_ report: PositionReport, arrival: Moment) {
        self.init(device: report.device, time: report.time, arrival: arrival, mode: report.mode)
        replace(with: report)
    }

    /// Whether its mode means a fix.
    public var hasFix: Bool { mode.hasFix }

    /// The parts that it has so far.
    var parts: EpochParts {
        EpochParts(
            fix: hasFix, time: time != nil, position: coordinate != nil,
            altitude: altitudeEllipsoid != nil || altitudeMSL != nil, speed: speed != nil, course: course != nil,
            error: eph != nil || (epx != nil && epy != nil))
    }

    /// Merges another report of this epoch. The values of the fullest report are kept, and a less full one only adds
    /// missing values: gpsd's first report of an epoch may have a speed that gpsd computed from two positions, and no
    /// course. Of two equally full reports the later one is kept. A report without a fix adds nothing to an epoch
    /// that has one.
    mutating func merge(_ report: PositionReport) {
        if let time = report.time, self.time == nil { self.time = time }
        guard report.mode.hasFix || !hasFix else { return }
        if report.mode.rawValue > mode.rawValue { mode = report.mode }
        if EpochParts(report).count >= fullest.count { replace(with: report) } else { addMissing(from: report) }
    }

    private mutating func replace(with report: PositionReport) {
        fullest = EpochParts(report)
        if let time = report.time { self.time = time }
        if report.status != .normal { status = report.status }
        coordinate = report.coordinate ?? coordinate
        altitudeEllipsoid = report.altitudeEllipsoid ?? altitudeEllipsoid
        altitudeMSL = report.altitudeMSL ?? altitudeMSL
        speed = report.speed ?? speed
        course = report.course ?? course
        eph = report.eph ?? eph
        epx = report.epx ?? epx
        epy = report.epy ?? epy
        epv = report.epv ?? epv
    }

    private mutating func addMissing(from report: PositionReport) {
        if status == .normal { status = report.status }
        coordinate = coordinate ?? report.coordinate
        altitudeEllipsoid = altitudeEllipsoid ?? report.altitudeEllipsoid
        altitudeMSL = altitudeMSL ?? report.altitudeMSL
        // A speed belongs to its course: the speed of a report without a course is not combined with another report's
        // course.
        if course == nil { speed = speed ?? report.speed }
        course = course ?? report.course
        eph = eph ?? report.eph
        epx = epx ?? report.epx
        epy = epy ?? report.epy
        epv = epv ?? report.epv
    }
}

extension FixMode {
    /// Whether there is a fix: only the mode decides.
    public var hasFix: Bool { self == .twoDimensional || self == .threeDimensional }
}
