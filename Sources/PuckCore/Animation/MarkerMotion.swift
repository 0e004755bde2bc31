/// Where a named marker is, and where it goes: linearly in longitude and latitude by the short way round, in its time.
struct MarkerMotion: Hashable, Sendable {
    private let start: Coordinate
    private let target: Coordinate
    private let departure: Instant
    private let duration: Double
    private let curve: EasingCurve

    /// A marker put down.
    init(at coordinate: Coordinate, since instant: Instant) {
        start = coordinate
        target = coordinate
        departure = instant
        duration = 0
        curve = .linear
    }

    /// The marker sent elsewhere at `instant`, from where it then is. Seconds; 0 puts it there.
    func retargeted(to target: Coordinate, at instant: Instant, duration: Double, curve: EasingCurve) -> MarkerMotion {
        MarkerMotion(
            start: coordinate(at: instant), target: target, departure: instant, duration: duration, curve: curve)
    }

    /// When it arrives.
    var arrival: Instant { departure.advanced(by: duration) }

    /// Whether it is still on its way.
    func isMoving(at instant: Instant) -> Bool { instant < arrival && start != target }

    /// Where it is.
    func coordinate(at instant: Instant) -> Coordinate {
        guard instant < arrival else { return target }
        let progress = curve.progress(at: instant.seconds(since: departure) / duration)
        return Coordinate(
            wrappingLongitude: start.longitude
                + shortestTurn(from: start.longitude, to: target.longitude) * progress,
            clampingLatitude: start.latitude + (target.latitude - start.latitude) * progress)
    }

    private init(start: Coordinate, target: Coordinate, departure: Instant, duration: Double, curve: EasingCurve) {
        self.start = start
        self.target = target
        self.departure = departure
        self.duration = duration
        self.curve = curve
    }
}
