/// The rate of change of a placed value, as far as its last two changes agree. A single step, such as the corner of a
/// drawn route or a start at full speed, does not begin a trend.
struct PlacedTrend: Hashable, Sendable {
    /// The intervals from which a rate is computed, seconds. Over a shorter one, rounding would dominate.
    private static let intervals = 0.02...3.0

    private var last = 0.0
    /// Change a second; zero if unknown.
    private(set) var rate = 0.0

    /// Takes a change over an interval in seconds. `most`: a greater change a second is a step.
    mutating func take(_ change: Double, in interval: Double, most: Double) {
        guard Self.intervals.contains(interval), change.magnitude <= most * interval else { return forget() }
        let new = change / interval
        rate = new * last <= 0 ? 0 : new.magnitude < last.magnitude ? new : last
        last = new
    }

    /// Uses the last change alone as the trend.
    mutating func trust() { rate = last }

    /// Forgets the trend.
    mutating func forget() { (last, rate) = (0, 0) }
}
