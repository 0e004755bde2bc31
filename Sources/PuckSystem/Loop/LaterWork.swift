import CSystemd
import Glibc

/// Work on the event loop that runs in pieces, each after all urgent events. It ends with its last reference.
public final class LaterWork {
    private var source: EventSource?
    private let handler: () -> Void

    init(loop: EventLoop, priority: Int64, handler: @escaping () -> Void) throws(SystemError) {
        self.handler = handler
        let data = Unmanaged.passUnretained(self).toOpaque()
        source = try EventSource("create a piece of work") { created in
            sd_event_add_defer(
                loop.event, created,
                { _, data in
                    if let data { Unmanaged<LaterWork>.fromOpaque(data).takeUnretainedValue().handler() }
                    return 0
                }, data)
        }
        try source?.setPriority(priority)
        enable(Int32(SD_EVENT_OFF))
    }

    /// Makes the loop call the handler once, when no urgent event is left.
    public func schedule() { enable(Int32(SD_EVENT_ONESHOT)) }

    private func enable(_ mode: Int32) {
        // This fails only for a loop that has ended, which runs no more work.
        if let pointer = source?.pointer { _ = sd_event_source_set_enabled(pointer, mode) }
    }
}
