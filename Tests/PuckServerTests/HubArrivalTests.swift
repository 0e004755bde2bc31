import Foundation
import PuckCore
import PuckTestKit
import PuckWire
import Testing

@testable import PuckServer

/// How the fixes of a receiver reach the host.
struct Arrivals: CustomTestStringConvertible, Sendable {
    /// How long a fix takes on its way.
    enum Latency: Sendable {
        /// Always as long.
        case constant(Double)
        /// Anything between, each time another.
        case uniform(Double, Double)
        /// So long at least, and so much more on average, seldom much more.
        case exponential(Double, mean: Double)
        /// So long, but one in some takes longer.
        case hiccups(Double, every: Int, of: Double)
    }

    /// Fixes a second.
    var rate: Double
    var latency = Latency.constant(0)
    /// So many come together, with the last of them, so many seconds apart.
    var batch = (size: 1, spacing: 0.0)
    /// How far the host's clock is off.
    var hostError = 0.0

    var testDescription: String { "\(rate) Hz, \(latency), \(batch.size) at once, host \(hostError) s off" }

    /// Seconds from a fix, or a batch, to the next.
    var period: Double { Double(batch.size) / rate }

    /// When each fix is true, and when it arrives: seconds, in the order of arrival.
    func fixes(for seconds: Double, seed: UInt64) -> [(truth: Double, arrival: Double)] {
        var random = SeededGenerator(seed: seed)
        var last = 0.0
        return (0..<Int(seconds * rate)).map { i in
            let truth = Double(i) / rate
            let inBatch = i % batch.size
            let sent = Double(i - inBatch + batch.size - 1) / rate + Double(inBatch) * batch.spacing
            // Bytes do not overtake each other.
            last = max(last, sent + latency.draw(i, &random))
            return (truth, last)
        }
    }
}

extension Arrivals.Latency {
    fileprivate func draw(_ index: Int, _ random: inout SeededGenerator) -> Double {
        switch self {
        case .constant(let seconds): seconds
        case .uniform(let least, let most): .random(in: least...most, using: &random)
        case .exponential(let least, let mean): least - mean * log(1 - .random(in: 0..<1, using: &random))
        case .hiccups(let usual, let every, let seldom): index % every == every - 1 ? seldom : usual
        }
    }
}

/// P15: what is regular of a receiver's latency is not a gap; and what is a gap is told soon.
@Suite struct HubArrivalTests {
    static let late: [Arrivals] = {
        var all: [Arrivals] = [
            // As reported: Bluetooth, and batches.
            Arrivals(rate: 10, latency: .constant(0.15)), Arrivals(rate: 5, latency: .constant(0.25)),
            Arrivals(rate: 1, latency: .constant(1.4)), Arrivals(rate: 5, batch: (5, 0)),
        ]
        all += [0.2, 0.45].flatMap { latency in
            [2.0, 5, 10].map { Arrivals(rate: $0, latency: .constant(latency)) }
        }
        all += [0.3, 0.9, 1.2].map { Arrivals(rate: 1, latency: .constant($0)) }
        all += [-0.4, 0.6, -1.7e9].map {
            Arrivals(rate: 10, latency: .constant(0.15), hostError: $0)
        }
        all += [
            Arrivals(rate: 10, latency: .uniform(0, 0.3)), Arrivals(rate: 10, latency: .uniform(0.05, 0.15)),
            Arrivals(rate: 5, latency: .uniform(0.1, 0.4)), Arrivals(rate: 1, latency: .uniform(0.2, 1.2)),
            Arrivals(rate: 10, latency: .exponential(0.05, mean: 0.03)),
            Arrivals(rate: 5, latency: .exponential(0.1, mean: 0.05)),
            Arrivals(rate: 1, latency: .exponential(0.2, mean: 0.15)),
            Arrivals(rate: 10, latency: .hiccups(0.05, every: 10, of: 0.3)),
            Arrivals(rate: 10, latency: .hiccups(0.05, every: 25, of: 0.4)),
            Arrivals(rate: 1, latency: .hiccups(0.1, every: 10, of: 1.1)),
        ]
        all += [(2, 0.0), (5, 0), (5, 0.02), (10, 0), (10, 0.01), (20, 0.005)].flatMap { size, spacing in
            [5.0, 10].map {
                Arrivals(rate: $0, latency: .uniform(0.05, 0.15), batch: (size, spacing))
            }
        }
        all += [Arrivals(rate: 1, batch: (3, 0)), Arrivals(rate: 1, latency: .uniform(0, 0.3), batch: (2, 0))]
        // Of some seconds: buffers on the way, or a sleeping radio.
        all += [(1, 5, 0.0), (5, 10, 0), (5, 25, 0.002), (10, 20, 0.002), (10, 50, 0.002), (10, 50, 0)].map {
            rate, size, spacing in
            Arrivals(rate: rate, latency: .constant(0.15), batch: (size, spacing))
        }
        return all
    }()

