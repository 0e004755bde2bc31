import PuckTestKit
import Testing

@testable import PuckCore

/// Splines, and the cutting of functions into them.
@Suite("Motion: splines")
struct HermiteSplineTests {
    private func random(_ seed: UInt64) -> () -> Double {
        var generator = SeededGenerator(seed: seed)
        return { Double(generator.next() % 2_000_001) / 1_000_000 - 1 }
    }

    private func cutter(
        tolerance: Double, _ value: @escaping (Double) -> Double, slope: @escaping (Double) -> Double
    ) -> SplineCutter {
        SplineCutter(
            function: { Knot(time: $0, value: SIMD4(value($0), 0, 0, 0), slope: SIMD4(slope($0), 0, 0, 0)) },
            value: { SIMD4(value($0), 0, 0, 0) }, scale: SIMD4(1 / tolerance, 0, 0, 0), step: 1.0 / 32)
    }

    @Test("a spline has the values and slopes of its knots, and its slope is that of its value", arguments: 0..<20)
    func spline(seed: UInt64) throws {
        let next = random(seed)
        var time = next()
        let knots = (0..<5).map { _ in
            time += 0.01 + abs(next())
            return Knot(
                time: time, value: SIMD4(next(), next(), next(), next()), slope: SIMD4(next(), next(), next(), next()))
        }
        let spline = try #require(HermiteSpline(knots))
        for knot in knots {
            #expect(abs(spline.value(at: knot.time) - knot.value).max() < 1e-12)
            #expect(abs(spline.slope(at: knot.time) - knot.slope).max() < 1e-9)
        }
        #expect(spline.value(at: knots[0].time - 1) == knots[0].value)
        #expect(spline.value(at: knots[4].time + 1) == knots[4].value)
        #expect(spline.slope(at: knots[4].time + 1) == .zero)
        for k in 1..<50 {
            let t = knots[0].time + (knots[4].time - knots[0].time) * Double(k) / 50
            let difference = (spline.value(at: t + 1e-6) - spline.value(at: t - 1e-6)) / 2e-6
            #expect(abs(difference - spline.slope(at: t)).max() < 1e-2)
        }
    }

    @Test("knots whose times do not rise are no spline")
    func unordered() {
        #expect(HermiteSpline([]) == nil)
        let knot = Knot(time: 1, value: .zero)
        #expect(HermiteSpline([knot, knot]) == nil)
        #expect(HermiteSpline([knot, Knot(time: 0, value: .zero)]) == nil)
    }

    @Test("a cubic is one piece")
    func cubic() {
        let cutter = cutter(tolerance: 1e-6) {
            1 + $0 * (2 + $0 * (3 - $0))
        } slope: {
            2 + $0 * (6 - 3 * $0)
        }
        #expect(cutter.cut(from: cutter.function(0), to: 2).map(\.time) == [0, 2])
    }

    @Test(
        "smooth functions are cut within the tolerance, and into no more pieces than even ones would take",
        arguments: 0..<20)
    func smooth(seed: UInt64) throws {
        let next = random(seed)
        let waves = (0..<3).map { _ in (size: next(), speed: 6 * next(), phase: 3 * next()) }
        let tolerance = 0.005
        let value = { (t: Double) in waves.reduce(0) { $0 + $1.size * sin($1.speed * t + $1.phase) } }
        let slope = { (t: Double) in waves.reduce(0) { $0 + $1.size * $1.speed * cos($1.speed * t + $1.phase) } }
        let cutter = cutter(tolerance: tolerance, value, slope: slope)
        let spline = try #require(HermiteSpline(cutter.cut(from: cutter.function(0), to: 2)))
        #expect(spline.knots.last?.time == 2)
        for k in 0...1_000 {
            let t = Double(k) / 500
            #expect(abs(spline.value(at: t)[0] - value(t)) <= 0.8 * tolerance)
        }
        // h⁴/384 × the largest fourth derivative is the error of a piece.
        let fourth = waves.reduce(0) { $0 + abs($1.size) * $1.speed * $1.speed * $1.speed * $1.speed }
        let even = (2 / (384 * 0.6 * tolerance / max(fourth, 1e-9)).squareRoot().squareRoot()).rounded(.up)
        #expect(Double(spline.knots.count - 1) <= max(1, even) + 1)
    }

    @Test("a corner is bridged, wherever it is, and a jump within a millisecond", arguments: 0..<20)
    func corners(seed: UInt64) throws {
        let next = random(seed)
        let (corner, before, after) = (1 + 0.9 * next(), 20 * next(), 20 * next())
        let step = seed.isMultiple(of: 2) ? 0 : 5 * next()
        let value = { (t: Double) in t < corner ? before * (t - corner) : step + after * (t - corner) }
        let cutter = cutter(tolerance: 0.005, value) { $0 < corner ? before : after }
        let spline = try #require(HermiteSpline(cutter.cut(from: cutter.function(0), to: 2)))
        for k in 0...1_000 {
            let t = Double(k) / 500
            if step != 0, abs(t - corner) < 0.001 { continue }
            #expect(abs(spline.value(at: t)[0] - value(t)) <= 0.005, "\(t) of \(corner)")
        }
        #expect(spline.knots.count <= 14)
    }

    @Test("a piece may begin beside the function by the tolerance, and comes back to it")
    func start() throws {
        let cutter = cutter(tolerance: 0.005, { sin($0) }, slope: { cos($0) })
        let start = Knot(time: 0, value: SIMD4(0.0049, 0, 0, 0), slope: SIMD4(0.9, 0, 0, 0))
        let knots = cutter.cut(from: start, to: 2)
        let spline = try #require(HermiteSpline(knots))
        #expect(knots[0] == start)
        for k in 0...200 { #expect(abs(spline.value(at: Double(k) / 100)[0] - sin(Double(k) / 100)) <= 0.0055) }
        #expect(abs(spline.value(at: 0.3)[0] - sin(0.3)) <= 0.003)
    }

    @Test("what no number of pieces describes ends sooner")
    func noise() {
        let next = random(1)
        let values = (0..<100_000).map { _ in next() }
        let cutter = cutter(tolerance: 1e-6) {
            values[Int(max(0, $0) * 40_000) % 100_000]
        } slope: { _ in
            0
        }
        let knots = cutter.cut(from: cutter.function(0), to: 2)
        #expect(knots.count == SplineCutter.mostPieces + 1)
    }
}

/// The largest lane.
private func abs(_ value: SIMD4<Double>) -> SIMD4<Double> {
    SIMD4(value[0].magnitude, value[1].magnitude, value[2].magnitude, value[3].magnitude)
}

private func abs(_ value: Double) -> Double { value.magnitude }
