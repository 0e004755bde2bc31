import Glibc
import PuckCore
import PuckSystem

/// How long something may still take: every wait of the kit has one, and none waits without looking.
public struct Deadline: Sendable {
    private let end: Instant

    /// The deadline so many seconds from now.
    public init(seconds: Double) { end = Clocks.now.monotonic.advanced(by: seconds) }

    /// Seconds left, never negative.
    public var remaining: Double { max(0, end.seconds(since: Clocks.now.monotonic)) }
    /// Whether it is over.
    public var hasPassed: Bool { remaining <= 0 }
    /// What is left in whole milliseconds, rounded up, as poll(2) takes it.
    var milliseconds: Int32 { Int32(min(remaining * 1e3, 1e6).rounded(.up)) }

    /// Lets a few milliseconds pass before the next look at what can't be waited for.
    func pause() {
        let interval: Int32 = 5
        _ = Glibc.poll(nil, 0, min(interval, milliseconds))
    }

    /// Looks again and again until `condition` holds; false where the time ran out first.
    public static func poll(seconds: Double, until condition: () throws -> Bool) rethrows -> Bool {
        let deadline = Deadline(seconds: seconds)
        while try !condition() {
            if deadline.hasPassed { return false }
            deadline.pause()
        }
        return true
    }
}
