import Testing

@testable import PuckCore

@Suite("Position filter: motion")
struct FilterMotionTests {
    private static let velocity = PlaneVector(east: 12, north: 9)

    private func steadyFixes(times: [Double], in run: inout FilterRun, noisy: Bool) -> [Fix] {
        times.map { time in
            noisy
                ? run.noisyFix(at: time, time * Self.velocity, velocity: Self.velocity)
                : run.fix(at: time, time * Self.velocity, velocity: Self.velocity)
        }
    }

    @Test(
        "P1 At 1 Hz and constant speed frames step evenly, never back, and do not lag", arguments: [false, true])
    func steadyAtOneHertz(noisy: Bool) {
        var run = FilterRun()
        let fixes = steadyFixes(times: (0..<60).map(Double.init), in: &run, noisy: noisy)
        let speed = Self.velocity.length
        let ahead = (1 / speed) * Self.velocity
        var steps = 0
        var lag = 0.0
        run.play(fixes, from: 10, to: 59) { time, place, step, _ in
            steps += 1
            #expect(step.length <= 1.5 * speed / 60)
            #expect(step.dot(ahead) >= 0)
            lag += (time * Self.velocity - place).dot(ahead) / speed
        }
        #expect(steps == 49 * 60)
        #expect(abs(lag / Double(steps)) <= 0.1)
    }

    private static let uneven: [Double] = {
        var noise = SeededGenerator(seed: 7)
        var times = [0.0]
        while let last = times.last, last < 60 { times.append(last + 0.03 + 1.97 * noise.unit()) }
        return times
    }()

    @Test(
        "P2 20, 10, 1 and 0.2 Hz and irregular fixes all give even motion",
        arguments: [20.0, 10, 1, 0.2, 0])
    func anyRate(rate: Double) {
        var run = FilterRun()
        let times = rate > 0 ? (0...Int(60 * rate)).map { Double($0) / rate } : Self.uneven
        let fixes = steadyFixes(times: times, in: &run, noisy: true)
        let speed = Self.velocity.length
        var steps = 0
        run.play(fixes, from: 15, to: 60) { _, _, step, motion in
            steps += 1
            let shown = step.length * 60
            #expect(shown > 0.75 * speed && shown < 1.25 * speed)
            #expect(motion.speed > 0.75 * speed && motion.speed < 1.25 * speed)
        }
        #expect(steps == 45 * 60)
    }

    @Test("P2 Fixes without any velocity give even motion too")
    func positionsAlone() {
        var run = FilterRun()
        let fixes = (0..<60).map { run.fix(at: Double($0), Double($0) * Self.velocity) }
        let speed = Self.velocity.length
        run.play(fixes, from: 15, to: 59) { _, _, step, _ in
            #expect(step.length * 60 > 0.75 * speed && step.length * 60 < 1.25 * speed)
        }
    }

    @Test("A handed-over fix does not move the frame at that instant")
    func continuous() throws {
        var run = FilterRun()
        for k in 0..<20 {
            _ = run.filter.update(run.noisyFix(at: Double(k), Double(k) * Self.velocity, velocity: Self.velocity))
        }
        let late = run.fix(at: 20, 20 * Self.velocity + PlaneVector(east: 2, north: -2), velocity: Self.velocity)
        let before = try #require(run.place(at: 20.2))
        _ = run.filter.update(late, at: Instant(seconds: 20.2))
        let after = try #require(run.place(at: 20.2))
        #expect((after - before).length < 1e-6)
    }

