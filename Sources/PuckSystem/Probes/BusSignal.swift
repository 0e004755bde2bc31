import CSystemd
import Glibc
import PuckCore

/// Waits up to `seconds` for a signal with this interface and name on the system's D-Bus, where any user may listen.
/// Returns true as soon as one arrives, false if none does, and nil if there is no bus. See sd-bus(3).
public func isHeardOnBus(interface: String, member: String, within seconds: Double) throws(SystemError) -> Bool? {
    var bus: OpaquePointer?
    guard sd_bus_open_system(&bus) >= 0, let bus else { return nil }
    defer { _ = sd_bus_flush_close_unref(bus) }
    let heard = UnsafeMutablePointer<Bool>.allocate(capacity: 1)
    heard.initialize(to: false)
    defer { heard.deallocate() }
    let result = sd_bus_match_signal(
        bus, nil, nil, nil, interface, member,
        { _, context, _ in
            context?.assumingMemoryBound(to: Bool.self).pointee = true
            return 0
        }, heard)
    guard result >= 0 else { throw SystemError("listen on the system's D-Bus", code: -result) }
    let end = Clocks.now.monotonic.advanced(by: seconds)
    while !heard.pointee {
        let progress = sd_bus_process(bus, nil)
        guard progress >= 0 else { throw SystemError("listen on the system's D-Bus", code: -progress) }
        if progress > 0 { continue }
        let left = end.seconds(since: Clocks.now.monotonic)
        guard left > 0 else { break }
        let waited = sd_bus_wait(bus, UInt64(left * 1e6) + 1)
        guard waited >= 0 || waited == -EINTR else { throw SystemError("listen on the system's D-Bus", code: -waited) }
    }
    return heard.pointee
}
