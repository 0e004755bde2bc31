/// How fast a placed figure changes: only as far as its last two changes agree. A single step, such as the corner of a
/// drawn route or a start at full speed, does not begin a change that goes on.
struct PlacedTrend: Hashable, Sendable {
    /// Intervals of which a rate is reckoned, seconds: shorter ones say more of rounding than of the vehicle.
    private static let intervals = 0.02...3.0

    private var last = 0.0
    /// By a second; zero where nothing is known.
    private(set) var rate = 0.0

    /// Takes a change over so many seconds; `most`: a greater change a second is a step.
    mutating func take(_ change: Double, in interval: Double, most: Double) {
        guard Self.intervals.contains(interval), change.magnitude <= most * interval else { return forget() }
        let new = change / interval
        rate = new * last <= 0 ? 0 : new.magnitude < last.magnitude ? new : last
        last = new
    }

    /// Takes the last change by itself as what goes on.
    mutating func trust() { rate = last }

    /// Begins anew.
    mutating func forget() { (last, rate) = (0, 0) }
}
