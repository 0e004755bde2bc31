import Testing

@testable import PuckCore

/// What public reports of receivers in the field brought up.
@Suite("Position filter: the field")
struct FilterFieldTests {
    @Test(
        "P13 Parked, and the fixes are elsewhere: the puck jumps there within seconds, and its circle holds both until then",
        arguments: [50.0, 300, 20_000, 320_000], [1.0, 5])
    func elsewhere(metres: Double, rate: Double) throws {
        var run = FilterRun()
        for k in 0..<Int(60 * rate) {
            _ = run.filter.update(run.noisyFix(at: Double(k) / rate, .zero, velocity: .zero))
        }
        let place = PlaneVector(east: 0, north: metres)
        var jumps = 0
        for k in 0..<Int(120 * rate) {
            let time = 60 + Double(k) / rate
            if run.filter.update(run.noisyFix(at: time, place, velocity: .zero)) == .jumped { jumps += 1 }
            let off = (try #require(run.place(at: time + 0.1)) - place).length
            let motion = try #require(run.motion(at: time + 0.1))
            if k >= 2 { #expect(off < motion.accuracy + 5, "at \(time)") }
            if time > 66 { #expect(off < 5, "at \(time)") }
        }
        #expect(jumps <= 1)
        #expect(try #require(run.motion(at: 180)).accuracy < 2 * metres.squareRoot() + 30)
    }

    @Test("P14 One wild fix moves nothing, and the circle is back at the next", arguments: [100.0, 3_000, 300_000])
    func wildFix(metres: Double) throws {
        var run = FilterRun()
        let velocity = PlaneVector(east: 0, north: 14)
        for k in 0..<120 {
            let time = Double(k)
            let away = k == 60 ? PlaneVector(east: metres, north: 0) : .zero
            _ = run.filter.update(run.fix(at: time, time * velocity + away, velocity: velocity))
            guard k > 20 else { continue }
            let motion = try #require(run.motion(at: time + 0.5))
            #expect(motion.accuracy < 12, "at \(k)")
            #expect((try #require(run.place(at: time + 0.5)) - (time + 0.5) * velocity).length < 1)
        }
    }

    @Test("Carrier phases fixed: the circle is at the floor, parked and driving")
    func carrierFixed() throws {
        for speed in [0.0, 3] {
            var run = FilterRun(floor: 0.01)
            let velocity = PlaneVector(east: speed, north: 0)
            for k in 0..<60 {
                var fix = run.fix(
                    at: Double(k), Double(k) * velocity + 0.005 * run.noise.vector(), velocity: velocity, accuracy: 0.03
                )
                fix.status = .rtkFixed
                _ = run.filter.update(fix)
            }
            #expect(try #require(run.motion(at: 59)).accuracy < 0.3)
        }
    }

    /// A straight way past the pole, on the tangent plane of the pole.
    struct PolarWay: Sendable {
        /// From the pole, m.
        var distance: Double
        /// Metres a second.
        var speed: Double
        /// Fixes a second.
        var rate = 1.0
    }

    @Test(
        "Past a pole no frame jumps, the course stays, and the puck is within metres",
        arguments: [
            PolarWay(distance: 100, speed: 12), .init(distance: 1_000, speed: 12), .init(distance: 5_000, speed: 12),
            .init(distance: 30_000, speed: 12), .init(distance: 5_000, speed: 80), .init(distance: 1_000, speed: 80),
            .init(distance: 200, speed: 80), .init(distance: 3_000, speed: 250), .init(distance: 500, speed: 250),
            .init(distance: 2_000, speed: 120, rate: 10), .init(distance: 300, speed: 80, rate: 5),
            .init(distance: 1_000, speed: 80, rate: 0.5),
        ])
    func pole(way: PolarWay) throws {
        var run = FilterRun(origin: (longitude: 20, latitude: 90))
        let velocity = PlaneVector(east: way.speed, north: 0)
        func truth(_ time: Double) -> PlaneVector {
            PlaneVector(east: way.speed * (time - 150), north: -way.distance)
        }
        for k in 0..<Int(300 * way.rate) {
            let time = Double(k) / way.rate
            var fix = run.fix(at: time, truth(time), velocity: velocity)
            let turn = run.plane.convergence(at: fix.coordinate)
            fix.course = Direction(wrapping: 90 - turn)
            let outcome = run.filter.update(fix)
            #expect(k == 0 || outcome == .accepted)
            guard time > 10 else { continue }
            for tenth in 0..<Int(10 / way.rate) {
                let now = time + Double(tenth) / 10
                let motion = try #require(run.motion(at: now))
                let place = PlaneVector(run.plane.project(motion.coordinate))
                let off = (place - truth(now)).length
                #expect(off < max(1, 0.02 * way.speed), "\(off) m at \(now)")
                let course = motion.course.map { $0.degrees + run.plane.convergence(at: motion.coordinate) }
                #expect(shortestTurn(from: course ?? .nan, to: 90).magnitude < 1, "course at \(now)")
            }
        }
    }

    @Test(
        "Fixes with gaps between them, as of batches of which the newest are kept, do not slow the puck",
        arguments: [(0.2, 4.0), (0.1, 4.0), (0.2, 1.2), (1.0, 4.0), (0.1, 2.0)])
    func unevenFixes(short: Double, long: Double) throws {
        var run = FilterRun()
        let velocity = PlaneVector(east: 14, north: 3)
        var time = 0.0
        for k in 0..<300 {
            time += k % 6 == 0 ? long : short
            _ = run.filter.update(run.fix(at: time, time * velocity, velocity: velocity))
            guard k > 30 else { continue }
            let motion = try #require(run.motion(at: time))
            #expect(abs(motion.speed - velocity.length) < 0.05, "at \(time)")
            #expect((try #require(run.place(at: time + 0.1)) - (time + 0.1) * velocity).length < 0.3, "at \(time)")
        }
    }

    @Test("A place that repeats while the velocity goes on is left within seconds of moving again")
    func frozenPlace() throws {
        var run = FilterRun()
        let velocity = PlaneVector(east: 0.6, north: 0)
        for k in 0..<120 {
            let time = Double(k)
            let place = (k < 40 ? time : k < 85 ? 40 : time) * velocity
            _ = run.filter.update(run.fix(at: time, place, velocity: velocity))
            if k > 92 { #expect((try #require(run.place(at: time)) - time * velocity).length < 3, "at \(k)") }
        }
    }

    @Test("P6 A hard brake, 8 m/s², does not take the puck beyond its circle")
    func hardBrake() throws {
        var run = FilterRun()
        let (start, speed, deceleration) = (20.0, 22.2, 8.0)
        func truth(_ t: Double) -> (Double, Double) {
            let braking = min(max(0, t - start), speed / deceleration)
            return (
                speed * min(t, start) + speed * braking - deceleration * braking * braking / 2,
                speed - deceleration * braking
            )
        }
        let fixes = (0...40).map { k in
            run.fix(
                at: Double(k), PlaneVector(east: truth(Double(k)).0, north: 0),
                velocity: PlaneVector(east: max(0, truth(Double(k)).1), north: 0))
        }
        run.play(fixes, from: 18, to: 40) { time, place, _, motion in
            #expect(place.east - truth(40).0 < motion.accuracy)
            #expect((place - PlaneVector(east: truth(time).0, north: 0)).length < motion.accuracy)
        }
    }

    @Test(
        "B5 In a curve the course turns as the vehicle does: no step at fixes, hardly behind", arguments: [5.0, 10, 15])
    func curve(rate: Double) throws {
        var run = FilterRun()
        let speed = 12.0
        func course(_ t: Double) -> Double { max(0, t - 10) * rate }
        func velocity(_ t: Double) -> PlaneVector {
            PlaneVector(length: speed, direction: Direction(wrapping: course(t)) ?? .north)
        }
        var place = PlaneVector.zero
        var fixes: [Fix] = []
        for k in 0..<4_000 {
            let t = Double(k) / 100
            if k % 100 == 0 { fixes.append(run.fix(at: t, place, velocity: velocity(t))) }
            place += 0.01 * velocity(t + 0.005)
        }
        var last: Double?
        var lag = 0.0
        var frames = 0
        run.play(fixes, from: 14, to: 39) { time, _, _, motion in
            guard let shown = motion.course?.degrees else {
                Issue.record("no course at \(time)")
                return
            }
            if let last { #expect(abs(shortestTurn(from: last, to: shown)) <= 1.5 * rate / 60 + 0.2) }
            last = shown
            lag += shortestTurn(from: shown, to: course(time))
            frames += 1
        }
        #expect(abs(lag / Double(frames)) < 0.1 * rate)
    }

    @Test(
        "A Doppler that lies by a factor does not make the puck worse than the fixes", arguments: [-1, 0.2, 0.6, 1.5],
        1...3)
    func lyingDoppler(factor: Double, seed: Int) throws {
        var run = FilterRun(seed: UInt64(seed))
        let velocity = PlaneVector(east: 1.1, north: 0.9)
        var shown = 0.0
        var raw = 0.0
        for k in 0..<400 {
            let time = Double(k)
            let error = 0.7 * run.noise.vector()
            _ = run.filter.update(run.fix(at: time, time * velocity + error, velocity: factor * velocity))
            guard k > 30 else { continue }
            raw += error.lengthSquared
            shown += (try #require(run.filter.motion(at: Instant(seconds: time), frameInterval: .infinity)))
                .distanceSquared(from: time * velocity, in: run.plane)
        }
        #expect((shown / raw).squareRoot() < 1.08)
    }
}

extension Motion {
    fileprivate func distanceSquared(from place: PlaneVector, in plane: LocalPlane) -> Double {
        let here = plane.project(coordinate)
        return (PlaneVector(east: here.east, north: here.north) - place).lengthSquared
    }
}
