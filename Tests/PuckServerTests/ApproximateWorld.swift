import PuckCore
import PuckWire

@testable import PuckServer

/// Forty minutes of a device, with approximate clients that ask for everything. In a quiet world it stands still and
/// nobody else is there; in a busy one it goes about, within the same cell, among precise clients, grants and a
/// provider. What the approximate clients are sent must be the same in both.
struct ApproximateWorld {
    private(set) var bench = HubBench()
    /// The approximate clients, and those of them that were hung up on.
    private(set) var observed: [ClientID] = []
    /// The precise ones beside them.
    private(set) var others: [ClientID] = []
    private let isBusy: Bool

    /// Seconds; the second scheduled epoch is within it.
    private static let length = 2_400
    private static let interval = 20

    init(busy: Bool, privileged: Bool = false) {
        isBusy = busy
        // In both worlds the same connections, so that the numbers of clients are no difference.
        observed = [
            bench.connect(HubBench.stranger), bench.connect(HubBench.stranger), bench.connect(HubBench.steward),
        ]
        observed += ApproximateScript.violations.map { _ in bench.connect(HubBench.stranger) }
        others = [bench.connect(), bench.connect(HubBench.root), bench.connect(HubBench.stranger)]
        bench.send(#"{"type":"subscribe"}"#, from: observed[0])
        begin()
        // One round before there is any position, the others between epochs and around them.
        for round in 0..<4 {
            for line in ApproximateScript.served + ApproximateScript.refused { say(line) }
            for line in ApproximateScript.malformed { bench.send(line, from: observed[1]) }
            if privileged { for line in ApproximateScript.privileged { bench.send(line, from: observed[2]) } }
            drive(round)
        }
        for (id, violation) in zip(observed.suffix(ApproximateScript.violations.count), ApproximateScript.violations) {
            bench.send(violation, from: id)
        }
        bench.send(#"{"type":"requestPrecise","id":"g","purpose":"nothing"}"#, from: observed[0])
        for number in 0..<300 { bench.send(#"{"type":"ping","id":\#(number)}"#, from: observed[0]) }
    }

    /// The steward is refused less, and what it says of the system would not be alike: it says only what views take.
    private mutating func say(_ line: String) {
        bench.send(line, from: observed[1])
        if line.contains(#""view":"map""#) || line.contains("status") { bench.send(line, from: observed[2]) }
        bench.run(0.3)
    }

    // MARK: The others

    private mutating func begin() {
        guard isBusy else { return }
        bench.send(#"{"type":"subscribe","rate":5,"view":"map"}"#, from: others[0])
        bench.send(#"{"type":"subscribe","rate":3,"view":"secret"}"#, from: others[1])
        bench.send(#"{"type":"track","view":"secret","mode":"followWithCourse"}"#, from: others[1])
        bench.send(#"{"type":"subscribe"}"#, from: others[2])
    }

    private mutating func drive(_ round: Int) {
        let start = Self.length / 4 * round
        for second in stride(from: start, to: start + Self.length / 4, by: Self.interval) {
            bench.fix(east: isBusy ? Double(second % 600) : 0, speed: isBusy ? 1 : 0)
            if isBusy { disturb(second) }
            bench.run(Double(Self.interval))
        }
    }

    private mutating func disturb(_ second: Int) {
        let east = 8.5 + Double(second % 600) * 1e-5
        bench.send(
            #"{"type":"marker","view":"map","marker":"secret","position":[\#(east),47.4]}"#, from: others[0])
        switch second % 200 {
        case 0: bench.send(#"{"type":"requestPrecise","purpose":"navigation"}"#, from: others[2])
        case 20: bench.send(#"{"type":"follow","zoom":15}"#, from: others[2])
        case 40: bench.send(#"{"type":"place","position":[\#(east),47.401]}"#, from: others[1])
        case 60: bench.send(#"{"type":"release"}"#, from: others[1])
        case 80: bench.send(#"{"type":"accuracy","mode":"approximate"}"#, from: others[1])
        case 100: bench.send(#"{"type":"accuracy","mode":"precise"}"#, from: others[1])
        case 120: bench.send(#"{"type":"fly","view":"secret","camera":{"center":[\#(east),47.4]}}"#, from: others[1])
        case 140: bench.send(#"{"type":"track","view":"secret","mode":"follow"}"#, from: others[1])
        case 160: bench.hub.receive(SourceStatus(state: .stale, since: bench.now), at: bench.now)
        default:
            var source = SourceStatus(state: .fix, since: bench.now)
            source.satellitesUsed = second % 13
            source.satellitesVisible = 20
            source.fixStatus = .deadReckoning
            source.reason = "reason \(second)"
            bench.hub.receive(source, at: bench.now)
        }
    }
}
