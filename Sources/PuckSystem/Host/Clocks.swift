import CLinux
import Glibc
import PuckCore

/// The host's clocks.
public enum Clocks {
    /// The current time on both clocks, read one after the other: the clock for ages and timers, and CLOCK_REALTIME.
    public static var now: Moment {
        Moment(
            monotonic: Instant(nanoseconds: nanoseconds(ageing)),
            utc: UTC(nanoseconds: nanoseconds(CLOCK_REALTIME)))
    }

    /// The current CLOCK_MONOTONIC in microseconds, which the service manager expects. It stops while the host sleeps.
    /// See sd_notify(3).
    public static var monotonicMicroseconds: Int64 { nanoseconds(CLOCK_MONOTONIC) / 1_000 }

    /// The clock for ages and timers: CLOCK_BOOTTIME, which continues while the host sleeps. It is CLOCK_MONOTONIC if
    /// the kernel cannot read CLOCK_BOOTTIME or create timers on it, because readings and timers must use the same
    /// clock.
    static let ageing: clockid_t = {
        var time = timespec()
        let timer = timerfd_create(CLOCK_BOOTTIME, Int32(TFD_CLOEXEC))
        guard timer >= 0 else { return CLOCK_MONOTONIC }
        close(timer)
        return clock_gettime(CLOCK_BOOTTIME, &time) == 0 ? CLOCK_BOOTTIME : CLOCK_MONOTONIC
    }()

    private static func nanoseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        // This fails only for a clock that does not exist.
        _ = clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
