/// All that a receiver said of one epoch, merged. It need not hold a position: the gate judges that.
public struct Epoch: Hashable, Sendable {
    /// The receiver.
    public var device: DeviceName
    /// UTC of the epoch by the receiver's own clock; nil where it gave none.
    public var time: UTC?
    /// When its first report reached the host, on both clocks.
    public var arrival: Moment
    /// The best mode that a report of this epoch told.
    public var mode: FixMode
    /// How the fix came about.
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
    /// Estimated horizontal error, metres, 95 % as gpsd reckons it.
    public var eph: Double?
    /// Estimated longitude error, metres, 95 %, likewise.
    public var epx: Double?
    /// Estimated latitude error, metres, 95 %, likewise.
    public var epy: Double?
    /// Estimated vertical error, metres, 95 %, likewise.
    public var epv: Double?
    /// Horizontal dilution of precision, by this epoch's sky report or one shortly before it.
    public var hdop: Double?
    /// Standard deviation of latitude, metres, 1 σ, by this epoch's noise report or one shortly before it.
    public var latitudeSigma: Double?
    /// Standard deviation of longitude, metres, 1 σ, likewise.
    public var longitudeSigma: Double?
    /// Standard deviation of altitude, metres, 1 σ, likewise.
    public var altitudeSigma: Double?
    /// Seconds from one epoch of this receiver to the next, as learnt by now; nil before it is.
    public var cycle: Double?

    /// The parts that the fullest report merged so far had.
    private var fullest: EpochParts

    /// An epoch of the fields that each must have; the others are set after.
    public init(device: DeviceName, time: UTC?, arrival: Moment, mode: FixMode) {
        self.device = device
        self.time = time
        self.arrival = arrival
        self.mode = mode
        fullest = []
    }

    /// The epoch that `report` opens.
    init(_ report: PositionReport, arrival: Moment) {
        self.init(device: report.device, time: report.time, arrival: arrival, mode: report.mode)
        replace(with: report)
    }

    /// Whether its mode says that there is a fix.
    public var hasFix: Bool { mode.hasFix }

    /// What it holds so far.
    var parts: EpochParts {
        EpochParts(
            fix: hasFix, time: time != nil, position: coordinate != nil,
            altitude: altitudeEllipsoid != nil || altitudeMSL != nil, speed: speed != nil, course: course != nil,
            error: eph != nil || (epx != nil && epy != nil))
    }

    /// Merges another report of this epoch. What the fullest report says stands; a less full one only adds what was
    /// missing: gpsd's first report of an epoch may carry a speed of its own reckoning (from two positions) and no
    /// course. Of equally full ones the later stands. One without a fix adds nothing to an epoch that has one.
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
        // A speed belongs to its course: that of a report without one is not added to a course from another.
        if course == nil { speed = speed ?? report.speed }
        course = course ?? report.course
        eph = eph ?? report.eph
        epx = epx ?? report.epx
        epy = epy ?? report.epy
        epv = epv ?? report.epv
    }
}

extension FixMode {
    /// Whether there is a fix: mode alone says so.
    public var hasFix: Bool { self == .twoDimensional || self == .threeDimensional }
}
