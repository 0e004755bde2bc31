import PuckCore

/// The ranges of numbers in requests. If the protocol gives no limit, the range exceeds every map and vehicle, but
/// keeps all results finite.
public enum RequestRanges {
    /// Frames a second. (the protocol)
    public static let rate = 1.0...WireLimits.rate
    /// Web Mercator zoom. (MapLibre's and Mapbox's own limits are within it.)
    public static let zoom = 0.0...24.0
    /// Camera tilt, degrees. (Mapbox's maximum)
    public static let pitch = 0.0...85.0
    /// Padding, points.
    public static let padding = 0.0...100_000.0
    /// A side of a screen, points.
    public static let side = 1.0...100_000.0
    /// Vertical field of view, degrees. (MapLibre's maximum)
    public static let fieldOfView = 1.0...150.0
    /// Duration of a movement, seconds: an hour.
    public static let duration = 0.0...3_600.0
    /// Intervals and ages, seconds: a day.
    public static let age = 0.0...86_400.0
    /// Distances and accuracies, metres: half the Earth's circumference.
    public static let metres = 0.0...20_100_000.0
    /// Heights above the ellipsoid or the sea, metres: from below the deepest sea to beyond the orbits of satellites.
    public static let height = -20_000.0...100_000_000.0
    /// Half-widths of directions, degrees.
    public static let halfTurn = 0.0...180.0
    /// Pitch, degrees: positive with the bow up.
    public static let tilt = -90.0...90.0
    /// Roll, degrees: positive with the right side down.
    public static let roll = -180.0...180.0
    /// Instants of CLOCK_BOOTTIME, seconds: the range of 64 bits of nanoseconds.
    public static let monotonic = 0.0...9_223_372_036.0
    /// Speeds over ground, m/s.
    public static let speed = VehicleLimits.speed
    /// Control points of an easing curve in time. (CSS)
    public static let curveTime = 0.0...1.0
    /// Control points of an easing curve in progress.
    public static let curveProgress = -10.0...10.0
}
