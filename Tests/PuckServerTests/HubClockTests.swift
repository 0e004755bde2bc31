import PuckCore
import PuckTestKit
import Testing

@testable import PuckServer

/// The host's clock is set, and the host sleeps. (P10, P16)
@Suite struct HubClockTests {
    @Test(
        "P16 after the clock was set, each frame has the host's new time",
        arguments: [3_600.0, -3_600, 0.37, -34_560_000])
    func clockSet(_ step: Double) {
        var bench = HubBench()
        let id = bench.connect()
        bench.send(#"{"type":"subscribe","rate":30}"#, from: id)
        bench.drive(seconds: 10)
        bench.clear()
        let offset = bench.now.utc.nanoseconds - bench.now.monotonic.nanoseconds + Int64(step * 1e9)
        bench.now.utc = bench.now.utc.advanced(by: step)
        bench.run(0.5)
        bench.fix(east: 100, speed: 10)
        bench.run(0.5)
        let frames = bench.frames(to: id)
        #expect((28...33).contains(frames.count))
        for frame in frames {
            // To the milliseconds and microseconds of the wire.
            let difference = frame.moment.utc.nanoseconds - frame.moment.monotonic.nanoseconds - offset
            #expect(abs(difference) <= 1_001_000)
        }
        // They are on the grid of the new time again.
        let last = frames.suffix(10).map { $0.moment.utc.seconds * 30 }
        #expect(last.allSatisfy { abs($0 - $0.rounded()) < 0.031 })
    }

    @Test(
        "P16 whatever comes first after an hour's sleep, nothing is live",
        arguments: ["timer", "fix", "request", "no fix"])
    func slept(first: String) {
        var bench = HubBench()
        let (id, late) = (bench.connect(), bench.connect())
        bench.send(#"{"type":"subscribe","rate":60}"#, from: id)
        bench.drive(seconds: 10)
        bench.clear()
        bench.now = bench.now.advanced(by: 3_600)
        switch first {
        case "timer": bench.advance()
        case "fix": bench.fix(east: 30_000, speed: 10)
        case "no fix": bench.fix(mode: .none)
        default: bench.send(#"{"type":"subscribe"}"#, from: late)
        }
        bench.run(0)
        bench.run(0.1)
        for puck in bench.pucks(to: id) + bench.pucks(to: late) {
            #expect(puck.state != .live || (first == "fix" && (puck.age ?? 0) < 1))
            #expect(first == "fix" || (puck.age ?? 0) >= 3_600)
        }
        // The frame that was due is of now, and not a backlog of an hour.
        #expect(bench.frames(to: id).count <= 10)
        #expect(bench.frames(to: id).allSatisfy { $0.moment.monotonic.seconds(since: bench.now.monotonic) > -0.2 })
    }

    @Test("P16 a grant ends while the host sleeps, whatever comes first", arguments: ["timer", "fix", "request"])
    func grant(first: String) {
        var bench = HubBench()
        let id = bench.connect(HubBench.stranger)
        bench.send(#"{"type":"subscribe"}"#, from: id)
        bench.send(#"{"type":"requestPrecise","purpose":"navigation"}"#, from: id)
        bench.drive(seconds: 10)
        #expect(bench.pucks(to: id).last?.accuracyMode == .precise)
        bench.clear()
        bench.now = bench.now.advanced(by: 3_600)
        switch first {
        case "timer": bench.advance()
        case "fix": bench.fix(east: 30_000, speed: 10)
        default: bench.send(#"{"type":"subscribe","rate":10}"#, from: id)
        }
        bench.run(1)
        #expect(bench.pucks(to: id).allSatisfy { $0.accuracyMode == .approximate })
        #expect(
            bench.messages(to: id).contains {
                if case .authorization(let now) = $0 { now.accuracy == .approximate } else { false }
            })
    }

    @Test("a grid has a next tick at any time that a clock can say")
    func extremeGrid() {
        for rate in [1.0, 2.5, 30, 59.94, 120] {
            for utc in [Int64.min, .min + 1, -1, 0, 1, 1_780_315_200_000_000_000, .max - 2_000_000_000, .max] {
                for instant in [Int64.min, 0, .max] {
                    let moment = Moment(monotonic: Instant(nanoseconds: instant), utc: UTC(nanoseconds: utc))
                    let next = TickGrid(rate: rate).next(after: moment)
                    #expect(next.monotonic >= moment.monotonic && next.utc >= moment.utc)
                    #expect(next.monotonic.seconds(since: moment.monotonic) <= 1 / rate + 1e-6)
                }
            }
        }
    }
}

extension HubBench {
    /// The hub's timer fires now.
    fileprivate mutating func advance() {
        hub.advance(to: now)
        carryOut()
    }
}
