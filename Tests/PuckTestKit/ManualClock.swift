import PuckCore
import Synchronization

/// A clock that stands still until it is moved: the host's two clocks, as a test has them.
public final class ManualClock: Sendable {
    private let moment: Mutex<Moment>

    /// A clock that says so; by default a thousand seconds after boot, on 2026-06-01 at noon.
    public init(_ start: Moment = ManualClock.defaultStart) { moment = Mutex(start) }

    /// What it says.
    public var now: Moment { moment.withLock { $0 } }

    /// Lets `seconds` pass on both clocks, and returns what they then say.
    @discardableResult
    public func advance(by seconds: Double) -> Moment {
        moment.withLock {
            $0 = $0.advanced(by: seconds)
            return $0
        }
    }
    /// Sets the UTC clock `seconds` forward, or back where negative; the monotonic one does not notice.
    public func stepUTC(by seconds: Double) { moment.withLock { $0.utc = $0.utc.advanced(by: seconds) } }

    /// 1,000 s on the monotonic clock, 2026-06-01T12:00:00Z.
    public static let defaultStart = Moment(
        monotonic: Instant(nanoseconds: 1_000_000_000_000), utc: UTC(nanoseconds: 1_780_315_200_000_000_000))
}
