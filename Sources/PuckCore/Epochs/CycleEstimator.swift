/// Learns a receiver's cycle: the seconds from one epoch to the next. The median of the last few intervals, so that
/// a gap or a straggler does not count and a change of rate is followed within five epochs.
struct CycleEstimator: Hashable, Sendable {
    /// Intervals that the median is taken of. Odd, so that it is one of them.
    private static let window = 9
    /// Intervals before there is an answer.
    private static let enough = 3
    /// Longest interval that is a cycle and not an outage, seconds: three times the slowest receiver's (0.1 Hz).
    private static let longest = 30.0
    /// Shortest, seconds: 50 Hz.
    private static let shortest = 0.02

    private var intervals: [Double] = []
    private var next = 0

    /// Seconds from one epoch to the next; nil before it is known.
    private(set) var cycle: Double?

    /// Takes the interval between two epochs, in seconds.
    mutating func receive(interval: Double) {
        guard interval >= Self.shortest, interval <= Self.longest else { return }
        if intervals.count < Self.window {
            intervals.append(interval)
        } else {
            intervals[next] = interval
            next = (next + 1) % Self.window
        }
        guard intervals.count >= Self.enough else { return }
        cycle = intervals.sorted()[(intervals.count - 1) / 2]
    }
}
