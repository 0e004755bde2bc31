import Foundation
import PuckTestKit
import PuckWire
import Testing

@testable import PuckCore
@testable import PuckServer

/// Motions: what is drawn by them is what frames show.
@Suite("Hub: motions")
struct HubMotionTests {
    @Test("a motion evaluated at any instant is the frame that a client at 120 a second gets", arguments: 0..<10)
    func frames(seed: Int) {
        var drive = MotionDrive(seed: UInt64(seed))
        for _ in 0..<1_500 { drive.step() }
        var worst = Deviation()
        for frame in drive.bench.frames(to: drive.framed) {
            guard let motion = drive.motion(at: frame.moment.monotonic) else { continue }
            let drawn = motion.plan.frame(at: frame.moment.monotonic)
            let zoom = frame.camera?.zoom ?? drive.zoom(at: frame.moment.monotonic)
            // Facts change to a microsecond.
            let later = motion.plan.frame(at: frame.moment.monotonic.advanced(by: 1e-6))
            worst.compare(facts: [drawn, later], frame)
            worst.compare(drawn, frame, zoom: zoom, isLed: motion.isLed(at: frame.moment.monotonic))
        }
        #expect(worst.count > 500)
        #expect(worst.problems == [], "seed \(seed)")
    }

    @Test(
        "a motion begins with the value and slope that the one before it has then, or says that it jumps",
        arguments: 0..<5)
    func joins(seed: Int) {
        var drive = MotionDrive(seed: UInt64(seed + 100))
        for _ in 0..<1_500 { drive.step() }
        let motions = drive.bench.motions[drive.moved]?.map(\.plan) ?? []
        for (old, new) in zip(motions, motions.dropFirst()) where new.frame.puck?.discontinuity != true {
            for track in new.tracks where !track.jumps {
                guard let before = old.spline(of: track.channel) else { continue }
                let zoom = new.frame.camera?.zoom ?? drive.zoom(at: new.moment.monotonic)
                let time = old.time(of: new.moment.monotonic)
                var step = track.spline.value(at: 0) - before.value(at: time)
                step[0] = step[0].remainder(dividingBy: 360)
                // What hardly moves is said to stand still.
                let scale = MotionTolerance.scale(of: track.channel, at: track.spline.knots[0].value, zoom: zoom)
                step *= scale
                let bend = (track.spline.slope(at: 0) - before.slope(at: time)) * scale
                #expect((step * step).sum().squareRoot() < 1e-3, "\(track.channel) \(new.moment)")
                #expect((bend * bend).sum().squareRoot() < 0.021, "\(track.channel) \(new.moment)")
            }
        }
        #expect(motions.count > 10)
    }

