import PuckCore

/// The plausible ranges of a receiver's values. A value outside is reported as unknown; later stages check whether a
/// value inside is true.
enum Plausible {
    /// Magnetic variation, degrees east of true north.
    static let variation = -180.0...180
    /// Distance between two antennas, metres: to half the Earth's circumference.
    static let baseline = 0.0...20_037_508
    /// An error estimate or a standard deviation, metres: from half of the last digit that gpsd prints, because 0
    /// means unknown, to half the Earth's circumference.
    static let error = 0.000_5...20_037_508
    /// A dilution of precision: receivers send 99 and more, or 0, for "unknown".
    static let dilution = 0.01...98.99
    /// Number of satellites: no receiver has more channels.
    static let satellites = 0...1_000

    /// A mode or a count, before its own range is checked.
    static let count = 0...999_999_999
    /// A receiver's time. After three week rollovers, a receiver's date is in the 1960s.
    static let time = UTC(nanoseconds: -1_262_304_000 * 1_000_000_000)...UTC(nanoseconds: year2200 * 1_000_000_000 - 1)
    /// 2200-01-01, seconds since 1970. (1930-01-01 is 1,262,304,000 s before 1970.)
    static let year2200: Int64 = 7_258_118_400

    /// The value if it is in the range, otherwise nil; NaN is in no range.
    static func value<T: Comparable>(_ value: T, in range: ClosedRange<T>) -> T? {
        range.contains(value) ? value : nil
    }
}
