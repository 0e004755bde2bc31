import CSystemd
import Glibc

/// Work of a loop that is done piece by piece, each after all that is urgent. It ends with its last reference.
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

    /// Has the handler called once, when nothing urgent is to be done.
    public func schedule() { enable(Int32(SD_EVENT_ONESHOT)) }

    private func enable(_ mode: Int32) {
        // It can fail only for a loop that has ended, where nothing is done any more.
        if let pointer = source?.pointer { _ = sd_event_source_set_enabled(pointer, mode) }
    }
}
