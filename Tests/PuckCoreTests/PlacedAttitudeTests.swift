import Testing

@testable import PuckCore

@Suite("Attitudes that a client places beside the receiver")
struct PlacedAttitudeTests {
    private func positioning() -> Positioning {
        Positioning(
            settings: Pipeline.Settings(headingOffset: 30),
            coarsener: Coarsener(radius: .standard, state: nil, at: Scene.moment(0), random: SeededGenerator(seed: 4)))
    }

    /// A receiver that drives eastwards at 10 m/s with a fix a second, and an attitude `rate` times a second until `last`.
    /// What is drawn 60 times a second, by second.
    private func draw(
        seconds: Double, rate: Double, until last: Double = .infinity, age: Double = 0,
        _ attitude: (Double) -> Attitude
    ) -> [(time: Double, puck: Puck)] {
        var positioning = positioning()
        let plane = LocalPlane(origin: Coordinate(wrappingLongitude: 11.5, clampingLatitude: 48.1))
        var drawn: [(Double, Puck)] = []
        var (fixes, attitudes) = (0, 0)
        for frame in 0...Int(seconds * 60) {
            let time = Double(frame) / 60
            let moment = Scene.moment(time)
            while Double(fixes) <= time {
                var report = Scene.tpv(Double(fixes), speed: 10, course: 90)
                report.coordinate = plane.unproject(east: 10 * Double(fixes), north: 0)
                _ = positioning.receive(.position(report), at: Scene.moment(Double(fixes)))
                fixes += 1
            }
            while Double(attitudes) / rate <= min(time, last) {
                let now = Double(attitudes) / rate
                let placement = Placement(attitude: attitude(now - age), instant: Scene.instant(now - age))
                let events = positioning.place(placement, by: 7, at: Scene.moment(now))
                #expect(events == [.turned])
                attitudes += 1
            }
            _ = positioning.advance(to: moment)
            if let puck = positioning.precisePuck(at: moment) { drawn.append((time, puck)) }
        }
        #expect(positioning.provider == .gpsd)
        return drawn
    }