    /// Long enough for the first silences, by which a receiver's habits are learnt.
    private static func learning(_ arrivals: Arrivals) -> Double {
        // Between two arrivals, so that what is counted by both clocks is the same.
        var seconds = 10.013 + 4 * arrivals.period
        // Twice makes a habit.
        if case .hiccups(_, let every, _) = arrivals.latency { seconds += 2 * Double(every) / arrivals.rate }
        return seconds
    }

    @Test("P15 a receiver whose fixes come late is live, a frame a fix", arguments: late)
    func driving(arrivals: Arrivals) {
        var bench = HubBench()
        let (smooth, fixes) = (bench.connect(), bench.connect())
        bench.send(#"{"type":"subscribe","rate":20}"#, from: smooth)
        bench.send(#"{"type":"subscribe"}"#, from: fixes)
        let begin = bench.now
        bench.receive(arrivals, for: 50, speed: 15)
        let learnt = Self.learning(arrivals)
        let since = begin.monotonic.advanced(by: learnt)
        for id in [smooth, fixes] {
            let states = bench.frames(to: id).filter { $0.moment.monotonic >= since }.compactMap(\.puck?.state)
            #expect(states.count > 10)
            #expect(
                states.allSatisfy { $0 == .live }, "\(states.count { $0 != .live }) of \(states.count) are not live")
        }
        let count = arrivals.fixes(for: 50, seed: 1).count { $0.arrival >= learnt }
        #expect(bench.frames(to: fixes).count { $0.moment.monotonic >= since } == count)
    }

    @Test("batches of seconds: the puck goes on evenly between them, where the vehicle is", arguments: late.suffix(6))
    func batches(arrivals: Arrivals) {
        var bench = HubBench()
        let id = bench.connect()
        bench.send(#"{"type":"subscribe","rate":60}"#, from: id)
        let begin = bench.now
        bench.receive(arrivals, for: 90, speed: 15)
        let plane = LocalPlane(origin: Coordinate(wrappingLongitude: 8.5, clampingLatitude: 47.4))
        var last: Double?
        for frame in bench.frames(to: id) {
            let time = frame.moment.monotonic.seconds(since: begin.monotonic)
            guard time > 30, let puck = frame.puck else { continue }
            let east = plane.project(puck.coordinate).east
            #expect(abs(east - 15 * time) < 3, "at \(time)")
            if let last { #expect(east > last && east - last < 1.5 * 15 / 60 + 0.1, "at \(time)") }
            last = east
        }
        #expect(bench.pucks(to: id).count(where: \.discontinuity) <= 2)
    }

    @Test("P15 those with a steady latency are live from their first fix on", arguments: late)
    func fromTheFirst(arrivals: Arrivals) {
        guard case .constant = arrivals.latency, arrivals.period <= 1 else { return }
        var bench = HubBench()
        let id = bench.connect()
        bench.send(#"{"type":"subscribe","rate":20}"#, from: id)
        bench.receive(arrivals, for: 20, speed: 15)
        #expect(bench.pucks(to: id).allSatisfy { $0.state == .live })
    }

    @Test("P3 P15 while it is parked, there are no frames at a rate, and one a fix at “fix”", arguments: late)
    func parked(arrivals: Arrivals) {
        var bench = HubBench()
        let (smooth, fixes) = (bench.connect(), bench.connect())
        bench.send(#"{"type":"subscribe","rate":20}"#, from: smooth)
        bench.send(#"{"type":"subscribe"}"#, from: fixes)
        bench.receive(arrivals, for: 60, speed: 0)
        bench.clear()
        let count = bench.receive(arrivals, for: 30, speed: 0, from: 60)
        #expect(bench.frames(to: smooth).count <= 2)
        #expect(bench.frames(to: fixes).count == count)
    }

    @Test("P8 S3 a gap is told soon, however late the fixes usually come", arguments: late)
    func gap(arrivals: Arrivals) throws {
        var bench = HubBench()
        let id = bench.connect()
        bench.send(#"{"type":"subscribe","rate":20}"#, from: id)
        bench.receive(arrivals, for: 60, speed: 15)
        let end = bench.now.monotonic
        bench.clear()
        bench.run(20)
        let first = try #require(bench.frames(to: id).first { $0.puck?.state == .predicted })
        let silent = first.moment.monotonic.seconds(since: end)
        // When the next was due, and two cycles or so; jitter gives it some more.
        #expect(silent <= 2.6 * arrivals.period + 0.6)
        #expect(silent >= arrivals.period)
        let radii = bench.pucks(to: id).filter { $0.state == .predicted }.compactMap(\.accuracy)
        #expect(zip(radii, radii.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(bench.pucks(to: id).last?.state == .stale)
    }

    @Test("P8 outages do not make the next one a habit", arguments: [1.0, 5, 10])
    func outages(rate: Double) throws {
        var bench = HubBench()
        let id = bench.connect()
        bench.send(#"{"type":"subscribe","rate":20}"#, from: id)
        var second = 0.0
        for outage in [3.0, 8, 20, 5, 12, 25, 4] {
            bench.receive(Arrivals(rate: rate, latency: .constant(0.1)), for: 12, speed: 15, from: second)
            bench.clear()
            let end = bench.now.monotonic
            bench.run(outage)
            second += 12 + outage
            let first = try #require(bench.frames(to: id).first { $0.puck?.state == .predicted })
            #expect(first.moment.monotonic.seconds(since: end) <= 2 / rate + 1.6)
        }
    }

    @Test("what was true long ago is not live when it comes at last")
    func backlog() {
        var bench = HubBench()
        let id = bench.connect()
        bench.send(#"{"type":"subscribe"}"#, from: id)
        bench.receive(Arrivals(rate: 10, latency: .constant(0.05)), for: 30, speed: 15)
        bench.run(4)
        bench.clear()
        // The link goes on where it stopped: the first of them is four seconds old.
        bench.fix(truth: 30, arrival: 34, speed: 15)
        #expect(bench.pucks(to: id).last?.state == .predicted)
        bench.fix(truth: 34, arrival: 34.05, speed: 15)
        #expect(bench.pucks(to: id).last?.state == .live)
    }
}

extension HubBench {
    /// A fix that was true `truth` seconds after the bench's start, when the arrival's time has come.
    fileprivate mutating func fix(truth: Double, arrival: Double, speed: Double, hostError: Double = 0) {
        let start = ManualClock.defaultStart
        run(start.monotonic.advanced(by: arrival).seconds(since: now.monotonic))
        let plane = LocalPlane(origin: Coordinate(wrappingLongitude: 8.5, clampingLatitude: 47.4))
        var report = PositionReport(
            device: Self.device, time: start.utc.advanced(by: truth - hostError), mode: .threeDimensional)
        report.coordinate = plane.unproject(east: truth * speed, north: 0)
        report.speed = speed
        report.course = speed > 0 ? Direction(90) : nil
        report.altitudeEllipsoid = 450
        report.eph = 5
        hub.receive(.position(report), at: now)
        carryOut()
    }

    /// Receives for so many seconds, beginning so many after the bench's start. Returns the number of fixes.
    @discardableResult
    fileprivate mutating func receive(
        _ arrivals: Arrivals, for seconds: Double, speed: Double, from begin: Double = 0
    ) -> Int {
        let fixes = arrivals.fixes(for: seconds, seed: 1)
        for fix in fixes {
            self.fix(
                truth: begin + fix.truth, arrival: begin + fix.arrival, speed: speed, hostError: arrivals.hostError)
        }
        return fixes.count
    }
}
