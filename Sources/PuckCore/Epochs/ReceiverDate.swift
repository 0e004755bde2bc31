/// Decides which part of a receiver's date can be trusted.
///
/// GPS counts weeks up to 1,023 and starts again, so a receiver with old firmware is wrong by whole eras of 1,024
/// weeks, and everything else that it sends is right. If the host's clock is set, it shows which era it is. If it is
/// not, a date from before this program was written, or more than an era after it, is known to be wrong, but not by
/// how much.
enum ReceiverDate {
    /// A GPS era: 1,024 weeks, nanoseconds.
    static let era: Int64 = 1_024 * 7 * 86_400 * 1_000_000_000
    /// 2025-01-01, before this was written: a clock with an earlier time was never set.
    private static let written = UTC(seconds: 1_735_689_600)
    /// 2100-01-01: a host's clock with a later time was set wrong.
    private static let lastHost = UTC(seconds: 4_102_444_800)
    /// How far from whole eras a date may be to count as a rollover, nanoseconds: a day, because people set clocks to
    /// the wrong time zone, and receivers count leap seconds of their own.
    private static let rollover: Int64 = 86_400 * 1_000_000_000
    /// How far from the host's clock a date may be and still be right, nanoseconds: half a year. A host without a
    /// battery-backed clock starts at the time of its last shutdown.
    private static let staleHost: Int64 = 183 * 86_400 * 1_000_000_000
    /// The supported times: 1930 to 2200, so that every difference fits in nanoseconds.
    private static let reckonable = UTC(seconds: -1_262_304_000)..<UTC(seconds: 7_258_118_400)

    /// Whether epochs can be ordered by a time, whatever its date.
    static func canBeOrdered(_ time: UTC) -> Bool { reckonable.contains(time) }

    /// The receiver's time with its date corrected by whole eras if the host's clock shows them; nil if it is wrong
    /// and cannot be corrected.
    static func mended(_ time: UTC, host: UTC) -> UTC? {
        guard canBeOrdered(time) else { return nil }
        guard host >= written, host < lastHost else {
            return time >= written && time.nanoseconds < written.nanoseconds + era ? time : nil
        }
        let off = time.nanoseconds - host.nanoseconds
        let rest = withoutEras(off)
        guard rest.magnitude <= (rest == off ? staleHost : rollover).magnitude else { return nil }
        return UTC(nanoseconds: host.nanoseconds + rest)
    }

    /// A difference of two times, nanoseconds, without whole eras: from half an era before to half an era after.
    static func withoutEras(_ difference: Int64) -> Int64 {
        let rest = difference % era
        if rest > era / 2 { return rest - era }
        return rest < -era / 2 ? rest + era : rest
    }

    /// Seconds from `earlier` to `later` without whole eras. Both must be sortable.
    static func seconds(from earlier: UTC, to later: UTC) -> Double {
        Double(withoutEras(later.nanoseconds - earlier.nanoseconds)) / 1e9
    }
}
