import CLinux
import Glibc
import PuckCore

/// A watch that reports at once that the host's UTC clock was set or the host slept, so that timers for a time of day
/// can be set again. It ends with its last reference. See TFD_TIMER_CANCEL_ON_SET in timerfd_create(2).
public final class ClockWatch {
    private let timer: FileDescriptor
    private var watch: IOWatch?

    init(loop: EventLoop, handler: @escaping (Moment) -> Void) throws(SystemError) {
        let flags = Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK)
        timer = FileDescriptor(
            owning: try systemCall("create a timer of UTC") { timerfd_create(CLOCK_REALTIME, flags) })
        try ClockWatch.arm(timer.number)
        let number = timer.number
        watch = try loop.watch(number, for: .readable) { _ in
            var count: UInt64 = 0
            _ = interruptible { read(number, &count, MemoryLayout<UInt64>.size) }
            // This fails only for a descriptor that is not a timer.
            try? ClockWatch.arm(number)
            handler(Clocks.now)
        }
    }

    deinit { watch?.cancel() }

    /// Arms the timer for a time that never comes, so that it becomes readable only when the clock is set.
    private static func arm(_ timer: Int32) throws(SystemError) {
        var never = itimerspec()
        never.it_value.tv_sec = time_t.max
        let flags = Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET)
        try systemCall("watch for changes of the clock") { timerfd_settime(timer, flags, &never, nil) }
    }
}
