extension EasingCurve {
    /// The progress after the share `x` of the time: 0 at the start and 1 at the end.
    ///
    /// `x` outside [0, 1] counts as the nearer end, and NaN as the end: an animation without a valid time is over.
    /// Control points outside their range are limited to it, so that time stays single-valued.
    public func progress(at x: Double) -> Double {
        guard x > 0 else { return x.isNaN ? 1 : 0 }
        guard x < 1 else { return 1 }
        // The curve of most markers; a frame can have hundreds.
        if self == .linear { return x }
        let time = Cubic(Self.unit(x1), Self.unit(x2))
        let value = Cubic(Self.finite(y1), Self.finite(y2))
        return value.at(time.parameter(of: x))
    }

    private static func unit(_ value: Double) -> Double { value >= 0 ? min(value, 1) : 0 }
    private static func finite(_ value: Double) -> Double { value.isFinite ? value : 0 }
}

/// One coordinate of a Bézier curve from 0 to 1, as a polynomial in its parameter.
private struct Cubic {
    let a, b, c: Double

    init(_ first: Double, _ second: Double) {
        c = 3 * first
        b = 3 * (second - first) - c
        a = 1 - c - b
    }

    func at(_ t: Double) -> Double { ((a * t + b) * t + c) * t }
    func slope(_ t: Double) -> Double { (3 * a * t + 2 * b) * t + c }

    /// The parameter at which the coordinate is `x`, in (0, 1), to `tolerance`. The coordinate must not fall.
    ///
    /// Newton's step where it stays inside the bracket, else a bisection: so it ends also where the slope is zero.
    func parameter(of x: Double) -> Double {
        var low = 0.0
        var high = 1.0
        var t = x
        for _ in 0..<Self.mostSteps {
            let error = at(t) - x
            if abs(error) < Self.tolerance { return t }
            if error > 0 { high = t } else { low = t }
            let step = t - error / slope(t)
            t = step > low && step < high ? step : (low + high) / 2
        }
        return t
    }

    /// Error allowed in time, as a share of the whole: 1e-9 of the longest second-scale animation is below a nanosecond.
    private static let tolerance = 1e-9
    /// Bisection alone gets from 1 to under the tolerance in thirty steps; Newton takes the odd one.
    private static let mostSteps = 64
}
