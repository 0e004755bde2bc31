import Testing

@testable import PuckCore

@Suite("Course in a turn")
struct FilterCourseTests {
    /// A receiver on a vehicle that turns.
    struct Curve: CustomTestStringConvertible, Sendable {
        var rate: Double
        var latency: Double
        /// Standard deviation of the courses, degrees.
        var noise: Double
        /// Degrees a second.
        var turning = 10.0
        var speed = 12.0

        var testDescription: String {
            "\(rate) Hz, \(latency) s late, \(noise)° of noise, \(turning)°/s at \(speed) m/s"
        }

        /// When the turn begins, s.
        static let begin = 20.0

        /// Where it is, and its course in degrees.
        func truth(_ time: Double) -> (place: PlaneVector, course: Double) {
            guard time > Self.begin else { return (PlaneVector(east: 0, north: speed * time), 0) }
            let angle = turning * (time - Self.begin)
            let radius = speed / radians(turning)
            let turned = PlaneVector(east: 1 - cos(radians(angle)), north: sin(radians(angle)))
            return (PlaneVector(east: 0, north: speed * Self.begin) + radius * turned, angle)
        }

        func fixes(until end: Double, of run: FilterRun, seed: UInt64) -> [Fix] {
            var random = SeededGenerator(seed: seed)
            return (0..<Int(end * rate)).map { k in
                let time = Double(k) / rate
                let (place, course) = truth(time)
                let told = Direction(wrapping: course + noise * random.normal()) ?? .north
                return run.fix(at: time, place, velocity: PlaneVector(length: speed, direction: told), latency: latency)
            }
        }
    }

    private static let curves: [Curve] = [1.0, 4, 5, 10, 20].flatMap { rate in
        [(0.0, 0.0), (0.1, 0), (0.3, 0), (0.1, 0.3)].map { Curve(rate: rate, latency: $0.0, noise: $0.1) }
    }
    private static let others = [
        Curve(rate: 10, latency: 0.1, noise: 0.1, turning: 5), Curve(rate: 10, latency: 0.1, noise: 0, turning: 11.5),
        Curve(rate: 10, latency: 0.1, noise: 0, turning: -10), Curve(rate: 10, latency: 0.1, noise: 0, turning: 30),
        Curve(rate: 1, latency: 0.1, noise: 0, turning: 15), Curve(rate: 10, latency: 0.1, noise: 0, speed: 3),
    ]

    @Test(
        "P5 B5 it turns with the vehicle: no step, hardly behind, at every rate and however late",
        arguments: curves + others)
    func lag(curve: Curve) {
        var run = FilterRun()
        let fixes = curve.fixes(until: 60, of: run, seed: 9)
        var lags: [Double] = []
        var last: Double?
        let most = 1.5 * curve.turning.magnitude / 60 + 0.2
        let way = curve.turning < 0 ? -1.0 : 1
        run.play(fixes, from: 15, to: 59) { time, _, _, motion in
            let course = motion.course?.degrees ?? .nan
            if let last {
                let turn = way * shortestTurn(from: last, to: course)
                #expect(turn <= most, "at \(time)")
                if time > Curve.begin + 2 { #expect(turn > -0.02, "at \(time)") }
            }
            last = course
            if time > Curve.begin + 5 { lags.append(shortestTurn(from: course, to: curve.truth(time).course)) }
        }
        let mean = lags.reduce(0, +) / Double(lags.count)
        #expect(mean.magnitude <= max(0.5, 0.05 * curve.turning.magnitude))
        let worst = lags.map(\.magnitude).max() ?? .nan
        #expect(worst <= (curve.noise > 0 ? 2 : 1))
    }

    @Test("straight on, noise does not turn it", arguments: [1.0, 5, 10])
    func straight(rate: Double) {
        var run = FilterRun()
        let curve = Curve(rate: rate, latency: 0.1, noise: 0.3, turning: 1e-9)
        let fixes = curve.fixes(until: 120, of: run, seed: 5)
        var last: Double?
        run.play(fixes, from: 40, to: 119) { time, _, _, motion in
            let course = motion.course?.degrees ?? .nan
            #expect(shortestTurn(from: 0, to: course).magnitude < 1.2, "at \(time)")
            if let last { #expect(shortestTurn(from: last, to: course).magnitude < 0.1, "at \(time)") }
            last = course
        }
    }
}
