/// What a number of a request may be. Where the protocol gives no bound, one that no map or vehicle reaches, so that
/// what is reckoned from it stays finite.
enum RequestRanges {
    /// Frames a second. (the protocol)
    static let rate = 1.0...WireLimits.rate
    /// Web Mercator zoom. (MapLibre's and Mapbox's own bounds lie within)
    static let zoom = 0.0...24.0
    /// Camera tilt, degrees. (Mapbox's greatest)
    static let pitch = 0.0...85.0
    /// Padding and screen sizes, points.
    static let points = 0.0...100_000.0
    /// Vertical field of view, degrees. (MapLibre's bounds)
    static let fieldOfView = 0.1...150.0
    /// Durations, intervals and ages, seconds: a day.
    static let seconds = 0.0...86_400.0
    /// Distances and accuracies, metres: half the way round the Earth.
    static let metres = 0.0...20_100_000.0
    /// Speeds over ground, m/s.
    static let speed = 0.0...10_000.0
    /// Control points of an easing curve in time. (CSS)
    static let curveTime = 0.0...1.0
    /// Control points of an easing curve in progress.
    static let curveProgress = -10.0...10.0
}
