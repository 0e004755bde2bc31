import CLinux
import Glibc
import PuckCore

/// Notices at once that the host's UTC clock was set, or that the host slept: what waits for a time of day is to be looked
/// at anew. It ends with its last reference. (TFD_TIMER_CANCEL_ON_SET in timerfd_create(2))
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
            // It can fail only for a descriptor that is no timer.
            try? ClockWatch.arm(number)
            handler(Clocks.now)
        }
    }

    deinit { watch?.cancel() }

    /// For a time that never comes: it is readable only once the clock was set.
    private static func arm(_ timer: Int32) throws(SystemError) {
        var never = itimerspec()
        never.it_value.tv_sec = time_t.max
        let flags = Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET)
        try systemCall("watch for changes of the clock") { timerfd_settime(timer, flags, &never, nil) }
    }
}
