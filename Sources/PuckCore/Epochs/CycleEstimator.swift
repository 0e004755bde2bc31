/// Learns a receiver's cycle: the seconds from one epoch to the next. It is the median of the last few intervals, so
/// a gap or a late epoch has no effect, and a change of rate is known within five epochs.
struct CycleEstimator: Hashable, Sendable {
    /// The number of intervals for the median. It is odd, so the median is one of them.
    private static let window = 9
    /// Intervals before there is an answer.
    private static let enough = 3
    /// The longest interval that is a cycle and not an outage, seconds: three times the slowest receiver's (0.1 Hz).
    private static let longest = 30.0
    /// The shortest interval, seconds: 50 Hz.
    private static let shortest = 0.02

    private var intervals: [Double] = []
    private var next = 0

    /// Seconds from one epoch to the next; nil before they are known.
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
