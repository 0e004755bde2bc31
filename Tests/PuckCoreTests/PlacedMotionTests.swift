import PuckTestKit
import Testing

@testable import PuckCore

/// A way of a vehicle in a plane: where it is, how fast (m/s), and which way it goes (degrees), at a time in seconds.
private struct PlacedWay {
    var origin = (longitude: 9.1, latitude: 48.7)
    var place: (Double) -> PlaneVector
    var speed: (Double) -> Double
    var course: (Double) -> Double?

    /// Straight on from the origin.
    static func straight(_ speed: Double, _ course: Double, from origin: (Double, Double) = (9.1, 48.7)) -> PlacedWay {
        PlacedWay(
            origin: origin,
            place: { PlaneVector(length: speed * $0, direction: Direction(wrapping: course) ?? .north) },
            speed: { _ in speed }, course: { _ in course })
    }

    /// A circle that begins northwards and turns so many degrees a second.
    static func circle(_ speed: Double, turning rate: Double) -> PlacedWay {
        let radius = speed / radians(rate)
        return PlacedWay(
            place: {
                let angle = radians(rate * $0)
                return PlaneVector(east: radius * (1 - cos(angle)), north: radius * sin(angle))
            }, speed: { _ in speed }, course: { rate * $0 })
    }
}

/// What is drawn of a way that is placed, at 60 frames a second.
private struct Drawn {
    var time: Double
    var puck: Puck
    /// In the way's plane, m.
    var place: PlaneVector
}

@Suite("Placed locations between placements")
struct PlacedMotionTests {
    /// Places the way at the times and draws it until `end`. `says`: changes each placement before it is placed.
    private func draw(
        _ way: PlacedWay, at times: [Double], until end: Double, frames: Double = 60,
        says: (inout Placement, Double) -> Void = { _, _ in }
    ) -> (drawn: [Drawn], jumps: UInt64) {
        let start = Moment(monotonic: Instant(seconds: 100), utc: UTC(seconds: 1_780_000_000))
        var positioning = Positioning(
            settings: Pipeline.Settings(),
            coarsener: Coarsener(radius: .standard, state: nil, at: start, random: SeededGenerator(seed: 4)))
        let plane = LocalPlane(
            origin: Coordinate(wrappingLongitude: way.origin.longitude, clampingLatitude: way.origin.latitude))
        var drawn: [Drawn] = []
        var next = 0
        for k in 0...Int(end * frames) {
            let time = Double(k) / frames
            while next < times.count, times[next] <= time {
                let at = times[next]
                let here = plane.unproject(way.place(at))
                let north = plane.convergence(at: here)
                var placement = Placement(
                    coordinate: here, speed: way.speed(at),
                    course: way.course(at).flatMap { Direction(wrapping: $0 - north) })
                says(&placement, at)
                _ = positioning.advance(to: start.advanced(by: at))
                _ = positioning.place(placement, at: start.advanced(by: at))
                next += 1
            }
            _ = positioning.advance(to: start.advanced(by: time))
            guard let puck = positioning.precisePuck(at: start.advanced(by: time), frameInterval: 1 / frames) else {
                continue
            }
            drawn.append(Drawn(time: time, puck: puck, place: PlaneVector(plane.project(puck.coordinate))))
        }
        return (drawn, positioning.jumps)
    }

    private func steps(_ drawn: [Drawn]) -> [(time: Double, step: PlaneVector)] {
        zip(drawn, drawn.dropFirst()).map { ($1.time, $1.place - $0.place) }
    }

    private static let rhythms: [[Double]] = [
        (0..<30).map { Double($0) }, (0..<300).map { Double($0) / 10 }, (0..<7).map { Double($0) * 5 },
        [
            0, 0.03, 0.4, 2.1, 2.6, 3, 4.9, 5, 6.5, 6.53, 8.2, 10.1, 11, 12.4, 14, 15.9, 17, 18.5, 20, 21.9, 23, 25, 27,
            29,
        ],
    ]

