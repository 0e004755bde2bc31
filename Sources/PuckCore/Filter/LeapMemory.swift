/// How far a receiver's positions leapt lately: before such a leap or after it they were that wrong, and nothing says
/// which.
struct LeapMemory: Hashable, Sendable {
    /// Its constants.
    struct Parameters: Hashable, Sendable {
        /// A leap is this many standard deviations of the innovation …
        var deviations = 5.0
        /// … and this far, m.
        var least = 6.0
        /// It is forgotten with this time constant, s: reflections last as long as one is among the same houses. (measured)
        var memory = 120.0
    }

    private var parameters: Parameters
    /// The largest leap, as far as it is remembered, m.
    private(set) var distance = 0.0

    init(_ parameters: Parameters) { self.parameters = parameters }

    /// Takes a fix by its squared innovation and that innovation's variance along an axis (both m²), `interval` seconds
    /// after the fix before.
    mutating func update(squaredInnovation: Double, variance: Double, interval: Double) {
        distance *= exp(-interval / parameters.memory)
        let squaredLimit = max(
            parameters.least * parameters.least, parameters.deviations * parameters.deviations * variance)
        if squaredInnovation > squaredLimit { distance = max(distance, squaredInnovation.squareRoot()) }
    }
}