    @Test(
        "P17 the heading is the client's and the position the receiver's; it turns without a step",
        arguments: [5.0, 10, 50])
    func turns(rate: Double) {
        let drawn = draw(seconds: 40, rate: rate) {
            Attitude(heading: Direction(wrapping: 340 + 10 * $0), headingAccuracy: 2)
        }
        let plane = LocalPlane(origin: Coordinate(wrappingLongitude: 11.5, clampingLatitude: 48.1))
        for (time, puck) in drawn where time > 6 {
            let lag = shortestTurn(from: puck.heading?.degrees ?? 999, to: 340 + 10 * time)
            #expect(lag.magnitude < 1, "at \(time)")
            #expect(puck.bearing == puck.heading && puck.bearingSource == .heading && puck.northReference == .true)
            #expect((puck.headingAccuracy ?? 0) >= 2 && (puck.headingAccuracy ?? 99) < 3)
            #expect(
                abs(plane.project(puck.coordinate).east - 10 * time) < 1.5
                    && puck.course.map { abs($0.degrees - 90) < 1 } == true)
        }
        for (a, b) in zip(drawn, drawn.dropFirst()) where a.time > 6 {
            let turn = a.puck.heading.flatMap { old in b.puck.heading.map { old.turn(to: $0) } } ?? 999
            #expect(turn >= 0 && turn <= 1.5 * 10 / 60 + 0.2, "at \(b.time)")
        }
    }

    @Test("the instant at which it was true takes the delay out of it")
    func instant() {
        let drawn = draw(seconds: 30, rate: 10, age: 0.2) { Attitude(heading: Direction(wrapping: 10 * $0 + 100)) }
        for (time, puck) in drawn where time > 6 {
            #expect(shortestTurn(from: puck.heading?.degrees ?? 999, to: 100 + 10 * time).magnitude < 1, "at \(time)")
            // Nobody said how good it is.
            #expect(puck.headingAccuracy == nil)
        }
    }

    @Test("silent for two seconds it is lost: the arrow turns back to the course, and says so")
    func lost() {
        let drawn = draw(seconds: 30, rate: 10, until: 10) { _ in
            Attitude(heading: Direction(60), pitch: -3, roll: 12)
        }
        for (time, puck) in drawn where time > 3 {
            if time < 11.9 {
                #expect(puck.heading?.degrees == 60 && puck.pitch == -3 && puck.roll == 12, "at \(time)")
            } else if time > 12.1 {
                #expect(puck.heading == nil && puck.pitch == nil && puck.roll == nil, "at \(time)")
                #expect(puck.bearingSource == .course)
            }
        }
        for (a, b) in zip(drawn, drawn.dropFirst()) where a.time > 3 {
            let turn = a.puck.bearing.flatMap { old in b.puck.bearing.map { old.turn(to: $0) } } ?? 999
            #expect(turn.magnitude <= 0.25, "at \(b.time)")
        }
        #expect(drawn.last?.puck.bearing.map { abs($0.degrees - 90) < 1 } == true)
    }

    @Test("a tilt without a heading is shown beside the course, and is lost as a heading is")
    func tilt() {
        let drawn = draw(seconds: 20, rate: 4, until: 10) { Attitude(pitch: $0, roll: -$0) }
        #expect(drawn.allSatisfy { $0.puck.heading == nil })
        #expect(drawn.first { $0.time >= 9 }.map { $0.puck.pitch == 9 && $0.puck.roll == -9 } == true)
        #expect(drawn.last.map { $0.puck.pitch == nil && $0.puck.roll == nil } == true)
    }

    @Test("it goes before a compass of the receiver, and gives the place back when it is taken away")
    func beforeCompass() {
        var positioning = positioning()
        func compass(_ second: Double) -> Positioning.Event? {
            let report = AttitudeReport(device: Scene.device, heading: Direction(170))
            return positioning.receive(.attitude(report), at: Scene.moment(second)).first
        }
        for second in 0..<20 {
            _ = positioning.receive(.position(Scene.tpv(Double(second), speed: 0)), at: Scene.moment(Double(second)))
            _ = compass(Double(second))
            if second > 5 {
                let placement = Placement(attitude: Attitude(heading: Direction(60)))
                _ = positioning.place(placement, by: 7, at: Scene.moment(Double(second)))
            }
        }
        #expect(positioning.precisePuck(at: Scene.moment(19.1))?.heading?.degrees == 60)
        // Another client is not heard while the first one is, and can take nothing away.
        _ = positioning.place(
            Placement(attitude: Attitude(heading: Direction(90), pitch: 1)), by: 8, at: Scene.moment(19.2))
        #expect(positioning.precisePuck(at: Scene.moment(19.2))?.heading?.degrees == 60)
        #expect(positioning.forgetAttitude(by: 9, at: Scene.moment(19.2)) == [])
        #expect(positioning.forgetAttitude(by: 7, at: Scene.moment(19.3)) == [.aged])
        // The mounting offset is the compass's.
        #expect(positioning.precisePuck(at: Scene.moment(19.3))?.heading?.degrees == 200)
        #expect(positioning.precisePuck(at: Scene.moment(19.3))?.bearing.map { abs($0.degrees - 60) < 1 } == true)
        #expect(positioning.precisePuck(at: Scene.moment(24))?.pitch == nil)
    }

    @Test("it goes before the heading of a placed location, too")
    func besidePlaced() throws {
        var positioning = positioning()
        let here = Coordinate(wrappingLongitude: 9, clampingLatitude: 48)
        var placement = Placement(coordinate: here, heading: Direction(10))
        placement.altitude = 411
        placement.attitude.headingAccuracy = 4
        placement.attitude.pitch = 5
        _ = positioning.place(placement, by: 1, at: Scene.moment(0))
        let own = try #require(positioning.precisePuck(at: Scene.moment(0.1)))
        #expect(own.heading?.degrees == 10 && own.headingAccuracy == 4 && own.pitch == 5 && own.altitude == 411)
        _ = positioning.place(
            Placement(attitude: Attitude(heading: Direction(20), roll: 2)), by: 2, at: Scene.moment(1))
        let both = try #require(positioning.precisePuck(at: Scene.moment(1.1)))
        #expect(both.heading?.degrees == 20 && both.bearing?.degrees == 20 && both.pitch == 5 && both.roll == 2)
        #expect(both.headingAccuracy == nil)
        let lost = try #require(positioning.precisePuck(at: Scene.moment(9)))
        #expect(lost.heading?.degrees == 10 && lost.roll == nil)
    }

    @Test("without a position there is no puck of it, and approximate clients are told nothing")
    func noPosition() {
        var positioning = positioning()
        let placement = Placement(attitude: Attitude(heading: Direction(20)))
        #expect(positioning.place(placement, at: Scene.moment(0)) == [.turned])
        #expect(positioning.precisePuck(at: Scene.moment(0)) == nil && positioning.approximatePuck == nil)
    }
}
