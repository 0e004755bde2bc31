import CSystemd

/// An owned sd-event source. It is disabled and released when this value goes out of scope, which sd-event allows even
/// in the source's own callback.
struct EventSource: ~Copyable {
    let pointer: OpaquePointer

    init(_ operation: String, _ add: (UnsafeMutablePointer<OpaquePointer?>) -> Int32) throws(SystemError) {
        var created: OpaquePointer?
        let result = add(&created)
        guard result >= 0, let created else { throw SystemError(operation, code: -result) }
        pointer = created
    }

    /// Sets the priority. Of several sources that are ready, the one with the lowest number is served first.
    func setPriority(_ priority: Int64) throws(SystemError) {
        try checked("set the priority of an event", sd_event_source_set_priority(pointer, priority))
    }

    deinit { sd_event_source_disable_unref(pointer) }
}
