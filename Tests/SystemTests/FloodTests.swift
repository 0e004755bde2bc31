import PuckCore
import PuckSystem
import PuckTestKit
import PuckWire
import Testing

/// What others say without end does not end in the journal.
@Suite struct FloodTests {
    @Test("a gpsd that tells of receivers without end fills no journal, and is read on")
    func receivers() throws {
        let way = try ScriptedWay()
        for hundred in 0..<200 {
            let lines = (0..<100).map { number in
                #"{"class":"DEVICE","path":"/dev/tty\#(hundred)x\#(number)","activated":"2026-06-01T12:00:00.000Z"}"#
            }
            try way.connection.send(lines.joined(separator: "\n") + "\n", within: 30)
        }
        try way.fix()
        let told = way.puckd.log.split(separator: "\n").count { $0.contains("receiver device=") }
        // Nothing is known of how long it took to read them: an interval is ten seconds.
        #expect(told >= 100 && told <= 500)
        #expect(try way.puckd.terminate() == .exited(0))
    }

    @Test("a client that is refused without end leaves a thousand lines, and no lines of others are held back for it")
    func refusals() throws {
        let gpsd = try FakeGPSD()
        let puckd = try PuckdBench(
            gpsdPort: gpsd.port,
            configuration: "[limits]\nrequests-per-second = 10000\n[policy]\nrule = self precise admin\n")
        let client = try puckd.connect()
        for round in 1...6 {
            for _ in 1..<500 { try client.send(#"{"type":"requestPrecise","purpose":"x"}"#) }
            try client.send(#"{"type":"requestPrecise","purpose":"x","id":\#(round)}"#)
            _ = try client.message(within: 30) {
                if case .error(let error) = $0 { error.id == .number("\(round)") } else { false }
            }
        }
        try client.send(#"{"type":"accuracy","scope":"system","mode":"approximate","id":"all"}"#)
        _ = try client.message(within: 30) { if case .ok(.string("all"), _) = $0 { true } else { false } }
        let lines = puckd.log.split(separator: "\n")
        let refused = lines.count { $0.contains("event=refused") }
        #expect(refused >= 1_000 && refused < 3_000)
        #expect(lines.contains { $0.contains("event=systemSwitched") })
    }
}
