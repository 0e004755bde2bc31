/// An instant of the host's CLOCK_MONOTONIC, in nanoseconds. It never steps, so everything that is waited for,
/// aged or predicted is reckoned in it. (clock_gettime(2))
public struct Instant: Hashable, Comparable, Sendable {
    /// Nanoseconds since the host's boot (an arbitrary origin).
    public var nanoseconds: Int64

    /// The instant that many nanoseconds after the clock's origin.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
    /// The instant that many seconds after the clock's origin.
    public init(seconds: Double) { nanoseconds = Int64((seconds * 1e9).rounded()) }

    /// Seconds since the clock's origin.
    public var seconds: Double { Double(nanoseconds) / 1e9 }
    /// Seconds from `earlier` to this instant; negative where this one is the earlier.
    public func seconds(since earlier: Instant) -> Double {
        secondsBetween(earlier.nanoseconds, nanoseconds)
    }
    /// The instant `seconds` later (earlier where negative).
    public func advanced(by seconds: Double) -> Instant {
        Instant(nanoseconds: nanoseconds + Int64((seconds * 1e9).rounded()))
    }
    /// Whether `a` is the earlier.
    public static func < (a: Instant, b: Instant) -> Bool { a.nanoseconds < b.nanoseconds }
}

/// A point of Coordinated Universal Time, in nanoseconds since 1970-01-01T00:00:00Z without leap seconds (POSIX time).
/// It may step; it labels, and is never waited for.
public struct UTC: Hashable, Comparable, Sendable {
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    public var nanoseconds: Int64

    /// The time that many nanoseconds after 1970.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
    /// The time that many seconds after 1970.
    public init(seconds: Double) { nanoseconds = Int64((seconds * 1e9).rounded()) }

    /// Seconds since 1970.
    public var seconds: Double { Double(nanoseconds) / 1e9 }
    /// Seconds from `earlier` to this time; negative where this one is the earlier.
    public func seconds(since earlier: UTC) -> Double { secondsBetween(earlier.nanoseconds, nanoseconds) }
    /// The time `seconds` later (earlier where negative).
    public func advanced(by seconds: Double) -> UTC { UTC(nanoseconds: nanoseconds + Int64((seconds * 1e9).rounded())) }
    /// Whether `a` is the earlier.
    public static func < (a: UTC, b: UTC) -> Bool { a.nanoseconds < b.nanoseconds }
}

/// The seconds from one count of nanoseconds to another: exact, or where the difference is longer than 292 years (times
/// are what receivers make of them) as near as a Double is.
private func secondsBetween(_ earlier: Int64, _ later: Int64) -> Double {
    let (difference, overflow) = later.subtractingReportingOverflow(earlier)
    return (overflow ? Double(later) - Double(earlier) : Double(difference)) / 1e9
}

/// What both clocks of the host said when something happened. Every event of the pipeline carries one: nothing in it
/// reads a clock.
public struct Moment: Hashable, Sendable {
    /// CLOCK_MONOTONIC.
    public var monotonic: Instant
    /// CLOCK_REALTIME: right only where the host's clock is.
    public var utc: UTC

    /// A moment from what the two clocks said.
    public init(monotonic: Instant, utc: UTC) {
        self.monotonic = monotonic
        self.utc = utc
    }
    /// The moment `seconds` later, were neither clock set meanwhile.
    public func advanced(by seconds: Double) -> Moment {
        Moment(monotonic: monotonic.advanced(by: seconds), utc: utc.advanced(by: seconds))
    }
    /// The moment at which the monotonic clock says `instant`, were the UTC clock not set meanwhile.
    public func at(_ instant: Instant) -> Moment {
        Moment(
            monotonic: instant,
            utc: UTC(nanoseconds: utc.nanoseconds + (instant.nanoseconds - monotonic.nanoseconds)))
    }
}
