/// A point that a spline goes through, and how fast.
public struct Knot: Hashable, Sendable {
    /// Seconds since the motion's beginning.
    public var time: Double
    /// The value, in the channel's units; lanes that a channel does not use are 0.
    public var value: SIMD4<Double>
    /// The change of the value a second.
    public var slope: SIMD4<Double>

    /// A knot; by default, one where nothing moves.
    public init(time: Double, value: SIMD4<Double>, slope: SIMD4<Double> = .zero) {
        self.time = time
        self.value = value
        self.slope = slope
    }
}

/// A function of time in pieces, each a cubic given by the values and slopes at its ends. (cubic Hermite spline)
///
/// Before the first knot it has the first value, after the last knot the last value.
public struct HermiteSpline: Hashable, Sendable {
    /// At least one; their times rise.
    public let knots: [Knot]

    /// A spline through these knots; nil if there is none or their times do not rise.
    public init?(_ knots: [Knot]) {
        guard !knots.isEmpty, zip(knots, knots.dropFirst()).allSatisfy({ $0.time < $1.time }) else { return nil }
        self.knots = knots
    }

    /// A spline that has the same value at all times.
    public init(constant value: SIMD4<Double>) { knots = [Knot(time: 0, value: value)] }

    /// Whether it has the same value at all times.
    public var isConstant: Bool { knots.count == 1 }

    /// The value at a time, in seconds.
    public func value(at time: Double) -> SIMD4<Double> {
        guard let (a, b) = piece(at: time) else { return held(at: time).value }
        let h = b.time - a.time
        let u = (time - a.time) / h
        let rest = 1 - u
        let change: SIMD4<Double> = (b.value - a.value) * (u * u * (3 - 2 * u))
        let bends: SIMD4<Double> = (a.slope * rest - b.slope * u) * (u * rest * h)
        return a.value + change + bends
    }

    /// The change of the value a second at a time, in seconds; 0 outside the knots.
    public func slope(at time: Double) -> SIMD4<Double> {
        guard let (a, b) = piece(at: time) else {
            let knot = held(at: time)
            return knot.time == time ? knot.slope : .zero
        }
        let h = b.time - a.time
        let u = (time - a.time) / h
        let change: SIMD4<Double> = (b.value - a.value) * (6 * u * (1 - u) / h)
        let start: SIMD4<Double> = a.slope * ((1 - u) * (1 - 3 * u))
        let end: SIMD4<Double> = b.slope * (u * (3 * u - 2))
        return change + start + end
    }

    /// The knots around a time that lies between the first and the last.
    private func piece(at time: Double) -> (Knot, Knot)? {
        guard time >= knots[0].time, time < knots[knots.count - 1].time else { return nil }
        var (low, high) = (0, knots.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if knots[middle].time <= time { low = middle } else { high = middle }
        }
        return (knots[low], knots[high])
    }

    private func held(at time: Double) -> Knot {
        // What is no number counts as the beginning.
        time >= knots[knots.count - 1].time ? knots[knots.count - 1] : knots[0]
    }
}
