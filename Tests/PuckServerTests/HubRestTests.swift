import PuckCore
import PuckTestKit
import PuckWire
import Testing

@testable import PuckServer

/// Whether a stream that rests shows what there is to see.
@Suite struct HubRestTests {
    @Test("whatever happens, what a resting stream shows is what there is to see", arguments: 0..<8)
    func shownAtRest(seed: Int) {
        var drive = RandomDrive(seed: UInt64(seed))
        var differing: [StreamKey: Instant] = [:]
        for _ in 0..<8_000 {
            drive.step()
            let now = drive.bench.now
            var hub = drive.bench.hub
            for (key, stream) in hub.streams {
                var snapshot = Snapshot(moment: now, frameInterval: key.rate.frameInterval)
                guard stream.isResting, let shown = stream.shown,
                    !hub.content(of: key, in: &snapshot).showsLike(shown)
                else {
                    differing[key] = nil
                    continue
                }
                // Changes of views wait for 1/60 s.
                let since = differing[key] ?? now.monotonic
                differing[key] = since
                if now.monotonic.seconds(since: since) > 0.1 {
                    Issue.record("\(key) rests, and has not shown \(hub.content(of: key, in: &snapshot)), but \(shown)")
                    return
                }
            }
        }
    }

    @Test(
        "a stream at rest is told when the position is as old as its client lets it be", arguments: [#""fix""#, "60"])
    func staleAfter(rate: String) {
        var bench = HubBench()
        let (strict, other) = (bench.connect(), bench.connect())
        bench.send(#"{"type":"subscribe","rate":\#(rate),"staleAfter":5}"#, from: strict)
        bench.send(#"{"type":"subscribe","rate":\#(rate)}"#, from: other)
        bench.stand(seconds: 60)
        bench.clear()
        // The last fix is a second old.
        bench.run(3.9)
        #expect(bench.pucks(to: strict).allSatisfy { $0.state != .stale })
        bench.run(0.2)
        #expect(bench.pucks(to: strict).last?.state == .stale)
        #expect(bench.pucks(to: other).allSatisfy { $0.state != .stale })
        bench.disconnect(strict)
        #expect(bench.hub.staleLimits.isEmpty)
    }

    @Test(
        "a stream at rest is told that a heading is too old, though nothing comes any more",
        arguments: [#""fix""#, "60"])
    func headingLost(rate: String) {
        var bench = HubBench()
        let id = bench.connect()
        bench.send(#"{"type":"subscribe","rate":\#(rate)}"#, from: id)
        bench.stand(seconds: 60)
        bench.run(20)
        #expect(bench.pucks(to: id).last?.state == .stale)
        for _ in 0..<50 {
            bench.heading(90)
            bench.run(0.1)
        }
        bench.send(#"{"type":"subscribe","rate":\#(rate)}"#, from: id)
        #expect(bench.pucks(to: id).last?.heading == Direction(90))
        bench.run(2)
        #expect(bench.pucks(to: id).last?.heading == nil)
        #expect(bench.hub.positioning.deadline.map { $0 > bench.now.monotonic } == true)
    }

    @Test("P8 standing still too, a position without a fix is told with growing accuracy")
    func growth() {
        var bench = HubBench()
        let id = bench.connect()
        bench.send(#"{"type":"subscribe","rate":60}"#, from: id)
        bench.stand(seconds: 60)
        bench.run(10)
        let radii = bench.pucks(to: id).filter { $0.state == .predicted }.compactMap(\.accuracy)
        #expect(radii.count > 3 && zip(radii, radii.dropFirst()).allSatisfy { $0 < $1 })
        bench.run(10)
        #expect(bench.hub.tickers.values.allSatisfy { $0.next == nil })
    }

    @Test(
        "P3 parked for an hour of a receiver's noise, a stream at a rate sends next to nothing",
        arguments: [0.05, 1, 3])
    func parkedHour(noise: Double) {
        var bench = HubBench()
        var random = SeededGenerator(seed: 7)
        let id = bench.connect()
        bench.send(#"{"type":"subscribe","rate":30}"#, from: id)
        // What wanders by minutes, as multipath does, and what is new with each fix.
        var wander = 0.0
        func draw() -> Double { (0..<6).reduce(-3.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) } }
        for second in 0..<3_600 {
            if second == 120 { bench.clear() }
            wander = wander * 0.995 + draw() * 0.1 * noise
            bench.fix(east: wander + draw() * 0.3 * noise)
            bench.run(1)
        }
        // The estimate may settle by a visible step now and then.
        #expect(bench.frames(to: id).count <= 120)
        let path = zip(bench.pucks(to: id), bench.pucks(to: id).dropFirst())
            .reduce(0) { $0 + greatCircleDistance($1.0.coordinate, $1.1.coordinate) }
        #expect(path < 5)
    }

    @Test("a puck at rest that is corrected glides all the way, and then rests", arguments: [0.15, 0.3, 2])
    func glideAtRest(metres: Double) {
        var bench = HubBench()
        let id = bench.connect()
        bench.send(#"{"type":"subscribe","rate":60}"#, from: id)
        bench.stand(seconds: 20)
        bench.clear()
        for _ in 0..<10 {
            bench.fix(east: metres)
            bench.run(1)
        }
        let places = bench.pucks(to: id).map(\.coordinate)
        let steps = zip(places, places.dropFirst()).map(greatCircleDistance)
        #expect(bench.pucks(to: id).allSatisfy { $0.stationary == true })
        // The quickest of a glide at 5/s is 5/e of the whole a second.
        #expect(steps.reduce(0, +) > 0.95 * metres && (steps.max() ?? 0) < 1.1 * metres * 5 / 2.718 / 60)
        bench.clear()
        bench.run(0.9)
        #expect(bench.frames(to: id).isEmpty)
    }

    @Test("the radius that is shown holds the present one, to a twentieth, while a stream rests")
    func shownRadius() {
        let place = Coordinate(wrappingLongitude: 8.5, clampingLatitude: 47.4)
        func content(_ accuracy: Double, east: Double = 0) -> FrameContent {
            let at = LocalPlane(origin: place).unproject(east: east, north: 0)
            var puck = Puck(state: .live, accuracyMode: .precise, coordinate: at, accuracy: accuracy)
            puck.stationary = true
            return FrameContent(puck: puck)
        }
        for radius in [0.02, 1, 4, 50, 1_000] {
            let shown = content(radius)
            #expect(content(radius * 1.04).looksLike(shown) && content(radius * 0.92).looksLike(shown))
            #expect(
                !content(radius * 1.06 + 0.001).looksLike(shown) && !content(radius * 0.88 - 0.001).looksLike(shown))
            #expect(content(radius, east: min(0.09, radius * 0.025)).looksLike(shown))
            #expect(!content(radius, east: min(0.11, radius * 0.035 + 0.001)).looksLike(shown))
        }
    }

    @Test("minInterval of a cycle lets each fix through, however their arrivals jitter; of two, every second one")
    func intervalOfTheCycle() {
        var bench = HubBench()
        var random = SeededGenerator(seed: 3)
        let (each, second, slow) = (bench.connect(), bench.connect(), bench.connect())
        bench.send(#"{"type":"subscribe","minInterval":1}"#, from: each)
        bench.send(#"{"type":"subscribe","minInterval":2}"#, from: second)
        bench.send(#"{"type":"subscribe","minInterval":2.5}"#, from: slow)
        bench.drive(seconds: 3)
        bench.clear()
        var late = 0.0
        for fix in 0..<60 {
            let next = Double.random(in: 0..<0.2, using: &random)
            bench.run(max(0, next - late))
            bench.fix(east: 30 + Double(fix) * 10, speed: 10)
            bench.run(max(0, 1 - max(0, next - late)))
            late = next
        }
        #expect((59...60).contains(bench.frames(to: each).count))
        #expect((29...31).contains(bench.frames(to: second).count))
        #expect((19...25).contains(bench.frames(to: slow).count))
    }

    @Test("minInterval at 10 Hz is kept on average, to a frame a minute")
    func intervalOfMany() {
        var bench = HubBench()
        let id = bench.connect()
        bench.send(#"{"type":"subscribe","minInterval":1}"#, from: id)
        for fix in 0..<600 {
            bench.fix(east: Double(fix), speed: 10)
            bench.run(0.1)
        }
        #expect((59...61).contains(bench.frames(to: id).count))
    }

    @Test("who comes late to a named view that rests is given its camera at once", arguments: [#""fix""#, "30"])
    func lateWatcher(rate: String) {
        var bench = HubBench()
        let (first, late, after) = (bench.connect(), bench.connect(), bench.connect())
        bench.stand(seconds: 60)
        bench.send(#"{"type":"subscribe","view":"v","rate":\#(rate)}"#, from: first)
        bench.send(#"{"type":"ease","view":"v","camera":{"center":[8,47],"zoom":12},"duration":1}"#, from: first)
        bench.stand(seconds: 10)
        bench.send(#"{"type":"subscribe","view":"v","rate":\#(rate),"include":["camera"]}"#, from: late)
        #expect(bench.frames(to: late).map(\.camera?.zoom) == [12])
        bench.stand(seconds: 10)
        #expect(bench.frames(to: late).dropFirst().allSatisfy { $0.camera == nil })
        // Once a hand has moved it, nobody knows where it is.
        bench.send(#"{"type":"gesture","view":"v","kind":"pan","phase":"began"}"#, from: first)
        bench.send(#"{"type":"subscribe","view":"v","rate":\#(rate)}"#, from: after)
        #expect(bench.frames(to: after).allSatisfy { $0.camera == nil })
    }

    @Test("what minInterval holds back is shown when it has passed, though nothing else comes")
    func minInterval() {
        var bench = HubBench()
        let id = bench.connect()
        bench.send(#"{"type":"subscribe","rate":10,"minInterval":5,"include":["markers"]}"#, from: id)
        bench.send(#"{"type":"marker","marker":"m","position":[8,47],"duration":0}"#, from: id)
        bench.run(0.3)
        bench.send(#"{"type":"marker","marker":"m","position":[9,47],"duration":0}"#, from: id)
        bench.run(4)
        #expect(bench.frames(to: id).last?.markers?.first?.coordinate.longitude == 8)
        bench.run(1)
        #expect(bench.frames(to: id).last?.markers?.first?.coordinate.longitude == 9)
    }

    @Test("approximate clients are shown the end of a movement, though a fix comes just before it is looked for")
    func endBeforeFix() {
        var bench = HubBench()
        let (precise, coarse) = (bench.connect(), bench.connect(HubBench.steward))
        bench.stand(seconds: 200)
        bench.send(#"{"type":"subscribe","view":"v"}"#, from: precise)
        bench.send(#"{"type":"subscribe","view":"v"}"#, from: coarse)
        bench.send(#"{"type":"ease","view":"v","camera":{"center":[8,47],"zoom":12},"duration":0}"#, from: coarse)
        bench.run(3)
        bench.clear()
        bench.send(#"{"type":"ease","view":"v","camera":{"center":[8,48],"zoom":12},"duration":2}"#, from: coarse)
        bench.run(1.9995)
        bench.now = bench.now.advanced(by: 0.001)
        bench.fix()
        bench.run(0.5)
        #expect(bench.frames(to: coarse).last?.camera?.center?.latitude == 48)
        #expect(bench.frames(to: precise).last?.camera?.center?.latitude == 48)
    }
}

extension HubBench {
    mutating func heading(_ degrees: Double) {
        hub.receive(
            .attitude(AttitudeReport(device: Self.device, heading: Direction(wrapping: degrees))), at: now)
        run(0)
    }
}

extension FrameContent {
    /// Whether it is as good as the other: what creeps on between two fixes may differ by more than makes a frame.
    fileprivate func showsLike(_ other: FrameContent) -> Bool {
        guard camera == other.camera, markers == other.markers else { return false }
        guard let a = puck, let b = other.puck else { return (puck == nil) == (other.puck == nil) }
        guard a.state == b.state, (a.heading == nil) == (b.heading == nil) else { return false }
        if let one = a.heading, let two = b.heading, abs(one.turn(to: two)) > 0.5 { return false }
        // A puck that stands still may be a tenth of a metre off.
        let band = a.stationary == true && b.stationary == true ? 0.11 : 0.01
        guard (a.accuracy == nil) == (b.accuracy == nil) else { return false }
        return greatCircleDistance(a.coordinate, b.coordinate) < band
            && abs((a.accuracy ?? 0) - (b.accuracy ?? 0)) < 0.5
            && abs((a.speed ?? 0) - (b.speed ?? 0)) < 0.05
    }
}

/// Receivers, compasses and clients that do what comes to their minds.
private struct RandomDrive {
    var bench = HubBench()
    private var random: SeededGenerator
    private let root: ClientID
    private var clients: [ClientID] = []
    private var (east, speed) = (0.0, 0.0)
    private var (heading, turn) = (90.0, 0.0)
    private var isSilent = false
    /// Seconds between fixes, and headings a second.
    private var (cycle, compass) = (1.0, 0.0)
    private var nextFix: Instant
    private var nextHeading: Instant

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        root = bench.connect(HubBench.root)
        nextFix = bench.now.monotonic
        nextHeading = bench.now.monotonic
        cycle = pick([0.1, 1, 5])
        compass = pick([0, 1, 10, 50])
        for origin in [HubBench.user, HubBench.user, HubBench.stranger, HubBench.steward, HubBench.user] {
            let id = bench.connect(origin)
            clients.append(id)
            let view = pick([#","view":"v""#, ""])
            let stale = pick(["", "", #","staleAfter":3"#, #","staleAfter":30"#])
            bench.send(
                #"{"type":"subscribe","rate":\#(pick([1, 5, 10, 60, 120])),"include":["puck","camera","markers"]\#(view)\#(stale)}"#,
                from: id)
        }
    }

    private mutating func pick<Value>(_ values: [Value]) -> Value { values[Int(random.next() % UInt64(values.count))] }
    /// From −1 to 1.
    private mutating func noise() -> Double { Double(random.next() % 2_001) / 1_000 - 1 }

    /// Some milliseconds, and what falls into them.
    mutating func step() {
        if random.next() % 200 == 0 { decide() }
        if bench.now.monotonic >= nextFix {
            nextFix = bench.now.monotonic.advanced(by: cycle)
            east += speed * cycle
            let told = speed > 0 ? speed + noise() * 0.2 : 0
            if !isSilent { bench.fix(east: east + noise(), speed: told) }
        }
        if compass > 0, bench.now.monotonic >= nextHeading {
            nextHeading = bench.now.monotonic.advanced(by: 1 / compass)
            heading += turn / compass
            bench.heading(heading + noise() * 0.4)
        }
        bench.run(Double(1 + random.next() % 20) / 1_000)
    }

    private mutating func decide() {
        let client = pick(clients)
        switch random.next() % 14 {
        case 0: speed = pick([0, 0, 1, 5, 20])
        case 1: isSilent.toggle()
        case 2: compass = pick([0, 1, 10, 50])
        case 3: turn = pick([0, 0, 20, -30])
        case 4: cycle = pick([0.1, 1, 5])
        case 5: bench.now = Moment(monotonic: bench.now.monotonic, utc: bench.now.utc.advanced(by: noise() * 100))
        case 6: bench.send(#"{"type":"track","mode":"next"}"#, from: client)
        case 7: bench.send(#"{"type":"track","view":"v","mode":"next"}"#, from: client)
        case 8:
            bench.send(
                #"{"type":"marker","view":"v","marker":"m","position":[\#(8 + noise()),47],"duration":\#(pick([0, 1, 3]))}"#,
                from: client)
        case 9:
            bench.send(
                #"{"type":"ease","camera":{"center":[8,47],"zoom":\#(pick([3, 9, 15]))},"duration":\#(pick([0, 1, 4]))}"#,
                from: client)
        case 10:
            let east = pick([noise(), noise() / 10_000])
            let more = pick(["", #","speed":\#(pick([0, 3, 30])),"course":\#(pick([0, 90, 359]))"#, #","heading":45"#])
            bench.send(#"{"type":"place","position":[\#(9 + east),48]\#(more)}"#, from: root)
        case 11: bench.send(#"{"type":"release"}"#, from: root)
        case 12: bench.send(#"{"type":"requestPrecise","purpose":"navigation"}"#, from: clients[2])
        default: bench.send(#"{"type":"viewport","width":800,"height":600}"#, from: client)
        }
    }
}
