/// The turn from one source of a bearing to the next: the difference between the two fades away evenly, so that the
/// bearing neither steps nor stops following its source.
///
/// It adds at most 12 degrees a second (0.2° a frame at 60 a second) to what the source itself turns. A difference of more
/// than 43° takes 4 seconds and turns faster: at most 50 degrees a second, for half a turn. Both ends are eased. What is
/// left is a function of the instant alone, so it does not depend on when frames are made.
struct BearingTurn: Hashable, Sendable {
    /// The fastest turn that no eye takes for a step, degrees a second.
    private static let fastest = 12.0
    /// The longest turn, seconds: a driver looks for the right direction by then.
    private static let longest = 4.0
    /// The share of the time in which it starts to turn, and in which it stops.
    private static let ease = 0.1
    /// Less than this is no turn, degrees.
    private static let least = 0.001

    private let start: Instant
    /// The old source's bearing less the new one's at `start`, by the short way, degrees.
    private let difference: Double
    private let duration: Double

    /// From one bearing to another, degrees, at `instant`; nil if they are the same.
    init?(from old: Double, to new: Double, at instant: Instant) {
        difference = shortestTurn(from: new, to: old)
        guard difference.magnitude > Self.least else { return nil }
        start = instant
        duration = min(difference.magnitude / (Self.fastest * (1 - Self.ease)), Self.longest)
    }

    /// When it is over.
    var end: Instant { start.advanced(by: duration) }

    /// What is to be added to the new source's bearing at an instant, degrees.
    func left(at instant: Instant) -> Double {
        let elapsed = instant.seconds(since: start)
        guard elapsed < duration else { return 0 }
        return difference * (1 - Self.progress(max(0, elapsed) / duration))
    }

    /// How much of the way is done after that share of the time: an even speed, eased at both ends.
    private static func progress(_ share: Double) -> Double {
        let speed = 1 / (1 - ease)
        if share < ease { return speed * share * share / (2 * ease) }
        if share <= 1 - ease { return speed * (share - ease / 2) }
        return 1 - speed * (1 - share) * (1 - share) / (2 * ease)
    }
}
