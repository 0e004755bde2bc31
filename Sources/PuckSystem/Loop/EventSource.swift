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

    deinit { sd_event_source_disable_unref(pointer) }
}
