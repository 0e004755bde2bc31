/// Cuts a function into as few cubic pieces as a tolerance allows.
///
/// Each piece is made as long as possible, from the start on. For a function whose pieces may be shortened at will that
/// gives the least number of them.
struct SplineCutter {
    /// The function's value and its change a second, at a time in seconds.
    let function: (Double) -> Knot
    /// The function's value alone.
    let value: (Double) -> SIMD4<Double>
    /// 1 / the error allowed, for each lane; 0 for a lane that is not used.
    let scale: SIMD4<Double>
    /// Seconds between the times at which pieces are compared with the function; pieces also end there if they can.
    let step: Double

    /// The most pieces that a function is cut into: what cannot be said with so many ends sooner.
    static let mostPieces = 48
    /// The share of the tolerance that a piece uses. The rest is for the piece that takes over in its midst.
    private static let share = 0.6
    /// The shortest piece, as a share of `step`: it bridges a corner of the function.
    private static let shortest = 1.0 / 1024
    /// From this share of the tolerance on, what is left of an earlier piece's error is soon worked off …
    private static let largeStart = 0.5
    /// … in so many steps.
    private static let shortFirst = 8.0

    /// The knots from `start`, which may differ from the function by the tolerance, to a time `end`.
    func cut(from start: Knot, to end: Double) -> [Knot] {
        var knots = [start]
        var error = self.error(of: start.value, at: start.time)
        var longest = error > Self.largeStart ? Self.shortFirst * step : .infinity
        while knots.count <= Self.mostPieces {
            let last = knots[knots.count - 1]
            guard last.time < end else { break }
            knots.append(next(after: last, error: error, until: min(end, last.time + longest)))
            (error, longest) = (0, .infinity)
        }
        return knots
    }

    /// How far a value is from the function's, as a share of the tolerance.
    func error(of value: SIMD4<Double>, at time: Double) -> Double {
        (value - self.value(time)).length(by: scale)
    }

    /// The end of the longest piece that starts at a knot.
    private func next(after start: Knot, error: Double, until end: Double) -> Knot {
        let first = (start.time / step + 1e-6).rounded(.down) + 1
        let last = (end / step - 1e-6).rounded(.up)
        func knot(_ index: Double) -> Knot? {
            let knot = function(min(index * step, end))
            return fits(start, knot, error: error) ? knot : nil
        }
        guard first <= last, var best = knot(first) else { return short(after: start, error: error, until: end) }
        // Twice as far, until it does not fit; then between the two.
        var (low, high, stride) = (first, last + 1, 1.0)
        while low < last {
            let index = min(low + stride, last)
            guard let longer = knot(index) else { high = index; break }
            (best, low, stride) = (longer, index, stride * 2)
        }
        while high - low > 1 {
            let middle = ((low + high) / 2).rounded(.down)
            if let longer = knot(middle) { (best, low) = (longer, middle) } else { high = middle }
        }
        return best
    }

    /// The end of a piece within one step.
    private func short(after start: Knot, error: Double, until end: Double) -> Knot {
        var length = min(step, end - start.time)
        let least = min(length, step * Self.shortest)
        while length > least {
            length /= 2
            var best = function(start.time + length)
            guard fits(start, best, error: error) else { continue }
            for share in [1.75, 1.5, 1.25] {
                let longer = function(start.time + length * share)
                if fits(start, longer, error: error) { best = longer; break }
            }
            return best
        }
        return function(start.time + least)
    }

    /// Whether the piece between two knots keeps to the function. What `start` itself is off by may fade along the piece.
    private func fits(_ start: Knot, _ end: Knot, error: Double) -> Bool {
        guard let piece = HermiteSpline([start, end]) else { return false }
        let length = end.time - start.time
        func isNear(_ time: Double) -> Bool {
            let left = 1 - (time - start.time) / length
            return self.error(of: piece.value(at: time), at: time)
                <= max(Self.share, error * left + Self.share * (1 - left))
        }
        // From the middle out: where it is off most, it is seen first.
        for share in [0.5, 0.25, 0.75] where !isNear(start.time + length * share) { return false }
        guard length > 3 * step else {
            return [0.125, 0.375, 0.625, 0.875].allSatisfy { isNear(start.time + length * $0) }
        }
        var index = (start.time / step).rounded(.down) + 1
        while index * step < end.time {
            if !isNear(index * step) { return false }
            index += 1
        }
        return true
    }
}
