import CSystemd

/// A watch over one descriptor. It ends with `cancel()`, or with its last reference; either may happen within its own
/// handler.
public final class IOWatch {
    private var source: EventSource?
    private var handler: ((Readiness) -> Void)?

    /// What is watched for.
    public var interest: Readiness {
        didSet {
            guard interest != oldValue, let pointer = source?.pointer else { return }
            // It can fail only for a loop that has ended, where nothing is watched any more.
            _ = sd_event_source_set_io_events(pointer, interest.rawValue)
        }
    }

    init(
        loop: EventLoop, descriptor: Int32, interest: Readiness, handler: @escaping (Readiness) -> Void
    ) throws(SystemError) {
        self.interest = interest
        self.handler = handler
        // sd-event keeps an unretained pointer to this object: the source is gone before the object is.
        let data = Unmanaged.passUnretained(self).toOpaque()
        source = try EventSource("watch descriptor \(descriptor)") { created in
            sd_event_add_io(
                loop.event, created, descriptor, interest.rawValue,
                { _, _, events, data in
                    guard let data else { return 0 }
                    // Retained while the handler runs, which may drop the last reference of others.
                    let watch = Unmanaged<IOWatch>.fromOpaque(data).takeUnretainedValue()
                    watch.handler?(Readiness(rawValue: events))
                    return 0
                }, data)
        }
    }

    /// Ends the watch: the handler is not called again, and is let go.
    public func cancel() {
        source = nil
        handler = nil
    }
}
