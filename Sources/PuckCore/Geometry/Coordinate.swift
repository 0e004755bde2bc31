/// A geographic position on the WGS 84 ellipsoid.
public struct Coordinate: Hashable, Sendable {
    /// Degrees east of Greenwich, in [-180, 180).
    public let longitude: Double
    /// Degrees north of the equator, in [-90, 90].
    public let latitude: Double

    /// The position, or nil if a value is not a number or out of range. 180° east becomes -180°.
    public init?(longitude: Double, latitude: Double) {
        guard longitude >= -180, longitude <= 180, latitude >= -90, latitude <= 90 else { return nil }
        self.longitude = longitude == 180 ? -180 : longitude
        self.latitude = latitude
    }
    /// The position for computed values: longitude wrapped, latitude clamped. Both must be finite.
    public init(wrappingLongitude longitude: Double, clampingLatitude latitude: Double) {
        let turn = (longitude + 180).truncatingRemainder(dividingBy: 360)
        let wrapped = (turn < 0 ? turn + 360 : turn) - 180
        self.longitude = wrapped >= 180 ? -180 : wrapped
        self.latitude = min(90, max(-90, latitude))
    }
}

/// The WGS 84 ellipsoid and the mean sphere. (NGA.STND.0036)
public enum WGS84 {
    /// Semi-major axis, metres.
    public static let semiMajorAxis = 6_378_137.0
    /// First eccentricity squared.
    public static let eccentricitySquared = 6.694_379_990_14e-3
    /// Mean radius R₁ of the ellipsoid, metres. (IUGG)
    public static let meanRadius = 6_371_008.8
}

/// Great-circle distance on the mean sphere, in metres; within 0.6 % of the geodesic on the ellipsoid. (haversine)
public func greatCircleDistance(_ a: Coordinate, _ b: Coordinate) -> Double {
    let sinLatitude = sin(radians(b.latitude - a.latitude) / 2)
    let sinLongitude = sin(radians(b.longitude - a.longitude) / 2)
    let h =
        sinLatitude * sinLatitude + cos(radians(a.latitude)) * cos(radians(b.latitude)) * sinLongitude * sinLongitude
    return 2 * WGS84.meanRadius * asin(min(1, h.squareRoot()))
}
