// No arithmetic here traps: times come from receivers, recordings and requests, which may contain anything. A result
// out of range becomes the nearest possible time (the years 1677 and 2262), and NaN counts as zero.

/// An instant of the host's CLOCK_BOOTTIME, in nanoseconds. It never steps, and continues while the host sleeps, so
/// all waits, ages and predictions use it. (clock_gettime(2))
public struct Instant: Hashable, Comparable, Sendable {
    /// Nanoseconds since the host's boot, sleep included (an arbitrary origin).
    public var nanoseconds: Int64

    /// The instant that many nanoseconds after the clock's origin.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
    /// The instant that many seconds after the clock's origin, or the nearest that fits.
    public init(seconds: Double) { nanoseconds = Int64(nearestNanosecondsOf: seconds) }

    /// Seconds since the clock's origin.
    public var seconds: Double { Double(nanoseconds) / 1e9 }
    /// Seconds from `earlier` to this instant; negative if this one is earlier.
    public func seconds(since earlier: Instant) -> Double {
        secondsBetween(earlier.nanoseconds, nanoseconds)
    }
    /// The instant `seconds` later (earlier if negative), or the nearest that fits.
    public func advanced(by seconds: Double) -> Instant {
        advanced(byNanoseconds: Int64(nearestNanosecondsOf: seconds))
    }
    /// The instant that many nanoseconds later (earlier if negative), or the nearest that fits.
    public func advanced(byNanoseconds count: Int64) -> Instant { Instant(nanoseconds: nanoseconds.adding(count)) }
    /// Whether `a` is earlier.
    public static func < (a: Instant, b: Instant) -> Bool { a.nanoseconds < b.nanoseconds }
}

/// A point of Coordinated Universal Time, in nanoseconds since 1970-01-01T00:00:00Z without leap seconds (POSIX
/// time). It may step, so it is only a label; nothing waits for it.
public struct UTC: Hashable, Comparable, Sendable {
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    public var nanoseconds: Int64

    /// The time that many nanoseconds after 1970.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
    /// The time that many seconds after 1970, or the nearest that fits.
    public init(seconds: Double) { nanoseconds = Int64(nearestNanosecondsOf: seconds) }

    /// Seconds since 1970.
    public var seconds: Double { Double(nanoseconds) / 1e9 }
    /// Seconds from `earlier` to this time; negative if this one is earlier.
    public func seconds(since earlier: UTC) -> Double { secondsBetween(earlier.nanoseconds, nanoseconds) }
    /// The time `seconds` later (earlier if negative), or the nearest that fits.
    public func advanced(by seconds: Double) -> UTC { advanced(byNanoseconds: Int64(nearestNanosecondsOf: seconds)) }
    /// The time that many nanoseconds later (earlier if negative), or the nearest that fits.
    public func advanced(byNanoseconds count: Int64) -> UTC { UTC(nanoseconds: nanoseconds.adding(count)) }
    /// Whether `a` is earlier.
    public static func < (a: UTC, b: UTC) -> Bool { a.nanoseconds < b.nanoseconds }
}

/// The seconds from one count of nanoseconds to another: exact, or, if the difference is longer than 292 years
/// (receivers can send any time), as near as a Double allows.
private func secondsBetween(_ earlier: Int64, _ later: Int64) -> Double {
    let (difference, overflow) = later.subtractingReportingOverflow(earlier)
    return (overflow ? Double(later) - Double(earlier) : Double(difference)) / 1e9
}

extension Int64 {
    /// Seconds in nanoseconds, rounded, or the nearest possible count; zero for NaN.
    public init(nearestNanosecondsOf seconds: Double) {
        let nanoseconds = (seconds * 1e9).rounded()
        if let exact = Int64(exactly: nanoseconds) {
            self = exact
        } else {
            self = nanoseconds > 0 ? .max : nanoseconds < 0 ? .min : 0
        }
    }

    /// The sum, or the nearest number that fits.
    func adding(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        guard overflow else { return sum }
        return other > 0 ? .max : .min
    }

    /// The difference, or the nearest number that fits.
    func lessened(by other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        guard overflow else { return difference }
        return other < 0 ? .max : .min
    }
}

/// The readings of both clocks of the host at an event. Every event of the pipeline has one: the pipeline reads no
/// clock.
public struct Moment: Hashable, Sendable {
    /// CLOCK_BOOTTIME: it counts the host's sleep.
    public var monotonic: Instant
    /// CLOCK_REALTIME: right only if the host's clock is.
    public var utc: UTC

    /// A moment with these readings.
    public init(monotonic: Instant, utc: UTC) {
        self.monotonic = monotonic
        self.utc = utc
    }
    /// The moment `seconds` later, if neither clock is set meanwhile.
    public func advanced(by seconds: Double) -> Moment {
        Moment(monotonic: monotonic.advanced(by: seconds), utc: utc.advanced(by: seconds))
    }
    /// The moment that many nanoseconds later, if neither clock is set meanwhile.
    public func advanced(byNanoseconds count: Int64) -> Moment {
        Moment(monotonic: monotonic.advanced(byNanoseconds: count), utc: utc.advanced(byNanoseconds: count))
    }
    /// The moment at which the monotonic clock shows `instant`, if the UTC clock is not set meanwhile.
    public func at(_ instant: Instant) -> Moment {
        let later = instant.nanoseconds.lessened(by: monotonic.nanoseconds)
        return Moment(monotonic: instant, utc: utc.advanced(byNanoseconds: later))
    }
}

extension Moment {
    /// Both clocks, rounded down to the minute. Approximate locations have no finer time.
    public var flooredToMinute: Moment { Moment(monotonic: monotonic.flooredToMinute, utc: utc.flooredToMinute) }

    /// A minute in seconds.
    static let minute = 60.0
}

extension Instant {
    /// The instant, rounded down to a minute of its clock.
    public var flooredToMinute: Instant { Instant(nanoseconds: nanoseconds.flooredToMinute) }
}

extension UTC {
    /// The time, rounded down to the minute.
    public var flooredToMinute: UTC { UTC(nanoseconds: nanoseconds.flooredToMinute) }
}

extension Int64 {
    /// A count of nanoseconds, rounded down to the minute, or the first one that fits.
    fileprivate var flooredToMinute: Int64 {
        let rest = self % 60_000_000_000
        let (floor, overflow) = subtractingReportingOverflow(rest < 0 ? rest + 60_000_000_000 : rest)
        return overflow ? self - rest : floor
    }
}
