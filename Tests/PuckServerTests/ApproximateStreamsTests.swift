import PuckCore
import PuckWire
import Testing

@testable import PuckServer

/// The same bytes to every approximate client: whoever connects, when and how often, and over restarts.
@Suite struct ApproximateStreamsTests {
    /// Five ways to subscribe that make no difference to an approximate client without a view of its own.
    private static let ways = [
        #"{"type":"subscribe"}"#,
        #"{"type":"subscribe","rate":120,"bearing":"heading","staleAfter":1}"#,
        #"{"type":"subscribe","include":["puck","camera","markers","source"],"rate":1}"#,
        #"{"type":"subscribe","accuracy":"precise","minDistance":5000,"minInterval":600}"#,
        #"{"type":"subscribe","accuracy":"approximate","rate":30}"#,
    ]

    /// One connection of a client, and what has to have come over it.
    private struct Stay {
        let id: ClientID
        let way: Int
        let since: Instant
    }

    /// The five of them through some hours of a drive and a stay. The first stays connected as long as the daemon
    /// runs; the others come and go.
    private struct Five {
        var bench = HubBench()
        var stays: [Stay] = []
        /// Everything that was sent to anyone, and by whom it was seen from when to when.
        var ended: [(stay: Stay, until: Instant)] = []
        private var clock = 0

        mutating func connect(_ way: Int) {
            let id = bench.connect(HubBench.stranger)
            stays.append(Stay(id: id, way: way, since: bench.now.monotonic))
            bench.send(ApproximateStreamsTests.ways[way], from: id)
        }

        mutating func leave(_ way: Int) {
            guard let i = stays.firstIndex(where: { $0.way == way }) else { return }
            let stay = stays.remove(at: i)
            ended.append((stay, bench.now.monotonic))
            bench.disconnect(stay.id)
        }

        mutating func leaveAll() { for way in ApproximateStreamsTests.ways.indices { leave(way) } }

        /// So many minutes with a fix every 20 s, at `speed` m/s. Who comes and goes does so every few minutes.
        mutating func run(minutes: Int, speed: Double, hasFix: Bool = true) {
            for minute in 0..<minutes {
                for way in 1..<ApproximateStreamsTests.ways.count where minute % (3 * way + 4) == way {
                    leave(way)
                    connect(way)
                }
                for _ in 0..<3 {
                    clock += 20
                    if hasFix { bench.fix(east: Double(clock) * speed, speed: speed) }
                    bench.run(20)
                }
            }
        }
    }

    @Test("five clients with reconnections and two restarts are sent the same bytes at the same instants, and no more")
    func sameBytes() throws {
        var five = Five()
        // The first of each run of the daemon is the one that the others are held against.
        var references: [Stay] = []
        func begin() { for way in Self.ways.indices { five.connect(way) } }
        begin()
        references.append(five.stays[0])
        five.run(minutes: 100, speed: 20)
        five.run(minutes: 70, speed: 0, hasFix: false)
        five.run(minutes: 40, speed: 20)
        let before = try #require(frames(five, references[0]).last)
        five.leaveAll()
        five.bench.restart(after: 3, seed: 7)
        begin()
        references.append(five.stays[0])
        // What was shown last is shown again, to the byte, and at no other time than it is asked for.
        #expect(frames(five, references[1]) == [before])
        five.run(minutes: 60, speed: 20)
        five.leaveAll()
        five.bench.restart(after: 3, seed: 8)
        begin()
        references.append(five.stays[0])
        five.run(minutes: 60, speed: 20)
        five.leaveAll()

        var points = 0
        for (stay, until) in five.ended {
            let reference = try #require(references.last { $0.since <= stay.since })
            let here = five.bench.deliveries[stay.id] ?? []
            let there = five.bench.deliveries[reference.id] ?? []
            // What is told on connecting and subscribing, then what the reference was told in the same time.
            let opening = try opening(of: there, at: stay.since)
            #expect(here.prefix(opening.count).map(\.line) == opening)
            let rest = there.filter { isNews($0.line) && $0.at > stay.since && $0.at <= until }
            #expect(Array(here.dropFirst(opening.count)) == rest)
            points += rest.count
        }
        #expect(five.ended.count > 60)
        #expect(points > 50)
        #expect(Set(frames(five, references[0])).count > 5)
    }

    private func frames(_ five: Five, _ stay: Stay) -> [String] {
        (five.bench.lines[stay.id] ?? []).filter { $0.contains(#""type":"frame""#) }
    }

    private func isNews(_ line: String) -> Bool {
        line.contains(#""type":"frame""#) || line.contains(#""type":"source""#)
    }

    /// What a client that connects and subscribes at an instant is told, by what the reference was told up to then.
    private func opening(of reference: [HubBench.Delivery], at instant: Instant) throws -> [String] {
        let told = reference.filter { $0.at <= instant }.map(\.line)
        func last(_ type: String) -> String? { told.last { $0.contains(#""type":"\#(type)""#) } }
        let fixed = try [
            last("hello"), last("authorization"), last("ok"), last("source"), last("authorization"), last("view"),
        ]
        .map { try #require($0) }
        return fixed + [last("frame")].compactMap { $0 }
    }
}
