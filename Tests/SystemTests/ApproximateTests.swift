import Glibc
import PuckCore
import PuckSystem
import PuckTestKit
import PuckWire
import Testing

/// Approximate location and who gets more, by the daemon itself.
@Suite struct ApproximateTests {
    /// Everyone, root too, sees the approximate location, and may do and ask for everything.
    private static let configuration = """
        [policy]
        rule = any approximate observer controller provider admin
        \(threePurposes)
        [log]
        level = debug
        """

    // MARK: The same bytes

    /// Has a device drive for two hours up to now, and puts what it keeps into a state directory, so that its next epoch
    /// is not within the next minutes: a test would have to wait for it.
    private func drive(into directory: String) throws {
        let now = Clocks.now.utc
        let plane = LocalPlane(origin: Coordinate(wrappingLongitude: 7, clampingLatitude: 51))
        for attempt in 0..<40 {
            let fixes = 360 + attempt
            let recording = (0..<fixes).map { i in
                let time = now.nanoseconds / 1_000_000_000 - Int64(20 * (fixes - i))
                return Recording.fix(
                    at: UTC(nanoseconds: time * 1_000_000_000), plane.unproject(east: 0, north: 200 * Double(i)),
                    speed: 10, course: 0)
            }.joined()
            let input = try TestDirectory()
            let replay = try TestProcess(
                builtProgram("puckd"),
                [
                    "replay", "--accuracy", "approximate", "--state-directory", input.path,
                    input.write(recording, to: "recording"),
                ], output: .discard)
            #expect(try replay.waitForEnd(seconds: 30) == .exited(0))
            let state = try readFile(input.file("approximate.state"), limit: 65_536)
            let lines = String(decoding: state, as: UTF8.self).split(separator: "\n")
            let next = lines.first { $0.hasPrefix("next ") }.flatMap { Double(String($0.dropFirst(5))) }
            if try #require(next) > now.seconds + 600 {
                return try replaceFile("\(directory)/approximate.state", with: state)
            }
        }
        throw KitError("no drive whose next epoch is ten minutes ahead")
    }

    /// Connects, subscribes, and tells all that comes until the frame.
    private func opening(_ puckd: PuckdBench, _ members: String) throws -> (client: LineClient, lines: [String]) {
        let client = try LineClient(path: puckd.socket)
        try client.send(#"{"type":"subscribe"\#(members)}"#)
        var lines: [String] = []
        try client.lines.first(within: 15) {
            lines.append($0)
            return $0.contains(#""type":"frame""#)
        }
        return (client, lines)
    }

    @Test("five clients, reconnections, a stop and a crash: the same bytes, and no more, beside a precise client")
    func sameBytes() throws {
        let way = try Way(.boat(), configuration: Self.configuration)
        try way.puckd.terminate()
        try drive(into: way.puckd.directory.path)
        let ways = [
            "", #","rate":120,"bearing":"heading""#, #","include":["puck","camera","markers","source"]"#,
            #","accuracy":"precise","minDistance":100"#, #","accuracy":"approximate","rate":1"#,
        ]
        var transcripts: Set<[String]> = []
        for run in 0..<3 {
            try way.puckd.start()
            let precise = try way.subscriber()
            try precise.send(#"{"type":"requestPrecise","purpose":"navigation"}"#)
            _ = try precise.puck { $0.accuracyMode == .precise }
            var last: [LineClient] = []
            for _ in 0..<3 {
                let stays = try ways.map { try opening(way.puckd, $0) }
                for stay in stays { transcripts.insert(stay.lines) }
                last = stays.map(\.client)
            }
            // The receiver goes on: the precise one sees it, the others are told nothing.
            for _ in 0..<5 { _ = try precise.puck { $0.accuracyMode == .precise } }
            for client in last { #expect(client.lines.all(within: 0.05) == []) }
            if run == 0 { #expect(try way.puckd.terminate() == .exited(0)) } else { way.puckd.kill() }
        }
        #expect(transcripts.count == 1, "\(transcripts)")
        #expect(transcripts.first?.count == 7)
    }

    // MARK: As it is shown

    @Test("where no terminal is, the demo shows the one approximate puck that there is, and again after a grant")
    func demo() throws {
        let way = try Way(.boat(), configuration: Self.configuration)
        try way.puckd.terminate()
        try drive(into: way.puckd.directory.path)
        try way.puckd.start()
        try way.subscriber().client.lines.first(within: 15) { $0.contains(#""type":"frame""#) }
        let program = try TestProcess(
            builtProgram("puckctl"), ["--socket", way.puckd.socket, "demo", "approximate"], output: .lines)
        let lines = program.lines?.all(within: 30) ?? []
        #expect(try program.waitForEnd() == .exited(0))
        let granted = try #require(lines.firstIndex { $0.hasPrefix("→ ask for precise accuracy “Guidance") })
        let given = try #require(lines.firstIndex { $0.hasPrefix("→ give it back") })
        for part in [lines[..<granted], lines[given...]] {
            #expect(part.contains { $0.contains(" m  approximate") }, "\(lines)")
        }
        #expect(lines[granted..<given].contains { $0.contains("live") && !$0.contains("approximate") }, "\(lines)")
    }

    // MARK: The journal

    @Test("the journal has every grant, refusal, expiry, end and switch with who and why, and nowhere a coordinate")
    func journal() throws {
        let way = try Way(.boat(), configuration: Self.configuration)
        let client = try way.subscriber()
        var seen: [Coordinate] = []
        func ask(_ request: String, until condition: (ServerMessage) -> Bool) throws {
            try client.send(request)
            _ = try client.message { message in
                if case .frame(let frame) = message, let puck = frame.puck, puck.accuracyMode == .precise {
                    seen.append(puck.coordinate)
                }
                return condition(message)
            }
        }
        func told(_ reason: AuthorizationReason) -> (ServerMessage) -> Bool {
            { if case .authorization(let message) = $0 { message.reason == reason } else { false } }
        }
        func refused(_ code: ErrorCode) -> (ServerMessage) -> Bool {
            { if case .error(let error) = $0 { error.code == code } else { false } }
        }
        // A purpose's key is what the client says: not even by that does a position get into the journal.
        try ask(#"{"type":"requestPrecise","purpose":"8.123456,47.123456"}"#, until: refused(.unknownPurpose))
        try ask(#"{"type":"requestPrecise","purpose":"rescue"}"#, until: refused(.notPermitted))
        try ask(#"{"type":"requestPrecise","purpose":"glance"}"#, until: told(.expired))
        try ask(#"{"type":"requestPrecise","purpose":"navigation"}"#, until: told(.purpose))
        for _ in 0..<5 { seen.append(try client.puck { $0.accuracyMode == .precise }.coordinate) }
        try ask(#"{"type":"requestPrecise","purpose":"navigation"}"#, until: refused(.alreadyPrecise))
        try ask(#"{"type":"endPrecise"}"#, until: told(.ended))
        try ask(#"{"type":"accuracy","mode":"approximate","scope":"system"}"#, until: told(.system))
        try ask(#"{"type":"accuracy","mode":"precise","scope":"system","id":1}"#, until: told(.policy))
        try ask(#"{"type":"place","position":[8.123456,47.123456],"id":2}"#) {
            if case .ok(.number("2"), _) = $0 { true } else { false }
        }
        try ask(#"{"type":"release","id":3}"#) { if case .ok(.number("3"), _) = $0 { true } else { false } }
        try way.puckd.terminate()

        let log = way.puckd.log
        let who = "uid=\(geteuid()) pid=\(getpid())"
        for (event, reason) in [
            ("refused", "unknown-purpose"), ("refused", "\"not-permitted for rescue\""), ("granted", "glance"),
            ("switched", "\"precise by purpose\""), ("expired", "glance"), ("switched", "\"approximate by expired\""),
            ("granted", "navigation"), ("refused", "\"already-precise for navigation\""), ("ended", "navigation"),
            ("systemSwitched", "approximate"), ("systemSwitched", "precise"), ("placed", "request"),
            ("released", "request"),
        ] {
            let line = log.split(separator: "\n").first {
                $0.contains("event=\(event) ") && $0.hasSuffix("reason=\(reason)")
            }
            #expect(line?.contains(who) == true && line?.contains("user=") == true, "\(event) \(reason) in \(log)")
        }
        #expect(seen.count > 5)
        seen.append(Coordinate(wrappingLongitude: 8.123456, clampingLatitude: 47.123456))
        for coordinate in seen {
            for degrees in [coordinate.longitude, coordinate.latitude] {
                // To three decimals, a hundred metres; as a number is written, and without its point.
                let text = String(String(abs(degrees)).prefix { $0 != "." }) + "." + Self.thousandths(degrees)
                #expect(!log.contains(text), "\(text)")
            }
        }
    }

    private static func thousandths(_ degrees: Double) -> String {
        let number = Int(abs(degrees) * 1_000) % 1_000
        return String(repeating: "0", count: number < 10 ? 2 : number < 100 ? 1 : 0) + String(number)
    }

    // MARK: Policy

    /// A group that is not the main one of who runs the tests: root can have any.
    private static let group: UInt32? = {
        var groups = [gid_t](repeating: 0, count: 65_536)
        let count = Int(getgroups(Int32(groups.count), &groups))
        if geteuid() == 0 { return 54_321 }
        return groups.prefix(max(0, count)).first { $0 != getegid() }
    }()

    /// What a client with that group among its others is told that it may have.
    private func allowed(by rules: [String], _ group: UInt32) throws -> String {
        let policy = rules.map { "rule = \($0)\n" }.joined()
        let puckd = try PuckdBench(gpsdPort: try freePort(), configuration: "[policy]\n\(policy)")
        _ = try puckd.connect()
        let watch = [try builtProgram("puckctl"), "--socket", puckd.socket, "watch", "--json"]
        let command = geteuid() == 0 ? ["setpriv", "--groups", "\(group)"] + watch : watch
        let client = try TestProcess(command[0], Array(command.dropFirst()), output: .lines)
        let line = try #require(client.lines).first(within: 15) { $0.contains(#""type":"authorization""#) }
        return line.contains(#""accuracy":"precise""#) ? "precise" : "approximate"
    }

    @Test(
        "a rule about a supplementary group is about its members; the first rule decides; who is in none is approximate",
        .enabled(if: ApproximateTests.group != nil, "this user has no supplementary group"))
    func policy() throws {
        let group = try #require(Self.group)
        #expect(try allowed(by: ["group:\(group) precise observer"], group) == "precise")
        #expect(try allowed(by: ["group:\(group) precise observer", "any approximate"], group) == "precise")
        #expect(try allowed(by: ["group:\(group) approximate", "any precise observer"], group) == "approximate")
        #expect(try allowed(by: ["any approximate", "group:\(group) precise observer"], group) == "approximate")
        #expect(try allowed(by: ["user:4294967000 precise", "group:4294967000 precise"], group) == "approximate")
    }

    @Test("a kept switch that can't be read binds everyone; it is set aside, and an admin's word ends it")
    func damagedSwitch() throws {
        let puckd = try PuckdBench(gpsdPort: try freePort())
        _ = try puckd.connect()
        try puckd.terminate()
        try puckd.directory.write("precise\n", to: "system-accuracy")
        func connect() throws -> (LineClient, String) {
            let client = try LineClient(path: puckd.socket)
            return (client, try client.lines.first(within: 10) { $0.contains(#""type":"authorization""#) })
        }
        // And so does the start after that.
        for _ in 0..<2 {
            try puckd.start()
            let (_, told) = try connect()
            #expect(told.contains(#""accuracy":"approximate""#) && told.contains(#""reason":"system""#))
            try puckd.terminate()
        }
        try puckd.start()
        let (client, _) = try connect()
        #expect(puckd.directory.names.contains("system-accuracy.damaged"))
        #expect(puckd.log.contains("everyone is limited to approximate"))
        try client.send(#"{"type":"accuracy","mode":"precise","scope":"system"}"#)
        try client.lines.first(within: 10) { $0.contains(#""accuracy":"precise""#) }
    }
}
