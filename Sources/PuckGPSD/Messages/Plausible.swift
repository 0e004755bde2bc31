import PuckCore

/// The ranges that a receiver's values can have. What lies outside is told as unknown; whether a value within is true
/// is for later stages to say.
enum Plausible {
    /// Speed over ground, m/s: twice what receivers for civil use may tell (515 m/s, the CoCom limit).
    static let speed = 0.0...1_000
    /// Altitude, metres: below the deepest sea floor, above the Kármán line.
    static let altitude = -12_000.0...100_000
    /// Magnetic variation, degrees east of true north.
    static let variation = -180.0...180
    /// Distance between two antennas, metres: to half the Earth's circumference.
    static let baseline = 0.0...20_037_508
    /// An error estimate or a standard deviation, metres: from half of the last digit that gpsd prints, since 0 means
    /// that there is none, to half the Earth's circumference.
    static let error = 0.000_5...20_037_508
    /// A dilution of precision: receivers send 99 and more, or 0, for "unknown".
    static let dilution = 0.01...98.99
    /// Satellites: no receiver has more channels.
    static let satellites = 0...1_000

    /// The value, where it is in the range; NaN is in none.
    static func value<T: Comparable>(_ value: T, in range: ClosedRange<T>) -> T? {
        range.contains(value) ? value : nil
    }
}
