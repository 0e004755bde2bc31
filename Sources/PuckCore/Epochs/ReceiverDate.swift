/// What of a receiver's date can be believed.
///
/// GPS counts weeks up to 1,023 and begins anew, so a receiver with old firmware is whole eras of 1,024 weeks off, and
/// all else that it says is right. Where the host's clock was set, it says which era it is; where it was not, a date from
/// before this program was written, or more than an era after it, is known to be wrong and not by how much.
enum ReceiverDate {
    /// A GPS era: 1,024 weeks, nanoseconds.
    static let era: Int64 = 1_024 * 7 * 86_400 * 1_000_000_000
    /// 2025-01-01, before this was written: a clock that says less was never set.
    private static let written = UTC(seconds: 1_735_689_600)
    /// 2100-01-01: a host's clock that says more was set wrong.
    private static let lastHost = UTC(seconds: 4_102_444_800)
    /// How far from whole eras a date may be and still be a rollover, nanoseconds: a day, since clocks are set by hand
    /// to the wrong time zone, and receivers count leap seconds of their own.
    private static let rollover: Int64 = 86_400 * 1_000_000_000
    /// How far from the host's clock a date may be and still be right, nanoseconds: half a year. A host without a clock
    /// that runs while it is off starts when it was last shut down.
    private static let staleHost: Int64 = 183 * 86_400 * 1_000_000_000
    /// Times that can be reckoned with: 1930 to 2200, so that the difference of any two has room in nanoseconds.
    private static let reckonable = UTC(seconds: -1_262_304_000)..<UTC(seconds: 7_258_118_400)

    /// Whether a time is one to order epochs by, whatever its date.
    static func canBeOrdered(_ time: UTC) -> Bool { reckonable.contains(time) }

    /// The receiver's time with its date put right by whole eras where the host's clock says so; nil where it can't be
    /// right, and is not known to be mended.
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

    /// A difference of two times, nanoseconds, less the whole eras in it: from half an era before to half an era after.
    static func withoutEras(_ difference: Int64) -> Int64 {
        let rest = difference % era
        if rest > era / 2 { return rest - era }
        return rest < -era / 2 ? rest + era : rest
    }

    /// Seconds from `earlier` to `later` less the whole eras in them. Both can be ordered by.
    static func seconds(from earlier: UTC, to later: UTC) -> Double {
        Double(withoutEras(later.nanoseconds - earlier.nanoseconds)) / 1e9
    }
}
