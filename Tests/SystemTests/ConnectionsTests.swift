import PuckCore
import PuckSystem
import PuckTestKit
import PuckWire
import Testing

/// What `who` tells an admin, who here is also the one that places the location.
@Suite struct ConnectionsTests {
    private func connections(_ client: PuckdClient) throws -> [Connection] {
        try client.send(#"{"type":"who","id":"w"}"#)
        let message = try client.message { if case .ok(.string("w"), _) = $0 { true } else { false } }
        guard case .ok(_, .connections(let connections)) = message else { throw KitError("no connections") }
        return connections
    }

    @Test("who tells of each client its program, and the frames it was sent and was too slow for")
    func frames() throws {
        let puckd = try PuckdBench(gpsdPort: try freePort())
        let admin = try puckd.connect()
        let reader = try puckd.connect()
        try reader.subscribe()
        let deaf = try LineClient(path: puckd.socket)
        try deaf.send(#"{"type":"subscribe","include":["puck"]}"#)
        // Each is a frame; the kernel keeps some twenty of them for the one that does not read.
        let placed = 150
        for i in 0..<placed {
            try admin.send(#"{"type":"place","id":\#(i),"position":[8.5,\#(47 + Double(i) / 1_000)]}"#)
            _ = try admin.message { if case .ok(.number("\(i)"), _) = $0 { true } else { false } }
            _ = try reader.puck()
        }
        let all = try connections(admin)
        #expect(all.map(\.client) == [1, 2, 3])
        #expect(all.allSatisfy { $0.accuracy == .precise && $0.allowed == .precise })
        let own = programName(ofProcess: try #require(all[0].pid.map(Int32.init)))
        #expect(own != nil && all.allSatisfy { $0.program == own })
        #expect(all[0].framesSent == 0 && all[0].framesSkipped == 0)
        #expect(all[1].framesSent == UInt64(placed) && all[1].framesSkipped == 0)
        let (sent, skipped) = (try #require(all[2].framesSent), try #require(all[2].framesSkipped))
        // One more may wait, neither sent nor replaced yet.
        #expect(skipped > 0 && (sent + skipped == UInt64(placed) || sent + skipped + 1 == UInt64(placed)))
    }

    @Test("a placed location is the receiver's again when the connection that placed it ends")
    func placeEnds() throws {
        let puckd = try PuckdBench(gpsdPort: try freePort())
        let watcher = try puckd.connect()
        try watcher.subscribe()
        try place(puckd)
        let placed = try watcher.message {
            if case .source(let source) = $0 { source.provider == .client } else { false }
        }
        guard case .source = placed else { throw KitError("not placed") }
        let back = try watcher.message { if case .source(let source) = $0 { source.provider == .gpsd } else { false } }
        guard case .source(let source) = back else { throw KitError("not given back") }
        #expect(source.state == .noDaemon)
    }

    /// Places a location on a connection that ends with this function.
    private func place(_ puckd: PuckdBench) throws {
        let provider = try puckd.connect()
        try provider.send(#"{"type":"place","position":[8.5,47.4],"id":1}"#)
        _ = try provider.message { if case .ok(.number("1"), _) = $0 { true } else { false } }
    }
}
