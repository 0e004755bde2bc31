import Testing

@testable import PuckCore

/// Simulated receivers of kinds that once made the puck worse than their own fixes, or its circle too small.
@Suite("Position filter: kinds of receivers")
struct FilterReceiversTests {
    @Test("A start that slides at speed 0 is followed, and never run past", arguments: [20.0, 58, 180])
    func coldStart(way: Double) throws {
        var run = FilterRun()
        func place(_ time: Double) -> Double { way * (1 - exp(-time / 4)) }
        let fixes = (0...30).map { k in
            run.fix(
                at: Double(k), PlaneVector(east: 0, north: place(Double(k))), velocity: .zero, accuracy: nil)
        }
        run.play(fixes, from: 0, to: 30) { time, here, step, motion in
            #expect(step.north > -0.001, "back at \(time)")
            #expect(here.north < place(time.rounded(.down)) + 1, "beyond at \(time)")
            #expect(motion.speed < 1.5, "at \(time)")
        }
        #expect(abs(try #require(run.place(at: 30)).north - place(30)) < 0.2)
    }

    @Test("What a start slides is no scatter of the receiver: a minute later a small step is shown within seconds")
    func stepAfterStart() throws {
        var run = FilterRun()
        for k in 0..<130 {
            let slid = 100 * exp(-Double(k) / 5)
            let place = PlaneVector(east: k < 120 ? 0 : -1.3, north: slid)
            _ = run.filter.update(run.fix(at: Double(k), place, velocity: .zero, accuracy: nil))
        }
        #expect(try #require(run.motion(at: 129)).stationary)
        #expect(abs(try #require(run.place(at: 124)).east + 1.3) < 0.2)
    }

    @Test("A position that is said again while it sees nothing: the first new one is believed", arguments: [3, 4, 8])
    func frozen(seconds: Int) throws {
        var run = FilterRun()
        let velocity = PlaneVector(east: 12, north: 5)
        for k in 0..<(40 + seconds) {
            let said = k < 40 ? Double(k) * velocity : 39 * velocity
            _ = run.filter.update(run.fix(at: Double(k), said, velocity: velocity))
        }
        for k in (40 + seconds)..<(50 + seconds) {
            let truth = Double(k) * velocity
            _ = run.filter.update(run.fix(at: Double(k), truth, velocity: velocity))
            // Corrections are worked in over some tenths of a second.
            #expect((try #require(run.place(at: Double(k) + 0.9)) - truth - 0.9 * velocity).length < 6, "at \(k)")
        }
    }

    @Test("A receiver that strays as it stands: its circle comes to hold the place", arguments: 1...5)
    func straying(seed: Int) throws {
        var run = FilterRun(seed: UInt64(seed))
        var away = PlaneVector.zero
        var inside = 0
        for k in 0..<1_800 {
            // A wander of 20 m along each axis over two minutes, which the receiver takes for none.
            away = exp(-1.0 / 120) * away + (20 * (2.0 / 120).squareRoot()) * run.noise.vector()
            _ = run.filter.update(run.fix(at: Double(k), away, velocity: .zero, accuracy: 5))
            guard k >= 600 else { continue }
            let motion = try #require(run.motion(at: Double(k) + 0.5))
            if try #require(run.place(at: Double(k) + 0.5)).length < motion.accuracy { inside += 1 }
        }
        #expect(inside > 1_080, "of 1,200 seconds")
    }

    @Test("What it strayed is not said of where it drives to")
    func strayedElsewhere() throws {
        var run = FilterRun()
        var away = PlaneVector.zero
        for k in 0..<600 {
            away = exp(-1.0 / 120) * away + (20 * (2.0 / 120).squareRoot()) * run.noise.vector()
            _ = run.filter.update(run.fix(at: Double(k), away, velocity: .zero, accuracy: 5))
        }
        let velocity = PlaneVector(east: 12, north: 0)
        for k in 600..<1_200 {
            _ = run.filter.update(run.fix(at: Double(k), Double(k - 600) * velocity, velocity: velocity, accuracy: 5))
        }
        #expect(try #require(run.motion(at: 1_199)).accuracy < 15)
    }

    @Test("Positions that slip by metres: the circle holds both places for a minute", arguments: [5.0, 9, 15])
    func slips(metres: Double) throws {
        var run = FilterRun()
        let velocity = PlaneVector(east: 3, north: 0)
        for k in 0..<160 {
            let slip = PlaneVector(east: 0, north: k < 100 ? 0 : metres)
            _ = run.filter.update(
                run.fix(
                    at: Double(k), Double(k) * velocity + slip + 0.05 * run.noise.vector(), velocity: velocity,
                    accuracy: 0.5))
        }
        #expect(try #require(run.motion(at: 159)).accuracy > 0.6 * metres)
        #expect(try #require(run.motion(at: 159)).accuracy < metres + 5)
    }

    @Test("Positions scatter about a sound velocity: the puck is better than its fixes by a third", arguments: 1...5)
    func scattering(seed: Int) throws {
        var run = FilterRun(seed: UInt64(seed))
        let velocity = PlaneVector(east: 3, north: 1)
        var (raw, shown) = (0.0, 0.0)
        for k in 0..<400 {
            let error = 1.5 * run.noise.vector()
            let truth = Double(k) * velocity
            _ = run.filter.update(
                run.fix(at: Double(k), truth + error, velocity: velocity + 0.1 * run.noise.vector(), accuracy: nil))
            guard k >= 100 else { continue }
            raw += error.lengthSquared
            shown += (try #require(run.place(at: Double(k) + 0.9)) - truth - 0.9 * velocity).lengthSquared
        }
        #expect(shown.squareRoot() < 0.67 * raw.squareRoot())
    }
}