    @Test("at most two motions a fix, one a command, and none while nothing changes")
    func count() {
        var bench = HubBench()
        let id = bench.connect()
        bench.send(#"{"type":"subscribe","rate":"motion","include":["puck","camera"]}"#, from: id)
        bench.send(#"{"type":"track","mode":"followWithCourse"}"#, from: id)
        bench.drive(seconds: 30)
        bench.clear()
        bench.drive(seconds: 30, from: 300)
        #expect((30...60).contains(bench.motions[id]?.count ?? 0))
        bench.stand(seconds: 120)
        bench.clear()
        bench.stand(seconds: 60)
        #expect(bench.motions[id] == nil)
        for motion in bench.hub.motions.values { #expect(motion.isResting && motion.plan.until == nil) }
        bench.fix()
        bench.run(0.5)
        bench.clear()
        bench.send(#"{"type":"ease","camera":{"center":[8.6,47.5],"zoom":12},"duration":2}"#, from: id)
        bench.run(0.4)
        #expect(bench.motions[id]?.count == 1)
        let end = bench.now.monotonic
        bench.run(6)
        // It says on its way that it has arrived: no motion of that.
        let early = (bench.motions[id] ?? []).filter { $0.at < end.advanced(by: 1.4) }
        #expect(early.count == 1)
    }

    @Test("over a gap a motion says by its instants that it is predicted, and then stale, and goes on growing")
    func gap() throws {
        var bench = HubBench()
        let (moved, framed) = (bench.connect(), bench.connect())
        bench.send(#"{"type":"subscribe","rate":"motion"}"#, from: moved)
        bench.send(#"{"type":"subscribe","rate":120}"#, from: framed)
        bench.drive(seconds: 30)
        bench.clear()
        bench.run(40)
        let plans = try #require(bench.motions[moved]).map(\.plan)
        #expect(plans.count < 8)
        for frame in bench.frames(to: framed) {
            guard let plan = plans.last(where: { $0.moment.monotonic <= frame.moment.monotonic }) else { continue }
            let drawn = try #require(plan.frame(at: frame.moment.monotonic.advanced(by: 1e-6)).puck)
            let puck = try #require(frame.puck)
            #expect(drawn.state == puck.state, "\(frame.moment)")
            #expect(greatCircleDistance(drawn.coordinate, puck.coordinate) < 0.006)
            let radius = try #require(drawn.accuracy)
            #expect(abs(radius - (puck.accuracy ?? 0)) < 0.06 * radius + 0.03)
        }
        var states: Set<PuckState> = []
        for plan in plans {
            states.formUnion(plan.changes.map(\.facts.state))
            if let state = plan.frame.puck?.state { states.insert(state) }
        }
        #expect(states == [.live, .predicted, .stale])
        for motion in bench.hub.motions.values { #expect(motion.isResting) }
    }

    @Test("who comes later draws as the others do, and who comes from the approximate tier is shown a jump")
    func newcomers() throws {
        var bench = HubBench()
        let first = bench.connect()
        bench.send(#"{"type":"subscribe","rate":"motion"}"#, from: first)
        bench.drive(seconds: 10)
        bench.run(0.3)
        let second = bench.connect()
        bench.send(#"{"type":"subscribe","rate":"motion"}"#, from: second)
        #expect(bench.motions[second]?.last?.plan == bench.motions[first]?.last?.plan)
        let stranger = bench.connect(HubBench.stranger)
        bench.send(#"{"type":"subscribe","rate":"motion"}"#, from: stranger)
        bench.send(#"{"type":"requestPrecise","purpose":"navigation"}"#, from: stranger)
        let risen = try #require(bench.motions[stranger]?.last?.plan)
        #expect(risen.frame.puck?.accuracyMode == .precise)
        #expect(risen.frame.puck?.discontinuity == true)
    }

    @Test("an approximate client's motions are constants, made when its frames would be and with the same contents")
    func approximate() throws {
        var bench = HubBench()
        let (moved, framed) = (bench.connect(HubBench.stranger), bench.connect(HubBench.stranger))
        bench.send(#"{"type":"subscribe","rate":"motion","include":["puck","camera"]}"#, from: moved)
        bench.send(#"{"type":"subscribe","rate":"fix","include":["puck","camera"]}"#, from: framed)
        for id in [moved, framed] { bench.send(#"{"type":"track","mode":"follow"}"#, from: id) }
        for leg in 0..<40 {
            bench.drive(seconds: 60, speed: 30, from: Double(leg) * 1_800)
            if leg == 20 { bench.run(700) }
        }
        func contents(_ id: ClientID, _ type: String) -> [HubBench.Delivery] {
            let head = "{\"type\":\"\(type)\""
            return (bench.deliveries[id] ?? []).filter { $0.line.hasPrefix(head) }.map {
                HubBench.Delivery(at: $0.at, line: String($0.line.dropFirst(head.count)))
            }
        }
        #expect(contents(moved, "frame").isEmpty)
        #expect(contents(moved, "motion") == contents(framed, "frame"))
        #expect(contents(moved, "motion").count > 5)
        for motion in bench.motions[moved] ?? [] { #expect(motion.plan.isConstant) }
    }

    @Test("a motion that was not read gives way to a newer one, which joins to the one that was")
    func unread() throws {
        var bench = HubBench()
        let id = bench.connect()
        bench.send(#"{"type":"subscribe","rate":"motion"}"#, from: id)
        bench.drive(seconds: 20)
        bench.clear()
        bench.drive(seconds: 3, from: 200)
        let plans = try #require(bench.motions[id]).map(\.plan)
        var (queue, delivery) = (OutputQueue(limit: 1 << 16), MotionDelivery())
        var isReading = true
        func deliver(_ plan: MotionPlan, _ sequence: UInt64) {
            let line = delivery.line(of: MotionLine(plan, for: .precise, zoom: nil), numbered: sequence, in: &queue)
            line.withUnsafeBytes { bytes in queue.sendFrame(bytes) { isReading ? $0.count : 0 } }
            delivery.settle(queue)
        }
        deliver(plans[0], 1)
        isReading = false
        deliver(plans[1], 2)
        deliver(plans[2], 3)
        #expect(queue.replaced == 1)
        var read: [UInt8] = []
        queue.drain { bytes in
            read += Array(bytes)
            return bytes.count
        }
        let expected = MotionLine(plans[2].joined(to: plans[0], zoom: nil), for: .precise, zoom: nil)
        #expect(read == expected.line(numbered: 3))
        #expect(read != MotionLine(plans[2], for: .precise, zoom: nil).line(numbered: 3))
    }

    @Test("a precise client's lines have one of a few lengths")
    func lengths() {
        var bench = HubBench()
        let id = bench.connect()
        bench.send(#"{"type":"subscribe","rate":"motion"}"#, from: id)
        bench.drive(seconds: 20)
        bench.stand(seconds: 20)
        let lengths = Set((bench.lines[id] ?? []).filter { $0.hasPrefix(#"{"type":"motion""#) }.map(\.utf8.count))
        #expect(lengths.isSubset(of: [1_023, 2_047, 4_095]))
    }
}

/// How far what is drawn is from frames.
private struct Deviation {
    var count = 0
    var problems: [String] = []

    mutating func compare(facts drawn: [Frame], _ frame: Frame) {
        note("facts", drawn.contains { MotionFacts($0) == MotionFacts(frame) }, frame)
    }

    mutating func compare(_ drawn: Frame, _ frame: Frame, zoom: Double?, isLed: Bool) {
        count += 1
        let points = zoom.map { 0.05 * WebMercator.metresPerPoint(latitude: 47.4, zoom: $0) } ?? 0
        // At rest frames may be a tenth of a metre off too.
        let rest = frame.puck?.stationary == true ? 0.11 : 0.0002
        let (metres, degrees) = (max(0.005, points) * 1.05 + (isLed ? 0.16 + 30 * points : rest), isLed ? 3 : 0.052)
        note("puck", (drawn.puck == nil) == (frame.puck == nil), frame)
        if let a = drawn.puck, let b = frame.puck {
            note(
                "position \(greatCircleDistance(a.coordinate, b.coordinate))",
                greatCircleDistance(a.coordinate, b.coordinate) <= metres, frame)
            if let one = a.bearing, let two = b.bearing {
                note("bearing \(one.turn(to: two))", abs(one.turn(to: two)) <= degrees, frame)
            }
        }
        note("camera", (drawn.camera == nil) == (frame.camera == nil), frame)
        if let a = drawn.camera, let b = frame.camera {
            // A camera on a slack rope hangs on when it was looked at.
            if let one = a.center, let two = b.center {
                note(
                    "center \(greatCircleDistance(one, two)) of \(metres)", greatCircleDistance(one, two) <= 2 * metres,
                    frame)
            }
            if let one = a.zoom, let two = b.zoom {
                note("zoom \(one - two)", abs(one - two) <= (isLed ? 0.03 : 0.00102), frame)
            }
            if let one = a.bearing, let two = b.bearing {
                note(
                    "camera bearing \(shortestTurn(from: one, to: two))",
                    abs(shortestTurn(from: one, to: two)) <= degrees, frame)
            }
            if let one = a.pitch, let two = b.pitch { note("pitch \(one - two)", abs(one - two) <= degrees, frame) }
        }
        for (a, b) in zip(drawn.markers ?? [], frame.markers ?? []) {
            note("marker", greatCircleDistance(a.coordinate, b.coordinate) <= metres, frame)
        }
    }

    private mutating func note(_ what: String, _ isRight: Bool, _ frame: Frame) {
        if !isRight, problems.count < 8 { problems.append("\(what) at \(frame.moment.monotonic.seconds)") }
    }
}

/// A receiver, a compass and a client's hands that do what comes to their minds, watched by frames and by motions.
private struct MotionDrive {
    var bench = HubBench()
    let framed: ClientID
    let moved: ClientID
    private var random: SeededGenerator
    private let root: ClientID
    private var (east, north, speed) = (0.0, 0.0, 0.0)
    private var (heading, turn) = (90.0, 0.0)
    private var isSilent = false
    private let (cycle, compass): (Double, Double)
    private var nextFix: Instant
    private var nextHeading: Instant
    private var zooms: [(Instant, Double?)] = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        root = bench.connect(HubBench.root)
        framed = bench.connect()
        moved = bench.connect()
        nextFix = bench.now.monotonic
        nextHeading = bench.now.monotonic
        cycle = [0.1, 0.2, 1, 1, 5][Int(seed % 5)]
        compass = seed % 3 == 0 ? 10 : 0
        for (id, rate) in [(framed, "120"), (moved, #""motion""#)] {
            bench.send(
                #"{"type":"subscribe","rate":\#(rate),"view":"v","include":["puck","camera","markers"]}"#, from: id)
        }
    }

    private mutating func pick<Value>(_ values: [Value]) -> Value { values[Int(random.next() % UInt64(values.count))] }
    private mutating func noise() -> Double { Double(random.next() % 2_001) / 1_000 - 1 }

    struct Drawn {
        let plan: MotionPlan
        let before: MotionPlan?
        /// Whether a value may still be led to where it is.
        func isLed(at instant: Instant) -> Bool { plan.time(of: instant) < 0.32 }
    }

    /// The motion that holds at an instant.
    func motion(at instant: Instant) -> Drawn? {
        let motions = bench.motions[moved] ?? []
        guard let i = motions.lastIndex(where: { $0.at <= instant }) else { return nil }
        return Drawn(plan: motions[i].plan, before: i > 0 ? motions[i - 1].plan : nil)
    }

    func zoom(at instant: Instant) -> Double? { zooms.last { $0.0 <= instant }?.1 }

    mutating func step() {
        if random.next() % 150 == 0 { decide() }
        if bench.now.monotonic >= nextFix {
            nextFix = nextFix.advanced(by: cycle)
            east += speed * cycle
            north += noise() * 0.3
            if !isSilent { bench.fix(east: east + noise(), north: north, speed: speed > 0 ? speed + noise() * 0.2 : 0) }
        }
        if compass > 0, bench.now.monotonic >= nextHeading {
            nextHeading = nextHeading.advanced(by: 1 / compass)
            heading += turn / compass
            bench.heading(heading + noise() * 0.4)
            bench.carryOut()
        }
        bench.run(Double(1 + random.next() % 20) / 1_000)
        zooms.append((bench.now.monotonic, bench.hub.views[.named("v")]?.screenZoom(tier: .precise)))
    }

    private mutating func decide() {
        switch random.next() % 9 {
        case 0: speed = pick([0, 0, 1, 5, 20])
        case 1: isSilent = !isSilent && pick([true, false])
        case 2: turn = pick([0, 0, 20, -30])
        case 3: bench.send(#"{"type":"track","view":"v","mode":"next"}"#, from: framed)
        case 4:
            bench.send(
                #"{"type":"marker","view":"v","marker":"m","position":[\#(8.5 + noise() / 1_000),47.4],"duration":\#(pick([1, 3]))}"#,
                from: framed)
        case 5:
            bench.send(
                #"{"type":"ease","view":"v","camera":{"center":[\#(8.5 + noise() / 100),47.4],"zoom":\#(pick([9, 15, 17]))},"duration":\#(pick([1, 4]))}"#,
                from: framed)
        case 6:
            bench.send(
                #"{"type":"fly","view":"v","camera":{"center":[\#(8.5 + noise() / 10),47.4],"zoom":\#(pick([9, 15, 17]))}}"#,
                from: framed)
        case 7:
            bench.send(
                #"{"type":"follow","view":"v","zoom":\#(pick([14, 16, 18])),"pitch":\#(pick([0, 30, 60]))}"#,
                from: framed)
        default: bench.send(#"{"type":"viewport","view":"v","width":800,"height":600}"#, from: framed)
        }
    }
}
