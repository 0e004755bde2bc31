import Glibc

/// Waits until a descriptor is ready, and returns what it is ready for; nil after `timeout` seconds (at most one day).
/// A nil timeout, the default, waits indefinitely. Use this in a program that does one thing at a time; a program that
/// serves many descriptors uses an `EventLoop`.
public func waitUntilReady(
    _ descriptor: Int32, for interest: Readiness, timeout: Double? = nil
) throws(SystemError) -> Readiness? {
    let end = timeout.map { Clocks.now.monotonic.advanced(by: max(0, min($0, longestWait))) }
    while true {
        var entry = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: interest.rawValue), revents: 0)
        // Rounded up, so that the loop does not spin through the last millisecond.
        let left = end.map { max(0, ($0.seconds(since: Clocks.now.monotonic) * 1_000).rounded(.up)) }
        switch poll(&entry, 1, left.map { Int32($0) } ?? -1) {
        case 0: return nil
        case -1 where errno == EINTR: continue
        case -1: throw SystemError("wait for a descriptor", code: errno)
        default: return Readiness(rawValue: UInt32(UInt16(bitPattern: entry.revents)))
        }
    }
}

/// The longest timeout: one day in seconds, because poll(2) counts milliseconds in 32 bits.
private let longestWait = 86_400.0
