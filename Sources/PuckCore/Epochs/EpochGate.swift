extension RefusalReason: Error {}

/// Makes fixes of the epochs of one receiver, or says by name why not. It judges what an epoch says of itself; whether
/// a position fits the motion is the position filter's to say.
public struct EpochGate: Sendable {
    /// How near the last fix must be to (0, 0) for exactly (0, 0) to be a place and not an empty field, metres.
    private static let nullIslandNeighbourhood = 5_000.0
    /// When GPS began to count: 1980-01-06. No receiver's date is before it.
    private static let gpsBegan = UTC(seconds: 315_964_800)
    /// 2100-01-01. No receiver's date is after it: NMEA's years have two digits.
    private static let lastDate = UTC(seconds: 4_102_444_800)
    /// 2025-01-01, before this was written: a host's clock that says less was never set.
    private static let hostNotSetBefore = UTC(seconds: 1_735_689_600)
    /// A GPS era: 1024 weeks, seconds.
    private static let era = 1024.0 * 7 * 86_400
    /// How far from a whole number of eras a date may be and still be a rollover, seconds.
    private static let eraTolerance = 86_400.0
    /// Fastest speed over ground that is not a fault, m/s: twice what civil receivers are allowed to give.
    private static let fastest = 1_030.0
    /// Altitudes that are not faults, metres: the deepest trench to the edge of space.
    private static let altitudes = -12_000.0...100_000.0

    /// What was left out, by reason.
    public private(set) var refusals = RefusalCounts()

    private let accuracyFloor: Double
    private var device: DeviceName?
    private var timeline = FixTimeline()
    private var clock = ReceiverClock()
    private var lastCoordinate: Coordinate?

    /// A gate that has seen nothing. No fix's accuracy is told as better than `accuracyFloor` metres.
    public init(accuracyFloor: Double = HorizontalAccuracy.defaultFloor) { self.accuracyFloor = accuracyFloor }

    /// Forgets the receiver; the counts stay.
    public mutating func reset() {
        device = nil
        timeline = FixTimeline()
        clock = ReceiverClock()
        lastCoordinate = nil
    }

    /// Judges an epoch. One of another receiver starts anew.
    public mutating func judge(_ epoch: Epoch) -> Result<Fix, RefusalReason> {
        if epoch.device != device {
            reset()
            device = epoch.device
        }
        do throws(RefusalReason) {
            let coordinate = try position(of: epoch)
            try placeInTime(epoch)
            lastCoordinate = coordinate
            return .success(fix(of: epoch, at: coordinate))
        } catch {
            refusals.add(error)
            return .failure(error)
        }
    }

    private func position(of epoch: Epoch) throws(RefusalReason) -> Coordinate {
        guard epoch.hasFix else { throw .noFix }
        guard let coordinate = epoch.coordinate else { throw .noPosition }
        if coordinate.latitude == 0, coordinate.longitude == 0 {
            guard let lastCoordinate, greatCircleDistance(lastCoordinate, coordinate) <= Self.nullIslandNeighbourhood
            else { throw .nullIsland }
        }
        return coordinate
    }

    private mutating func placeInTime(_ epoch: Epoch) throws(RefusalReason) {
        guard let time = epoch.time else { return }
        guard time >= Self.gpsBegan, time < Self.lastDate else { throw .implausibleDate }
        guard !Self.isWholeErasOff(time, host: epoch.arrival.utc) else { throw .weekRollover }
        switch timeline.place(time, arrival: epoch.arrival) {
        case .next: break
        case .restarted: clock.restart()
        case .refused(let reason): throw reason
        }
    }

    /// Whether a date is 1024 weeks off, or a multiple, by a host's clock that was set. Any other difference is none of
    /// the receiver's faults: recordings are played against today's clock.
    private static func isWholeErasOff(_ time: UTC, host: UTC) -> Bool {
        guard host >= hostNotSetBefore, host < lastDate else { return false }
        let difference = time.seconds(since: host)
        let eras = (difference / era).rounded()
        return eras != 0 && abs(difference - eras * era) <= eraTolerance
    }

    private mutating func fix(of epoch: Epoch, at coordinate: Coordinate) -> Fix {
        var fix = Fix(
            device: epoch.device, time: epoch.time,
            instant: clock.instant(of: epoch.time, arrival: epoch.arrival, cycle: epoch.cycle),
            arrival: epoch.arrival.monotonic, mode: epoch.mode, status: epoch.status, coordinate: coordinate)
        fix.accuracy = HorizontalAccuracy(of: epoch, floor: accuracyFloor)?.radius
        fix.altitudeEllipsoid = epoch.altitudeEllipsoid.flatMap(Self.altitude)
        fix.altitudeMSL = epoch.altitudeMSL.flatMap(Self.altitude)
        fix.altitudeAccuracy = Self.altitudeAccuracy(of: epoch)
        fix.speed = epoch.speed.flatMap { $0 >= 0 && $0 <= Self.fastest ? $0 : nil }
        fix.course = epoch.course
        fix.hdop = epoch.hdop
        return fix
    }

    private static func altitude(_ metres: Double) -> Double? { altitudes.contains(metres) ? metres : nil }

    /// 95 % half-width: the receiver's own (1.96 σ), else gpsd's.
    private static func altitudeAccuracy(of epoch: Epoch) -> Double? {
        [epoch.altitudeSigma.map { $0 * 1.96 }, epoch.epv].lazy.compactMap { $0 }
            .first { $0 > 0 && $0 <= HorizontalAccuracy.ceiling }
    }
}
