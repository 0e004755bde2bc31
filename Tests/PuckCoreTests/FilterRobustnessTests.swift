import Testing

@testable import PuckCore

@Suite("Position filter: jumps, gaps and odd input")
struct FilterRobustnessTests {
    private static let velocity = PlaneVector(east: 10, north: 0)

    private func drive(_ run: inout FilterRun, seconds: Int) {
        for k in 0...seconds {
            _ = run.filter.update(run.fix(at: Double(k), Double(k) * Self.velocity, velocity: Self.velocity))
        }
    }

    @Test("P7 A real jump after a gap is one discontinuity within three fixes", arguments: [5.0, 20, 60])
    func jump(gap: Double) throws {
        var run = FilterRun()
        drive(&run, seconds: 30)
        let shift = PlaneVector(east: 1_414, north: 1_414)
        var outcomes: [FilterOutcome] = []
        for k in 0..<8 {
            let time = 30 + gap + Double(k)
            let place = time * Self.velocity + shift
            let outcome = run.filter.update(run.fix(at: time, place, velocity: Self.velocity))
            outcomes.append(outcome)
            if outcome == .jumped { #expect((try #require(run.place(at: time)) - place).length < 1) }
        }
        #expect(outcomes.prefix(3).contains(.jumped))
        #expect(outcomes.filter { $0 == .jumped }.count == 1)
        #expect(outcomes.suffix(4).allSatisfy { $0 == .accepted })
    }

    @Test("P7 A single outlier never moves the puck", arguments: [12, 40, 200, 5_000])
    func outlier(metres: Int) throws {
        for moving in [true, false] {
            var run = FilterRun()
            var honest = FilterRun()
            let velocity = moving ? Self.velocity : .zero
            for k in 0...60 {
                let fix = run.fix(at: Double(k), Double(k) * velocity, velocity: velocity)
                _ = run.filter.update(fix)
                _ = honest.filter.update(fix)
            }
            let false_ = run.fix(
                at: 61, 61 * velocity + PlaneVector(east: 0, north: Double(metres)), velocity: velocity)
            _ = run.filter.update(false_)
            for tenth in 0..<10 {
                let time = 61 + Double(tenth) / 10
                let away = try #require(run.place(at: time)) - #require(honest.place(at: time))
                #expect(away.length < 1)
            }
        }
    }

    @Test("P7 Positions only: a leap of them is a new place, and not a speed")
    func leap() throws {
        var run = FilterRun()
        for k in 0..<40 {
            _ = run.filter.update(run.fix(at: Double(k), PlaneVector(east: 1.4 * Double(k), north: 0)))
        }
        // As one comes out of the reflections of a street: the positions leave, on the way to a place 40 m off.
        for k in 40..<60 {
            let back = 40 - 40 * exp(-Double(k - 39) / 1.5)
            let place = PlaneVector(east: 1.4 * Double(k), north: back)
            _ = run.filter.update(run.fix(at: Double(k), place))
            let motion = try #require(run.motion(at: Double(k)))
            #expect(motion.speed < 12, "at \(k)")
        }
        #expect((try #require(run.place(at: 59)) - PlaneVector(east: 1.4 * 59, north: 40)).length < 1)
    }

    @Test("After a leap the radius holds both places for a while, and forgets", arguments: [true, false])
    func radiusAfterLeap(withVelocity: Bool) throws {
        var run = FilterRun()
        let velocity = PlaneVector(east: 10, north: 0)
        func drive(_ range: Range<Int>, north: Double) {
            for k in range {
                let place = PlaneVector(east: 10 * Double(k), north: north)
                _ = run.filter.update(
                    run.fix(at: Double(k), place, velocity: withVelocity ? velocity : nil, accuracy: nil))
            }
        }
        drive(0..<40, north: 0)
        let usual = try #require(run.motion(at: 39)).accuracy
        drive(40..<60, north: 50)
        #expect(try #require(run.motion(at: 59)).accuracy > 40)
        drive(60..<700, north: 50)
        #expect(try #require(run.motion(at: 699)).accuracy < usual + 0.5)
    }

    @Test("P8 Over a gap the radius grows, and the puck goes on, then slows")
    func gap() throws {
        var run = FilterRun()
        drive(&run, seconds: 30)
        var last = 0.0
        for second in 0...60 {
            let motion = try #require(run.motion(at: 30 + Double(second)))
            #expect(motion.accuracy > last)
            last = motion.accuracy
        }
        let after10 = try #require(run.place(at: 40))
        #expect(abs(after10.east - 400) < 1)
        #expect(try #require(run.motion(at: 70)).speed < 0.1)
        #expect(last > 100)
    }

    @Test("P10 The receiver's own time does not matter, steps or none")
    func clockSteps() throws {
        var plain = FilterRun()
        var stepped = FilterRun()
        for k in 0..<60 {
            var fix = plain.fix(at: Double(k), Double(k) * Self.velocity, velocity: Self.velocity)
            _ = plain.filter.update(fix)
            fix.time = UTC(seconds: 1e9 + Double(k) + (k > 20 ? -3_600 : 0) + (k > 40 ? 7_200 : 0))
            #expect(stepped.filter.update(fix) != .refused(.backwards))
            #expect(plain.motion(at: Double(k) + 0.5) == stepped.motion(at: Double(k) + 0.5))
        }
    }

    @Test("Repeated and older fixes are refused by name, and change nothing")
    func notForward() throws {
        var run = FilterRun()
        drive(&run, seconds: 10)
        let before = run.motion(at: 10.5)
        #expect(run.filter.update(run.fix(at: 10, .zero)) == .refused(.repeated))
        #expect(run.filter.update(run.fix(at: 9, .zero)) == .refused(.backwards))
        #expect(run.motion(at: 10.5) == before)
    }

    @Test("A fix that claims to be of the future is of its arrival, and does not freeze what follows")
    func future() throws {
        var run = FilterRun()
        drive(&run, seconds: 10)
        var fix = run.fix(at: 11, 11 * Self.velocity, velocity: Self.velocity)
        fix.instant = Instant(seconds: 4_000)
        #expect(run.filter.update(fix) == .accepted)
        #expect(run.filter.update(run.fix(at: 12, 12 * Self.velocity, velocity: Self.velocity)) == .accepted)
    }

    @Test("Nothing is shown before the first fix, nor after a reset; the first is no glide")
    func nothingBefore() {
        var run = FilterRun()
        #expect(run.motion(at: 0) == nil)
        #expect(run.filter.update(run.fix(at: 0, .zero)) == .jumped)
        #expect(run.motion(at: 0) != nil)
        run.filter.reset()
        #expect(run.motion(at: 1) == nil)
    }

    @Test("A trip of hundreds of kilometres stays right to the centimetre")
    func longTrip() throws {
        var run = FilterRun()
        let step = 0.0025  // degrees of latitude a second: 278 m/s, an aeroplane
        for k in 0..<2_000 {
            let coordinate = Coordinate(wrappingLongitude: 9, clampingLatitude: 48 + Double(k) * step)
            var fix = run.fix(at: Double(k), .zero)
            fix.coordinate = coordinate
            fix.speed = 278
            fix.course = .north
            _ = run.filter.update(fix)
            if k > 20 {
                let shown = try #require(run.filter.motion(at: fix.instant, frameInterval: .infinity)).coordinate
                #expect(greatCircleDistance(shown, coordinate) < 2)
            }
        }
    }

    @Test("Poles, the antimeridian, nonsense and long silences never give a number that is none", arguments: 1...4)
    func nonsense(seed: Int) throws {
        var noise = SeededGenerator(seed: UInt64(seed))
        var run = FilterRun(floor: 2)
        var time = 0.0
        func pick(_ values: [Double]) -> Double { values[Int(noise.next() % UInt64(values.count))] }
        for _ in 0..<4_000 {
            time += pick([0, -1, 1e-9, 0.03, 0.2, 1, 5, 13, 3_600, 2.6e6])
            let latitude = pick([90, -90, 89.9999999, 0, 48, 48.00001, 48.0001])
            let longitude = pick([180, -180, 179.9999, -179.9999, 0, 9, 9.00001])
            var fix = run.fix(at: time, .zero)
            fix.coordinate = Coordinate(wrappingLongitude: longitude, clampingLatitude: latitude)
            fix.speed = pick([0, 0.3, 10, 1e9, -1, .nan, .infinity, .leastNonzeroMagnitude])
            fix.course = Direction(wrapping: pick([0, 90, 359.99, .nan]))
            fix.accuracy = pick([3, 0, -1, 1e9, .nan, .infinity])
            _ = run.filter.update(fix)
            for later in [0, 0.5, 20, 1e6] {
                let motion = try #require(run.motion(at: max(0, time) + later))
                #expect(motion.coordinate.latitude.magnitude <= 90)
                #expect(motion.coordinate.longitude.magnitude <= 180)
                #expect(motion.accuracy >= 2 && motion.accuracy < .infinity)
                #expect(motion.speed >= 0 && motion.speed < .infinity)
                #expect(motion.speedAccuracy >= 0 && motion.speedAccuracy < .infinity)
            }
        }
    }
}
