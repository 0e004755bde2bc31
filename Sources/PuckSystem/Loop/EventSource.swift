import CSystemd

/// The owner of one sd-event source, which it disables and releases at its end. sd-event allows that within the
/// source's own callback.
struct EventSource: ~Copyable {
    let pointer: OpaquePointer

    init(_ operation: String, _ add: (UnsafeMutablePointer<OpaquePointer?>) -> Int32) throws(SystemError) {
        var created: OpaquePointer?
        let result = add(&created)
        guard result >= 0, let created else { throw SystemError(operation, code: -result) }
        pointer = created
    }

    /// Sets which of several that are ready comes first: the lesser.
    func setPriority(_ priority: Int64) throws(SystemError) {
        try checked("set the priority of an event", sd_event_source_set_priority(pointer, priority))
    }

    deinit { sd_event_source_disable_unref(pointer) }
}
