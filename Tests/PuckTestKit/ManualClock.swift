import PuckCore
import Synchronization

/// A clock for tests that moves only when a test moves it. It replaces the host's two clocks.
public final class ManualClock: Sendable {
    private let moment: Mutex<Moment>

    /// Creates a clock with this time; default `defaultStart`.
    public init(_ start: Moment = ManualClock.defaultStart) { moment = Mutex(start) }

    /// The current time on both clocks.
    public var now: Moment { moment.withLock { $0 } }

    /// Advances both clocks by `seconds`, and returns the new time.
    @discardableResult
    public func advance(by seconds: Double) -> Moment {
        moment.withLock {
            $0 = $0.advanced(by: seconds)
            return $0
        }
    }
    /// Moves the UTC clock by `seconds`, which may be negative. The monotonic clock does not change.
    public func stepUTC(by seconds: Double) { moment.withLock { $0.utc = $0.utc.advanced(by: seconds) } }

    /// The default start: 1,000 s on the monotonic clock, 2026-06-01T12:00:00Z.
    public static let defaultStart = Moment(
        monotonic: Instant(nanoseconds: 1_000_000_000_000), utc: UTC(nanoseconds: 1_780_315_200_000_000_000))
}
