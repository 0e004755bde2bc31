/// The turn from one source of a bearing to the next. The difference between the two shrinks evenly to zero, so the
/// bearing follows its source all the time and never steps.
///
/// It adds at most 12 degrees a second (0.2° a frame at 60 frames a second) to the source's own turn. A difference of
/// more than 43° takes 4 seconds and turns faster: at most 50 degrees a second, for half a turn. Both ends are eased.
/// The remaining difference depends only on the instant, not on when frames are made.
struct BearingTurn: Hashable, Sendable {
    /// The fastest turn that does not look like a step, degrees a second.
    private static let fastest = 12.0
    /// The longest turn, seconds: after that a driver expects the right direction.
    private static let longest = 4.0
    /// The share of the duration in which the turn accelerates, and in which it slows down.
    private static let ease = 0.1
    /// The smallest difference that causes a turn, degrees.
    private static let least = 0.001

    private let start: Instant
    /// The old source's bearing minus the new one's at `start`, the shorter way, degrees.
    private let difference: Double
    private let duration: Double

    /// A turn from one bearing to another, degrees, starting at `instant`; nil if they are the same.
    init?(from old: Double, to new: Double, at instant: Instant) {
        difference = shortestTurn(from: new, to: old)
        guard difference.magnitude > Self.least else { return nil }
        start = instant
        duration = min(difference.magnitude / (Self.fastest * (1 - Self.ease)), Self.longest)
    }

    /// The end of the turn.
    var end: Instant { start.advanced(by: duration) }

    /// The degrees to add to the new source's bearing at an instant.
    func left(at instant: Instant) -> Double {
        let elapsed = instant.seconds(since: start)
        guard elapsed < duration else { return 0 }
        return difference * (1 - Self.progress(max(0, elapsed) / duration))
    }

    /// The completed share of the turn after a share of its duration: an even speed, eased at both ends.
    private static func progress(_ share: Double) -> Double {
        let speed = 1 / (1 - ease)
        if share < ease { return speed * share * share / (2 * ease) }
        if share <= 1 - ease { return speed * (share - ease / 2) }
        return 1 - speed * (1 - share) * (1 - share) / (2 * ease)
    }
}
