import PuckCore
import PuckTestKit
import Testing

@Suite struct ReceiverModelTests {
    private let begin = ManualClock.defaultStart.utc

    @Test("the same seed says the same bytes, another one others")
    func seed() {
        let bytes = { (seed: UInt64) in
            var model = ReceiverModel(route: .city(), rate: 5, begin: begin, seed: seed)
            return (0..<50).flatMap { model.bytes(at: begin.advanced(by: Double($0) / 5)) }
        }
        #expect(bytes(7) == bytes(7))
        #expect(bytes(7) != bytes(8))
    }

    @Test("every sentence has a right checksum and a line end")
    func checksums() {
        var model = ReceiverModel(route: .straight(), rate: 20, noise: .city, begin: begin)
        model.compass = .dualAntenna(offset: -3)
        let text = String(
            decoding: (0..<200).flatMap { model.bytes(at: begin.advanced(by: Double($0) / 20)) }, as: UTF8.self)
        let lines = text.split(separator: "\r\n")
        #expect(lines.count == 200 * 11)
        #expect(lines.allSatisfy { NMEASentence(line: $0) != nil })
        #expect(lines.allSatisfy { $0.utf8.count <= 80 })
    }

    @Test("epochs fall on whole multiples of the period", arguments: [1, 3, 7, 10, 20])
    func epochs(rate: Int) {
        let model = ReceiverModel(route: .park(), rate: rate, begin: begin)
        var time = begin.advanced(by: 0.0001)
        for k in 1...(3 * rate) {
            time = model.epoch(after: time)
            #expect(time.nanoseconds == begin.nanoseconds + Int64(k) * 1_000_000_000 / Int64(rate))
        }
    }

    @Test(
        "a route is continuous, keeps to its speeds, and comes back to its start",
        arguments: ["city", "straight", "boat"])
    func continuity(name: String) throws {
        let route: Route = name == "city" ? .city() : name == "straight" ? .straight() : .boat()
        let model = ReceiverModel(route: route, begin: begin)
        let step = 0.05
        var last = model.truth(at: begin)
        var returned = false
        var fastest = 0.0
        for k in 1...Int(800 / step) {
            let now = model.truth(at: begin.advanced(by: Double(k) * step))
            let way = greatCircleDistance(last.coordinate, now.coordinate)
            // The mean sphere is up to 0.6 % off the ellipsoid.
            #expect(abs(way - (last.speed + now.speed) / 2 * step) <= 0.006 * way + 0.003)
            #expect(abs(now.speed - last.speed) <= route.acceleration * step + 1e-9)
            #expect(abs(shortestTurn(from: last.course.degrees, to: now.course.degrees)) < 2)
            fastest = max(fastest, now.speed)
            returned = returned || (k > 600 && greatCircleDistance(now.coordinate, route.start) < 2)
            last = now
        }
        #expect(returned)
        let top = name == "city" ? 50 / 3.6 : name == "straight" ? 80 / 3.6 : 2.6
        #expect(abs(fastest - top) < 1e-6)
    }

    @Test("too short a way to reach the speed, or to leave it, is driven all the same")
    func shortLegs() {
        let legs: [Route.Leg] = [
            .straight(metres: 20, speed: 30), .turn(degrees: -90, radius: 1, speed: 2), .straight(metres: 0, speed: 9),
            .stand(seconds: 2), .straight(metres: 5, speed: 0),
        ]
        let model = ReceiverModel(route: Route(legs: legs), begin: begin)
        let end = model.truth(at: begin.advanced(by: 3600))
        #expect(end.speed == 0)
        #expect(abs(shortestTurn(from: 270, to: end.course.degrees)) < 1e-6)
        #expect(abs(greatCircleDistance(Route.defaultStart, end.coordinate) - 21) < 0.2)
    }

    @Test("errors have the size that was asked for")
    func noise() throws {
        var model = ReceiverModel(
            route: .park(), noise: ReceiverNoise(white: 1, correlated: 3, correlationTime: 2, velocity: 0.1),
            begin: begin)
        var squares = 0.0
        let count = 4000
        for k in 0..<count {
            let gga = try #require(model.sentences(at: begin.advanced(by: Double(k))).first { $0.type == "GGA" })
            let minutes = try #require(Double(gga.fields[1].dropFirst(2)))
            // 1,853 m are a minute of latitude at 48° north.
            let north = (minutes - (Route.defaultStart.latitude - 48) * 60) * 1853
            squares += north * north
        }
        #expect(abs((squares / Double(count)).squareRoot() - 10.0.squareRoot()) < 0.3)
    }

    @Test("slower than its course floor it tells no course; silent it says nothing; its clock may be off")
    func states() {
        var model = ReceiverModel(route: .park(), begin: begin)
        let rmc = model.sentences(at: begin).first { $0.type == "RMC" }
        #expect(rmc?.fields[7] == "")
        #expect(rmc?.fields[8] == "010626")
        model.clockOffset = -1024 * 7 * 86_400
        #expect(model.sentences(at: begin).first { $0.type == "RMC" }?.fields[8] == "161006")
        model.isSilent = true
        #expect(model.bytes(at: begin) == [])
    }
}
