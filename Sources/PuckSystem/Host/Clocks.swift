import Glibc
import PuckCore

/// The host's two clocks.
public enum Clocks {
    /// CLOCK_MONOTONIC and CLOCK_REALTIME, read one after the other.
    public static var now: Moment {
        Moment(
            monotonic: Instant(nanoseconds: nanoseconds(CLOCK_MONOTONIC)),
            utc: UTC(nanoseconds: nanoseconds(CLOCK_REALTIME)))
    }

    private static func nanoseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        // It fails only for a clock that does not exist.
        _ = clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
