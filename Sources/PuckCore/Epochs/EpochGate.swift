extension RefusalReason: Error {}

/// Makes fixes of the epochs of one receiver, or says by name why not. It judges what an epoch says of itself; whether
/// a position fits the motion is the position filter's to say. A wrong date costs the fix its date, never its place.
public struct EpochGate: Sendable {
    /// How near the last fix must be to (0, 0) for exactly (0, 0) to be a place and not an empty field, metres.
    private static let nullIslandNeighbourhood = 5_000.0

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
            let order = try placeInTime(epoch)
            lastCoordinate = coordinate
            return .success(fix(of: epoch, at: coordinate, order: order))
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

    /// The time to order an epoch by, by the receiver's clock; nil: only its arrival says when it was true.
    private mutating func placeInTime(_ epoch: Epoch) throws(RefusalReason) -> UTC? {
        guard let time = epoch.time, ReceiverDate.canBeOrdered(time) else { return nil }
        switch timeline.place(time, arrival: epoch.arrival) {
        case .next(let time): return time
        case .restarted(let time):
            clock.restart()
            return time
        case .apart: return nil
        case .refused(let reason): throw reason
        }
    }

    private mutating func fix(of epoch: Epoch, at coordinate: Coordinate, order: UTC?) -> Fix {
        // A time that the timeline does not know to be the receiver's is no date to show either.
        let date = order == nil ? nil : epoch.time.flatMap { ReceiverDate.mended($0, host: epoch.arrival.utc) }
        var fix = Fix(
            device: epoch.device, time: date,
            instant: clock.instant(of: order, arrival: epoch.arrival, cycle: epoch.cycle),
            arrival: epoch.arrival.monotonic, mode: epoch.mode, status: epoch.status, coordinate: coordinate)
        fix.accuracy = HorizontalAccuracy(of: epoch, floor: accuracyFloor)?.radius
        fix.altitudeEllipsoid = epoch.altitudeEllipsoid.flatMap(Self.altitude)
        fix.altitudeMSL = epoch.altitudeMSL.flatMap(Self.altitude)
        fix.altitudeAccuracy = Self.altitudeAccuracy(of: epoch)
        fix.speed = epoch.speed.flatMap { VehicleLimits.speed.contains($0) ? $0 : nil }
        fix.course = epoch.course
        fix.hdop = epoch.hdop
        return fix
    }

    private static func altitude(_ metres: Double) -> Double? { VehicleLimits.altitude.contains(metres) ? metres : nil }

    /// 95 % half-width: the receiver's own (1.96 σ), else gpsd's.
    private static func altitudeAccuracy(of epoch: Epoch) -> Double? {
        [epoch.altitudeSigma.map { $0 * 1.96 }, epoch.epv].lazy.compactMap { $0 }
            .first { $0 > 0 && $0 <= HorizontalAccuracy.ceiling }
    }
}
