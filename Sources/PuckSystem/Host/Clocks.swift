import CLinux
import Glibc
import PuckCore

/// The host's clocks.
public enum Clocks {
    /// The clock that ages and waits, and CLOCK_REALTIME, read one after the other.
    public static var now: Moment {
        Moment(
            monotonic: Instant(nanoseconds: nanoseconds(ageing)),
            utc: UTC(nanoseconds: nanoseconds(CLOCK_REALTIME)))
    }

    /// CLOCK_MONOTONIC in microseconds: what the service manager asks for. It stops while the host sleeps. (sd_notify(3))
    public static var monotonicMicroseconds: Int64 { nanoseconds(CLOCK_MONOTONIC) / 1_000 }

    /// CLOCK_BOOTTIME, which goes on while the host sleeps; CLOCK_MONOTONIC on a kernel that can't read the first or make
    /// timers of it. Clock and timers must be one.
    static let ageing: clockid_t = {
        var time = timespec()
        let timer = timerfd_create(CLOCK_BOOTTIME, Int32(TFD_CLOEXEC))
        guard timer >= 0 else { return CLOCK_MONOTONIC }
        close(timer)
        return clock_gettime(CLOCK_BOOTTIME, &time) == 0 ? CLOCK_BOOTTIME : CLOCK_MONOTONIC
    }()

    private static func nanoseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        // It fails only for a clock that does not exist.
        _ = clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
