/// The direction of travel: believed above a speed, with hysteresis, and kept while it is not. (B1)
struct CourseHold: Hashable, Sendable {
    /// Its constants.
    struct Parameters: Hashable, Sendable {
        /// Believed from this speed on, m/s. Raw courses are 2° to 57° off at 0.2 to 0.5 m/s, 0.4° to 3.4° at 2 to 5 m/s.
        /// (measured)
        var on = 0.7
        /// And down to this one, m/s.
        var off = 0.4
        /// And only above this many standard deviations of the velocity.
        var deviations = 1.5
    }

    private var parameters: Parameters
    /// Whether the course is believed now.
    private(set) var isBelieved = false
    /// The last course believed.
    private(set) var held: Direction?

    init(_ parameters: Parameters) { self.parameters = parameters }

    /// Looks at a velocity (m/s) known to that standard deviation along each axis.
    mutating func update(velocity: PlaneVector, deviation: Double) {
        let threshold = max(isBelieved ? parameters.off : parameters.on, parameters.deviations * deviation)
        isBelieved = velocity.length > threshold
        if isBelieved { held = velocity.direction }
    }

    /// Stands still: the last course is kept.
    mutating func stop() { isBelieved = false }
}
