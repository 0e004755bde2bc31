import Testing

@testable import PuckCore

@Suite("Animation: van Wijk's path") struct AnimationFlightTests {
    static let root2 = 2.0.squareRoot()

    /// Views of which one path differs from the next: distance, start width, end width.
    static let views: [(Double, Double, Double)] = [
        (10, 1, 8), (10, 8, 1), (1000, 1, 1), (0.001, 1, 1), (1, 1, 1e-6), (1e6, 1e-3, 1e-3), (1e-5, 3, 5), (5, 1, 20),
    ]

    @Test("Published values of d3-interpolate's tests, where ρ = √2 and a duration is S·ρ/√2 seconds")
    func published() {
        func duration(_ distance: Double, _ w0: Double, _ w1: Double) -> Double {
            FlightPath(distance: distance, startWidth: w0, endWidth: w1, curvature: Self.root2).length
        }
        #expect(abs(duration(0, 1, 1.1) - 0.067) < 0.001)
        #expect(abs(duration(0, 1, 2) - 0.490) < 0.001)
        #expect(abs(duration(10, 1, 8) - 2.8725) < 0.001)
    }

    @Test("Published views half way, of d3's documentation and tests")
    func publishedViews() {
        // [30, 30, 40] → [135, 85, 60] is [72, 52, 126.04761005270991] half way.
        let documented = FlightPath(
            distance: hypot(105, 55), startWidth: 40, endWidth: 60, curvature: Self.root2
        ).at(0.5)
        #expect(abs(documented.travelled * 105 + 30 - 72) < 1e-9)
        #expect(abs(documented.travelled * 55 + 30 - 52) < 1e-9)
        #expect(abs(documented.width - 126.047_610_052_709_91) < 1e-9)
        // Nearly the same place: 1.8827137399562621 → 7.399052110984391 is 3.7323313186268305 half way.
        let near = FlightPath(
            distance: hypot(7.359e-8, 1.371e-8), startWidth: 1.882_713_739_956_262_1, endWidth: 7.399_052_110_984_391,
            curvature: Self.root2
        ).at(0.5)
        #expect(abs(near.width - 3.732_331_318_626_830_5) < 1e-9)
    }

    @Test("Its ends are exact, and it gets there without going back", arguments: views)
    func ends(view: (Double, Double, Double)) {
        let path = FlightPath(distance: view.0, startWidth: view.1, endWidth: view.2)
        #expect(path.at(0) == (0, view.1))
        #expect(path.at(1) == (1, view.2))
        // The formula itself agrees with the exact ends.
        let (nearStart, nearEnd) = (path.at(1e-9), path.at(1 - 1e-9))
        #expect(abs(nearStart.width / view.1 - 1) < 1e-6)
        #expect(abs(nearEnd.width / view.2 - 1) < 1e-6)
        #expect(abs(nearStart.travelled) < 1e-6)
        #expect(abs(nearEnd.travelled - 1) < 1e-6)
        var last = 0.0
        for step in 1...1000 {
            let travelled = path.at(Double(step) / 1000).travelled
            #expect(travelled >= last - 1e-12)
            last = travelled
        }
    }

    @Test("The way back is the way there, backwards", arguments: views)
    func symmetry(view: (Double, Double, Double)) {
        let there = FlightPath(distance: view.0, startWidth: view.1, endWidth: view.2)
        let back = FlightPath(distance: view.0, startWidth: view.2, endWidth: view.1)
        #expect(abs(there.length - back.length) < 1e-9 * max(1, there.length))
        for step in 0...20 {
            let (a, b) = (there.at(Double(step) / 20), back.at(1 - Double(step) / 20))
            #expect(abs(a.width / b.width - 1) < 1e-6)
            #expect(abs(a.travelled + b.travelled - 1) < 1e-6)
        }
    }

    @Test("The perceived speed is constant: ds² = (dw² + ρ⁴ du²) / (ρ w)² (equation 5)", arguments: views)
    func metric(view: (Double, Double, Double)) {
        let rho = FlightPath.usualCurvature
        let path = FlightPath(distance: view.0, startWidth: view.1, endWidth: view.2)
        let h = 1e-5
        for step in 1..<20 {
            let p = Double(step) / 20
            let (a, b) = (path.at(p - h), path.at(p + h))
            let dw = b.width - a.width
            let du = (b.travelled - a.travelled) * view.0
            let ds = hypot(dw, rho * rho * du) / (rho * path.at(p).width)
            #expect(abs(ds / (2 * h * path.length) - 1) < 1e-4, "at \(p)")
        }
    }

    @Test("It is the shortest: sliding, or zooming out to where both ends are seen and in again, costs more")
    func optimal() {
        let rho = FlightPath.usualCurvature
        let path = FlightPath(distance: 50, startWidth: 1, endWidth: 1)
        #expect(path.length < rho * 50)
        #expect(path.length < 2 * log(50) / rho + rho)
    }

    @Test("Where the views are equal there is no way; where only the zoom differs it is |ln(w₁/w₀)|/ρ")
    func degenerate() {
        let none = FlightPath(distance: 0, startWidth: 3, endWidth: 3)
        #expect(none.length == 0)
        #expect(none.at(0.5) == (0.5, 3))
        let zoom = FlightPath(distance: 0, startWidth: 8, endWidth: 1)
        #expect(abs(zoom.length - log(8) / 1.42) < 1e-12)
        #expect(abs(zoom.at(0.5).width - 8.0.squareRoot()) < 1e-12)
        #expect(abs(zoom.duration - log(8) / 1.42 / 1.2) < 1e-12)
    }

    @Test("Near the degenerate case the path is the same on both sides of the switch")
    func continuity() {
        let below = FlightPath(distance: 0.99e-7, startWidth: 1, endWidth: 4)
        let above = FlightPath(distance: 1.01e-7, startWidth: 1, endWidth: 4)
        #expect(abs(below.length - above.length) < 1e-6)
        #expect(abs(below.at(0.3).width - above.at(0.3).width) < 1e-6)
    }

    @Test("A curve that overshoots stays finite on the longest path there is")
    func overshoot() {
        let path = FlightPath(distance: 512, startWidth: 1e-5, endWidth: 1e-5)
        for progress in [-8.0, -1, 1.5, 8] {
            let (travelled, width) = path.at(progress)
            #expect(travelled.isFinite)
            #expect(width > 0)
        }
    }
}
