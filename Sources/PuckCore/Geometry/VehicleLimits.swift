/// The limits of a vehicle's motion. A value outside is an error of its source.
public enum VehicleLimits {
    /// Speed over ground, m/s: up to twice the fastest that receivers for civil use may report (515 m/s, the CoCom limit).
    public static let speed = 0.0...1_030.0
    /// Altitude, metres: from the deepest trench to the edge of space.
    public static let altitude = -12_000.0...100_000.0
}