    @Test("Frames too slow to be a motion show the estimate itself")
    func coarseFrames() throws {
        var run = FilterRun()
        for k in 0..<20 {
            _ = run.filter.update(run.fix(at: Double(k), Double(k) * Self.velocity, velocity: Self.velocity))
        }
        _ = run.filter.update(
            run.fix(at: 20, 20 * Self.velocity + PlaneVector(east: 4, north: -3), velocity: Self.velocity))
        let now = Instant(seconds: 20)
        let smooth = try #require(run.filter.motion(at: now)).coordinate
        let best = try #require(run.filter.motion(at: now, frameInterval: .infinity)).coordinate
        #expect(greatCircleDistance(smooth, best) > 0.3)
        let settled = try #require(run.filter.motion(at: now.advanced(by: 5))).coordinate
        let ahead = try #require(run.filter.motion(at: now.advanced(by: 5), frameInterval: .infinity)).coordinate
        #expect(greatCircleDistance(settled, ahead) < 0.01)
    }

    @Test("P5 359° → 1° turns 2°, and 0° is a course")
    func throughNorth() throws {
        var run = FilterRun()
        var place = PlaneVector.zero
        var courses: [Double] = []
        for k in 0..<30 {
            let direction = try #require(Direction(wrapping: 355 + Double(k) / 3))
            let velocity = PlaneVector(length: 10, direction: direction)
            place += velocity
            _ = run.filter.update(run.fix(at: Double(k), place, velocity: velocity))
            courses.append(try #require(run.motion(at: Double(k))?.course?.degrees))
        }
        for (a, b) in zip(courses.dropFirst(3), courses.dropFirst(4)) { #expect(abs(shortestTurn(from: a, to: b)) < 1) }
        #expect(courses.contains { $0 > 358 } && courses.contains { $0 < 2 })
    }

    @Test("P5 Crossing the antimeridian moves the short way")
    func acrossTheAntimeridian() throws {
        var run = FilterRun(origin: (179.999, 10))
        let velocity = PlaneVector(east: 20, north: 0)
        let fixes = (0..<30).map { run.fix(at: Double($0), Double($0) * velocity, velocity: velocity) }
        run.play(fixes, from: 1, to: 29) { _, _, step, _ in #expect(step.length < 0.6) }
        #expect(try #require(run.motion(at: 29)).coordinate.longitude < -179)
    }

    @Test("P6 Braking from 80 km/h to 0 overshoots by less than the accuracy radius", arguments: [1.0, 5])
    func braking(rate: Double) {
        var run = FilterRun()
        let (start, speed, deceleration) = (20.0, 22.2, 5.0)
        func along(_ t: Double) -> Double {
            let b = min(max(0, t - start), speed / deceleration)
            return speed * min(t, start) + speed * b - deceleration * b * b / 2
        }
        let fixes = (0...Int(40 * rate)).map { k in
            let t = Double(k) / rate
            let v = max(0, speed - deceleration * max(0, t - start))
            return run.fix(at: t, PlaneVector(east: 0, north: along(t)), velocity: PlaneVector(east: 0, north: v))
        }
        let end = along(40)
        var worst = 0.0
        run.play(fixes, from: 18, to: 40) { _, place, _, motion in
            worst = max(worst, place.north - end)
            #expect(place.north - end < motion.accuracy)
        }
        #expect(worst < 4)
    }

    @Test("P6 A turn at a crossing is not overshot by the accuracy radius")
    func crossing() {
        var run = FilterRun()
        // North at 5.5 m/s, a quarter turn of 8 m radius (0.4 g), then east.
        func truth(_ t: Double) -> (PlaneVector, PlaneVector) {
            let (speed, radius, start) = (5.5, 8.0, 20.0)
            let angle = min(max(0, (t - start) * speed / radius), .pi / 2)
            let rest = max(0, t - start - .pi / 2 * radius / speed)
            let place = PlaneVector(
                east: radius * (1 - cos(angle)) + speed * rest, north: speed * min(t, start) + radius * sin(angle))
            return (place, speed * PlaneVector(east: sin(angle), north: cos(angle)))
        }
        let fixes = (0...35).map { run.fix(at: Double($0), truth(Double($0)).0, velocity: truth(Double($0)).1) }
        run.play(fixes, from: 15, to: 35) { time, place, _, motion in
            #expect((place - truth(time).0).length < motion.accuracy)
        }
    }
}
