import CSystemd
import Glibc
import PuckCore

/// A timer on the clock of `Clocks.now`, exact to what the kernel does: what falls due while the host sleeps fires when it
/// wakes. It ends with `cancel()`, or with its last reference; either may happen within its own handler.
public final class LoopTimer {
    private var source: EventSource?
    private var handler: ((Moment) -> Void)?
    /// The instant it will fire at; nil: not armed.
    public private(set) var deadline: Instant?

    /// How much later than asked sd-event may fire it, to wake the processor less often: the least it takes
    /// (0 would mean its default of 250 ms), in microseconds.
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

    /// Fires once at `deadline`, never earlier; at once where that is past. Replaces what it was armed for.
    public func arm(at deadline: Instant) {
        guard let pointer = source?.pointer else { return }
        self.deadline = deadline
        // Neither call can fail but for a loop that has ended, where nothing fires any more.
        _ = sd_event_source_set_time(pointer, LoopTimer.microseconds(deadline))
        _ = sd_event_source_set_enabled(pointer, Int32(SD_EVENT_ONESHOT))
    }

    /// Does not fire until it is armed again.
    public func disarm() {
        deadline = nil
        guard let pointer = source?.pointer else { return }
        _ = sd_event_source_set_enabled(pointer, Int32(SD_EVENT_OFF))
    }

    /// Ends the timer: the handler is not called again, and is let go.
    public func cancel() {
        deadline = nil
        source = nil
        handler = nil
    }

    /// sd-event's time for an instant: whole microseconds, rounded up so that it never fires early.
    private static func microseconds(_ instant: Instant) -> UInt64 {
        let nanoseconds = UInt64(max(0, instant.nanoseconds))
        return nanoseconds / 1_000 + (nanoseconds % 1_000 == 0 ? 0 : 1)
    }
}
