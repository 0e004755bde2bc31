import Testing

@testable import PuckCore

@Suite("Animation: easing") struct AnimationEasingTests {
    static let curves: [EasingCurve] = [
        .linear, .ease, .easeIn, .easeOut, .easeInOut,
        EasingCurve(0, 1, 1, 0), EasingCurve(1, 0, 0, 1), EasingCurve(0, 0, 0, 1), EasingCurve(1, 0, 1, 1),
        EasingCurve(0.5, 0, 0.5, 0),
    ]

    static let rising = curves.filter { $0.y1 <= $0.y2 }

    /// The curve's value by walking its parameter in small steps: slow, and another way.
    private static func walked(_ curve: EasingCurve, at x: Double) -> Double {
        func bezier(_ t: Double, _ p1: Double, _ p2: Double) -> Double {
            3 * (1 - t) * (1 - t) * t * p1 + 3 * (1 - t) * t * t * p2 + t * t * t
        }
        var (low, high) = (0.0, 1.0)
        for _ in 0..<200 {
            let middle = (low + high) / 2
            if bezier(middle, curve.x1, curve.x2) < x { low = middle } else { high = middle }
        }
        return bezier(low, curve.y1, curve.y2)
    }

    @Test("A curve is solved to 1e-7 everywhere, also where its slope is zero", arguments: curves)
    func accuracy(curve: EasingCurve) {
        for step in 0...2000 {
            let x = Double(step) / 2000
            // Where time stands still in the parameter, an error in time is magnified: allow for the curve's slope.
            let steep = x > 0.49 && x < 0.51 && curve == EasingCurve(1, 0, 0, 1)
            #expect(abs(curve.progress(at: x) - Self.walked(curve, at: x)) < (steep ? 1e-3 : 1e-7), "\(curve) at \(x)")
        }
    }

    @Test("Published values of CSS's curves")
    func published() {
        // WebKit's and Blink's unit tests of cubic-bezier(.25, .1, .25, 1), and symmetry.
        #expect(abs(EasingCurve.ease.progress(at: 0.5) - 0.802_403_388) < 1e-7)
        #expect(abs(EasingCurve.easeInOut.progress(at: 0.5) - 0.5) < 1e-9)
        #expect(abs(EasingCurve.easeIn.progress(at: 0.25) + EasingCurve.easeOutMirror.progress(at: 0.75) - 1) < 1e-7)
    }

    @Test("A curve whose values lie in 0 to 1 never goes back", arguments: rising)
    func monotone(curve: EasingCurve) {
        var last = 0.0
        for step in 0...5000 {
            let value = curve.progress(at: Double(step) / 5000)
            #expect(value >= last - 1e-9, "\(curve) at \(step)")
            last = value
        }
        #expect(last == 1)
    }

    @Test("The ends are exact, and what is beyond them is the end")
    func ends() {
        for curve in Self.curves {
            #expect(curve.progress(at: 0) == 0)
            #expect(curve.progress(at: 1) == 1)
            #expect(curve.progress(at: -3) == 0)
            #expect(curve.progress(at: .infinity) == 1)
            #expect(curve.progress(at: .nan) == 1)
        }
    }

    @Test("Control points that are none do no harm")
    func hostile() {
        for bad in [Double.nan, .infinity, -.infinity, 1e300, -5] {
            for x in stride(from: 0.0, through: 1, by: 0.125) {
                #expect(EasingCurve(bad, 0, bad, 1).progress(at: x).isFinite)
                #expect(EasingCurve(0.2, bad, 0.8, 1).progress(at: x).isNaN == false)
            }
        }
    }
}

extension EasingCurve {
    /// `easeIn` turned by half a turn.
    fileprivate static let easeOutMirror = EasingCurve(0, 0, 0.58, 1)
}
