import CSystemd
import Glibc
import PuckCore

/// A timer on the monotonic clock of `Clocks.now`, as precise as the kernel's. A timer that expires while the host
/// sleeps fires when the host wakes. It ends with `cancel()` or with its last reference. Both may happen in its own
/// handler.
public final class LoopTimer {
    private var source: EventSource?
    private var handler: ((Moment) -> Void)?
    /// The time at which the timer fires; nil if it is not armed.
    public private(set) var deadline: Instant?

    /// The delay that sd-event may add to wake the processor less often, in microseconds. 1 is the minimum; 0 would
    /// mean sd-event's default of 250 ms.
    private static let accuracy: UInt64 = 1

    init(loop: EventLoop, handler: @escaping (Moment) -> Void) throws(SystemError) {
        self.handler = handler
        let data = Unmanaged.passUnretained(self).toOpaque()
        source = try EventSource("create a timer") { created in
            sd_event_add_time(
                loop.event, created, Clocks.ageing, UInt64.max, LoopTimer.accuracy,
                { _, _, data in
                    guard let data else { return 0 }
                    let timer = Unmanaged<LoopTimer>.fromOpaque(data).takeUnretainedValue()
                    timer.deadline = nil
                    timer.handler?(Clocks.now)
                    return 0
                }, data)
        }
        disarm()
    }

    /// Arms the timer to fire once at `deadline`, never earlier, or at once if `deadline` has passed. It replaces an
    /// earlier deadline.
    public func arm(at deadline: Instant) {
        guard let pointer = source?.pointer else { return }
        self.deadline = deadline
        // These calls fail only for a loop that has ended, where no timer fires.
        _ = sd_event_source_set_time(pointer, LoopTimer.microseconds(deadline))
        _ = sd_event_source_set_enabled(pointer, Int32(SD_EVENT_ONESHOT))
    }

    /// Stops the timer from firing until it is armed again.
    public func disarm() {
        deadline = nil
        guard let pointer = source?.pointer else { return }
        _ = sd_event_source_set_enabled(pointer, Int32(SD_EVENT_OFF))
    }

    /// Ends the timer and releases the handler, which is not called again.
    public func cancel() {
        deadline = nil
        source = nil
        handler = nil
    }

    /// Converts an instant to sd-event's microseconds, rounded up so that the timer never fires early.
    private static func microseconds(_ instant: Instant) -> UInt64 {
        let nanoseconds = UInt64(max(0, instant.nanoseconds))
        return nanoseconds / 1_000 + (nanoseconds % 1_000 == 0 ? 0 : 1)
    }
}
