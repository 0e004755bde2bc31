/// The position and movement of a named marker: linear in longitude and latitude, the shorter way, in a given time.
struct MarkerMotion: Hashable, Sendable {
    private let start: Coordinate
    private let target: Coordinate
    private let departure: Instant
    private let duration: Double
    private let curve: EasingCurve

    /// A marker at rest.
    init(at coordinate: Coordinate, since instant: Instant) {
        start = coordinate
        target = coordinate
        departure = instant
        duration = 0
        curve = .linear
    }

    /// Moves the marker from its present position, starting at `instant`. Seconds; 0 places it at once.
    func retargeted(to target: Coordinate, at instant: Instant, duration: Double, curve: EasingCurve) -> MarkerMotion {
        MarkerMotion(
            start: coordinate(at: instant), target: target, departure: instant, duration: duration, curve: curve)
    }

    /// The end of the movement.
    var arrival: Instant { departure.advanced(by: duration) }

    /// Whether it is still moving.
    func isMoving(at instant: Instant) -> Bool { instant < arrival && start != target }

    /// Its position.
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
