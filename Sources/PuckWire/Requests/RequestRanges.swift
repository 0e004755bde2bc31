/// What a number of a request may be. Where the protocol gives no bound, one that no map or vehicle reaches, so that
/// what is reckoned from it stays finite.
enum RequestRanges {
    /// Frames a second. (the protocol)
    static let rate = 1.0...WireLimits.rate
    /// Web Mercator zoom. (MapLibre's and Mapbox's own bounds lie within)
    static let zoom = 0.0...24.0
    /// Camera tilt, degrees. (Mapbox's greatest)
    static let pitch = 0.0...85.0
    /// Padding, points.
    static let padding = 0.0...100_000.0
    /// A side of a screen, points.
    static let side = 1.0...100_000.0
    /// Vertical field of view, degrees. (MapLibre's greatest)
    static let fieldOfView = 1.0...150.0
    /// How long a movement takes, seconds: an hour.
    static let duration = 0.0...3_600.0
    /// Intervals and ages, seconds: a day.
    static let age = 0.0...86_400.0
    /// Distances and accuracies, metres: half the way round the Earth.
    static let metres = 0.0...20_100_000.0
    /// Speeds over ground, m/s.
    static let speed = 0.0...10_000.0
    /// Control points of an easing curve in time. (CSS)
    static let curveTime = 0.0...1.0
    /// Control points of an easing curve in progress.
    static let curveProgress = -10.0...10.0
}
