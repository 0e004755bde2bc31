extension RefusalReason: Error {}

/// Turns the epochs of one receiver into fixes, or refuses them with a reason. It checks each epoch by itself; the
/// position filter checks whether a position fits the motion. With a wrong date, a fix loses its date but keeps its
/// position.
public struct EpochGate: Sendable {
    /// The maximum distance of the last fix from (0, 0), metres, for which exactly (0, 0) is a position and not an
    /// empty field.
    private static let nullIslandNeighbourhood = 5_000.0

    /// Refused epochs, by reason.
    public private(set) var refusals = RefusalCounts()

    private let accuracyFloor: Double
    private var device: DeviceName?
    private var timeline = FixTimeline()
    private var clock = ReceiverClock()
    private var lastCoordinate: Coordinate?

    /// A gate without history. It never reports an accuracy better than `accuracyFloor` metres.
    public init(accuracyFloor: Double = HorizontalAccuracy.defaultFloor) { self.accuracyFloor = accuracyFloor }

    /// Forgets the receiver; the counts stay.
    public mutating func reset() {
        device = nil
        timeline = FixTimeline()
        clock = ReceiverClock()
        lastCoordinate = nil
    }

    /// Checks an epoch. An epoch of another receiver starts again.
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

    /// The time to order an epoch by, from the receiver's clock; nil: only its arrival time is known.
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
        // A time that the timeline does not accept as the receiver's must not be shown as a date.
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

    /// 95 % half-width: the receiver's own (1.96 σ), or else gpsd's.
    private static func altitudeAccuracy(of epoch: Epoch) -> Double? {
        [epoch.altitudeSigma.map { $0 * 1.96 }, epoch.epv].lazy.compactMap { $0 }
            .first { $0 > 0 && $0 <= HorizontalAccuracy.ceiling }
    }
}