    @Test(
        "P17 P1 with speed and course it glides: no step is out of proportion, none goes back, nothing lags",
        arguments: rhythms)
    func straight(times: [Double]) {
        for (course, origin) in [(70.0, (9.1, 48.7)), (90, (179.999, 52)), (0, (30, 89.999)), (300, (-60, -84.999))] {
            let way = PlacedWay.straight(14, course, from: origin)
            let (drawn, jumps) = draw(way, at: times, until: 30)
            #expect(jumps == 1)
            let ahead = PlaneVector(length: 1, direction: Direction(wrapping: course) ?? .north)
            for (time, step) in steps(drawn) {
                #expect(step.length <= 1.25 * 14 / 60, "at \(time) from \(origin)")
                #expect(step.dot(ahead) >= 0.75 * 14 / 60, "at \(time) from \(origin)")
            }
            for frame in drawn { #expect((frame.place - way.place(frame.time)).length < 0.7, "at \(frame.time)") }
        }
    }

    @Test("P17 B5 in a curve it turns as it goes, over north too", arguments: [1.0, 4, 10])
    func curve(rate: Double) {
        let way = PlacedWay.circle(12, turning: 10)
        let (drawn, jumps) = draw(way, at: (0..<Int(40 * rate)).map { Double($0) / rate }, until: 40)
        #expect(jumps == 1)
        for frame in drawn where frame.time > 5 {
            let course = frame.puck.course?.degrees ?? 999
            let lag = shortestTurn(from: course, to: 10 * frame.time)
            #expect(lag.magnitude <= 1, "course at \(frame.time)")
            let heading = frame.puck.heading?.degrees ?? 999
            #expect(shortestTurn(from: heading, to: 10 * frame.time).magnitude <= 1, "heading at \(frame.time)")
            #expect((frame.place - way.place(frame.time)).length < 0.5, "at \(frame.time)")
        }
        for (a, b) in zip(drawn, drawn.dropFirst()) where a.time > 2.5 {
            let turn = a.puck.bearing.flatMap { old in b.puck.bearing.map { old.turn(to: $0) } } ?? 999
            #expect(turn <= 1.5 * 10 / 60 + 0.2 && turn >= 0, "turn at \(b.time)")
        }
        for (time, step) in steps(drawn) where time > 4 { #expect(step.length <= 1.25 * 12 / 60, "at \(time)") }
    }

    @Test("a corner of a drawn route is no spin: what goes on is what was agreed twice")
    func corner() {
        let way = PlacedWay(
            place: { PlaneVector(east: max(0, $0 - 10) * 14, north: min($0, 10) * 14) }, speed: { _ in 14 },
            course: { $0 < 10 ? 0 : 90 })
        for rate in [1.0, 10] {
            let (drawn, _) = draw(way, at: (0..<Int(20 * rate)).map { Double($0) / rate }, until: 19)
            for frame in drawn {
                #expect((frame.place - way.place(frame.time)).length < 0.2 + 14 * 1.5 / rate, "at \(frame.time)")
                let course = frame.puck.course?.degrees ?? 999
                #expect(course < 95 || course > 359, "at \(frame.time)")
            }
            #expect(steps(drawn).allSatisfy { $0.step.length < 3 * 14 / 60 })
        }
    }

    @Test("P6 it brakes and stops: never far past the stop, and then it stands", arguments: [1.0, 5, 10])
    func stop(rate: Double) {
        // 22 m/s, 4 m/s² from the fifth second on.
        let end = 5 + 22 / 4.0
        let way = PlacedWay(
            place: {
                let t = min(max(0, $0 - 5), 5.5)
                return PlaneVector(east: 0, north: 22 * min($0, 5) + 22 * t - 2 * t * t)
            }, speed: { max(0, 22 - 4 * max(0, $0 - 5)) }, course: { $0 < end ? 0 : nil })
        let (drawn, jumps) = draw(way, at: (0..<Int(15 * rate)).map { Double($0) / rate }, until: 20)
        #expect(jumps == 1)
        let stop = way.place(20).north
        #expect(drawn.allSatisfy { $0.place.north < stop + 1 })
        for frame in drawn where frame.time > 13 {
            #expect(frame.puck.speed == 0 && frame.puck.stationary == true && frame.puck.course == nil)
            #expect(abs(frame.place.north - stop) < 0.01 && frame.puck.state == .live)
            #expect(frame.puck.bearing.map { $0.turn(to: .north).magnitude < 0.01 } == true)
        }
    }

    @Test(
        "on the move it ages as a receiver's location does: predicted, held, gone; standing it is true until it moves")
    func ages() {
        let way = PlacedWay.straight(10, 90)
        let (drawn, _) = draw(way, at: (0..<60).map { Double($0) }, until: 400, frames: 10) { placement, _ in
            placement.accuracy = 3
        }
        func frame(_ time: Double) -> Puck? { drawn.last { $0.time <= time && $0.time > time - 0.15 }?.puck }
        #expect(frame(59.9)?.state == .live)
        #expect(frame(63)?.state == .predicted && frame(63)?.speed.map { abs($0 - 10) < 0.01 } == true)
        #expect((frame(63)?.accuracy ?? 0) > 6 && (frame(66)?.accuracy ?? 0) > (frame(63)?.accuracy ?? 0))
        #expect(frame(80)?.state == .stale && frame(80)?.speed == nil && frame(80)?.course == nil)
        #expect(frame(80)?.coordinate == frame(300)?.coordinate && frame(300)?.age.map { abs($0 - 241) < 0.2 } == true)
        #expect(frame(370) == nil)
        let (standing, _) = draw(.straight(0, 90), at: [0], until: 400, frames: 1)
        #expect(standing.allSatisfy { $0.puck.state == .live && $0.place.length < 0.001 } && standing.count == 401)
    }

    @Test("no speed is made up: without one, what is placed is where it is, however fast it moves")
    func noSpeed() {
        // 75 m every 24 ms would be 3,141 m/s.
        let fast = PlacedWay.straight(75 / 0.024, 45)
        let times = (0..<100).map { Double($0) * 0.024 }
        for hasCourse in [false, true] {
            let (drawn, jumps) = draw(fast, at: times, until: 30, frames: 240) { placement, _ in
                placement.speed = nil
                if !hasCourse { placement.course = nil }
            }
            #expect(jumps == 100)
            let last = fast.place(times[99])
            for frame in drawn {
                #expect(frame.puck.speed == nil && frame.puck.stationary == nil)
                if frame.time > times[99] { #expect((frame.place - last).length < 0.01, "at \(frame.time)") }
            }
        }
        // Near ones glide, and stop there.
        let (drawn, jumps) = draw(.straight(10, 0), at: (0..<10).map { Double($0) }, until: 20) { placement, _ in
            (placement.speed, placement.course) = (nil, nil)
        }
        #expect(jumps == 1)
        #expect(steps(drawn).allSatisfy { $0.step.length < 0.5 && $0.step.north > -1e-6 })
        #expect(drawn.last.map { abs($0.place.north - 90) < 0.01 } == true)
    }

    @Test("a speed that does not go with the positions is held to what was said, and each far place is a jump")
    func contradiction() {
        let fast = PlacedWay.straight(75 / 0.024, 45)
        let times = (0..<50).map { Double($0) * 0.024 }
        let (drawn, jumps) = draw(fast, at: times, until: 60, frames: 240) { placement, _ in placement.speed = 14 }
        #expect(jumps == 50)
        let last = fast.place(times[49])
        #expect(drawn.allSatisfy { ($0.puck.speed ?? 0) < 14.1 })
        // Ten seconds and the live ones.
        #expect(drawn.filter { $0.time > times[49] }.allSatisfy { ($0.place - last).length < 14 * 13 })
    }

    @Test("P7 a far place is a jump each time, a near one a glide")
    func far() {
        var places = [0.0, 500, 1_000, 1_005, 1_000_000, 0, 4]
        places += [200]
        let way = PlacedWay(
            place: { PlaneVector(east: places[Int($0)], north: 0) }, speed: { _ in 0 }, course: { _ in nil })
        let (drawn, jumps) = draw(way, at: (0..<8).map { Double($0) }, until: 10)
        #expect(jumps == 6)
        #expect(drawn.last.map { abs($0.place.east - 200) < 0.1 } == true)
    }

    @Test("an accuracy left out is not known; one that is said holds what is drawn, also while it glides")
    func accuracy() throws {
        let (silent, _) = draw(.straight(14, 0), at: (0..<5).map { Double($0) }, until: 6)
        #expect(silent.allSatisfy { $0.puck.accuracy == nil })
        let (drawn, _) = draw(.straight(0, 0), at: [0, 1], until: 4) { placement, time in
            placement.accuracy = 2
            if time == 1 { placement.coordinate = Coordinate(wrappingLongitude: 9.1, clampingLatitude: 48.700_1) }
        }
        let target = PlaneVector(east: 0, north: 11.1)
        for frame in drawn where frame.time >= 1 {
            let accuracy = try #require(frame.puck.accuracy)
            #expect((frame.place - target).length <= accuracy, "at \(frame.time)")
        }
        #expect(drawn.last?.puck.accuracy.map { abs($0 - 2) < 0.01 } == true)
        // Below the floor nothing is claimed.
        let (fine, _) = draw(.straight(0, 0), at: [0], until: 1) { placement, _ in placement.accuracy = 0 }
        #expect(fine.last?.puck.accuracy == 1)
    }

    @Test("P5 a heading turns by the short way: 359° to 1° by 2°, and never through south")
    func overNorth() {
        let (drawn, _) = draw(.straight(0, 0), at: [0, 1, 2], until: 4) { placement, time in
            placement.heading = Direction(wrapping: [359, 1, 358][Int(time)])
        }
        #expect(drawn.allSatisfy { ($0.puck.heading?.turn(to: .north).magnitude ?? 999) < 2.5 })
        #expect(drawn.last?.puck.heading.map { abs($0.degrees - 358) < 0.01 } == true)
        for (a, b) in zip(drawn, drawn.dropFirst()) {
            let turn = a.puck.heading.flatMap { old in b.puck.heading.map { old.turn(to: $0).magnitude } } ?? 999
            #expect(turn < 0.25, "at \(b.time)")
        }
    }

    @Test("the arrow keeps the last course while it stands, and is never north for want of one")
    func arrow() {
        let (drawn, _) = draw(.straight(0, 0), at: [0, 1, 2], until: 3) { placement, time in
            placement.course = time == 1 ? Direction(wrapping: 200) : nil
            if time > 0 { placement.coordinate = Coordinate(wrappingLongitude: 9.1, clampingLatitude: 48.700_01) }
            placement.heading = nil
        }
        #expect(drawn.first?.puck.bearing == nil && drawn.first?.puck.heading == nil)
        #expect(drawn.last?.puck.bearingSource == .heading && drawn.last?.puck.course == nil)
        #expect(drawn.last?.puck.drawnCourse?.degrees == 200)
    }
}
