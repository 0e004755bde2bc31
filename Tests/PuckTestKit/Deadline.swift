import Glibc
import PuckCore
import PuckSystem

/// A deadline for a wait. Every wait of the test kit has one.
public struct Deadline: Sendable {
    private let end: Instant

    /// Creates a deadline this many seconds from now.
    public init(seconds: Double) { end = Clocks.now.monotonic.advanced(by: seconds) }

    /// The remaining time in seconds, never negative.
    public var remaining: Double { max(0, end.seconds(since: Clocks.now.monotonic)) }
    /// Whether the deadline has passed.
    public var hasPassed: Bool { remaining <= 0 }
    /// The remaining time in whole milliseconds, rounded up, for poll(2).
    var milliseconds: Int32 { Int32(min(remaining * 1e3, 1e6).rounded(.up)) }

    /// Sleeps for a few milliseconds, before the next check of a condition that can't be waited for.
    func pause() {
        let interval: Int32 = 5
        _ = Glibc.poll(nil, 0, min(interval, milliseconds))
    }

    /// Checks `condition` repeatedly until it is true, for at most `seconds`. Returns whether it became true.
    public static func poll(seconds: Double, until condition: () throws -> Bool) rethrows -> Bool {
        let deadline = Deadline(seconds: seconds)
        while try !condition() {
            if deadline.hasPassed { return false }
            deadline.pause()
        }
        return true
    }
}
