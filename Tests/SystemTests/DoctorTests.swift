import PuckCore
import PuckSystem
import PuckTestKit
import PuckWire
import Testing

/// `puckctl doctor`. Of gpsd's four ways round it looks at this host's own, whatever they are: only that each is told.
@Suite struct DoctorTests {
    private func examine(_ socket: String) throws -> (code: PuckSystem.ExitStatus, lines: [String]) {
        let program = try TestProcess(builtProgram("puckctl"), ["--socket", socket, "doctor"], output: .lines)
        let lines = program.lines?.all(within: 30) ?? []
        return (try program.waitForEnd(), lines)
    }

    /// The line of a subject, without its margin.
    private func line(_ subject: String, of lines: [String]) -> String? {
        lines.first { $0.dropFirst(5).hasPrefix(subject) }
    }

    private func checkWaysRound(_ lines: [String]) {
        for way in ["port 2947", "shared memory", "D-Bus", "tty"] {
            let line = line(way, of: lines)
            #expect(["ok ", "hm ", "?  "].contains(line?.prefix(3) ?? ""), "\(way): \(line ?? "not told")")
        }
    }

    @Test("where all is well it says so, of each part")
    func well() throws {
        let way = try Way(.boat())
        let client = try way.subscriber()
        _ = try client.message { message in
            if case .source(let source) = message { source.fix == .threeDimensional } else { false }
        }
        // A receiver's rate is known only after some epochs.
        let isRateKnown = try Deadline.poll(seconds: 15) {
            try client.send(#"{"type":"status"}"#)
            let status = try client.message { if case .ok(_, .status) = $0 { true } else { false } }
            guard case .ok(_, .status(let report)) = status else { return false }
            return !report.rates.isEmpty
        }
        #expect(isRateKnown)
        let (code, lines) = try examine(way.puckd.socket)
        #expect(code == .exited(0))
        for subject in ["puckd", "gpsd", "receiver", "fix", "rate", "clock", "policy"] {
            #expect(line(subject, of: lines)?.hasPrefix("ok ") == true, "\(subject): \(lines)")
        }
        #expect(line("receiver", of: lines)?.contains(way.device) == true)
        #expect(line("rate", of: lines)?.contains("10.0 fixes a second") == true)
        #expect(line("fix", of: lines)?.hasSuffix("3D, 11 of 11 satellites") == true, "\(lines)")
        checkWaysRound(lines)
    }

    @Test("without puckd it says what to type, looks at the rest, and fails")
    func noDaemon() throws {
        let directory = try TestDirectory()
        let (code, lines) = try examine(directory.file("no-socket"))
        #expect(code == .exited(1))
        #expect(line("puckd", of: lines)?.hasPrefix("bad ") == true)
        #expect(lines.contains { $0.contains("→ systemctl status puckd") })
        checkWaysRound(lines)
    }

    @Test("without gpsd it says that it is gpsd")
    func noGPSD() throws {
        let puckd = try PuckdBench(gpsdPort: try freePort())
        _ = try puckd.connect()
        let (code, lines) = try examine(puckd.socket)
        #expect(code == .exited(1))
        #expect(line("gpsd", of: lines)?.hasPrefix("bad ") == true)
        #expect(line("fix", of: lines) == nil && line("rate", of: lines) == nil)
        #expect(line("tty", of: lines)?.hasSuffix("puckd reports no receiver") == true, "\(lines)")
    }

    @Test("gpsd gone after a fix: it tells no rate and no clock of it as of now")
    func goneGPSD() throws {
        let way = try Way(.boat())
        let watcher = try way.subscriber()
        try watcher.source(.fix)
        try way.gpsd.stop()
        try watcher.source(.noDaemon)
        let (code, lines) = try examine(way.puckd.socket)
        #expect(code == .exited(1))
        #expect(line("gpsd", of: lines)?.hasPrefix("bad ") == true)
        #expect(line("rate", of: lines) == nil && line("clock", of: lines) == nil, "\(lines)")
    }

    @Test("while a client places the location it says that the receiver is not used, and how to end it")
    func placed() throws {
        let way = try Way(.boat())
        try way.subscriber().source(.fix)
        let placer = try ViewClient(way.puckd)
        try placer.place(8.5, 47.4)
        let (code, lines) = try examine(way.puckd.socket)
        #expect(code == .exited(0))
        #expect(line("location", of: lines)?.hasPrefix("hm ") == true, "\(lines)")
        #expect(lines.contains { $0.contains("→ puckctl --socket \(way.puckd.socket) release") })
        for subject in ["receiver", "fix", "rate", "clock"] { #expect(line(subject, of: lines) == nil, "\(lines)") }
        withExtendedLifetime(placer) {}
    }

    /// The first “rule = …” that the doctor advises.
    private func advisedRule(_ lines: [String]) throws -> String {
        let line = try #require(lines.first { $0.contains("“rule = ") }, "\(lines)")
        return try #require(line.split(separator: "“").last?.split(separator: "”").first.map(String.init))
    }

    static let policies = [
        "rule = any approximate observer", "rule = user:4242 precise\nrule = any approximate observer controller admin",
        "rule = any approximate", "rule = user:0 approximate observer\nrule = any precise",
    ]

    @Test("its advice for precise location works under the policy in force", arguments: policies)
    func advice(rules: String) throws {
        let puckd = try PuckdBench(gpsdPort: try freePort(), configuration: "[policy]\n\(rules)\n")
        _ = try puckd.connect()
        let before = try examine(puckd.socket).lines
        #expect(!before.contains { $0.contains("puckd-precise") }, "\(before)")
        // Word for word, where it says: before the other rules.
        let file = puckd.directory.file("puckd.conf")
        let rule = try advisedRule(before)
        let text = String(decoding: try readFile(file, limit: 65_536), as: UTF8.self)
        let parts = text.split(separator: "[policy]\n", maxSplits: 1)
        try puckd.directory.write("\(parts[0])[policy]\n\(rule)\n\(parts[1])", to: "puckd.conf")
        puckd.signal(.hangUp)
        #expect(
            try Deadline.poll(seconds: 20) {
                try line("policy", of: examine(puckd.socket).lines)?.contains("sees precise location") == true
            })
        #expect(before.contains { $0.contains("\(file), before the other rules") })
    }

    @Test("it advises a group only if a member would see the precise location")
    func group() throws {
        let rules = "rule = group:4242 precise\nrule = any approximate\nrule = group:4243 precise\n"
        let puckd = try PuckdBench(gpsdPort: try freePort(), configuration: "[policy]\n\(rules)")
        _ = try puckd.connect()
        let lines = try examine(puckd.socket).lines
        #expect(lines.contains { $0.contains("sudo usermod --append --groups 4242 ") }, "\(lines)")
        #expect(!lines.contains { $0.contains("4243") }, "\(lines)")
    }

    @Test("somebody at the socket who does not answer: it points to the configuration, and fails")
    func silent() throws {
        let directory = try TestDirectory()
        let silent = try ListeningSocket(path: directory.file("silent.sock"), mode: 0o600)
        let (code, lines) = try examine(directory.file("silent.sock"))
        #expect(code == .exited(1))
        #expect(line("puckd", of: lines)?.hasPrefix("bad ") == true)
        #expect(lines.contains { $0.contains("puckd --check-config") }, "\(lines)")
        #expect(try silent.accept() != nil)
    }

    @Test("who may not watch is told whom to ask")
    func noObserver() throws {
        let puckd = try PuckdBench(gpsdPort: try freePort(), configuration: "[policy]\nrule = any precise admin\n")
        _ = try puckd.connect()
        let (code, lines) = try examine(puckd.socket)
        #expect(code == .exited(1))
        #expect(line("frames", of: lines)?.contains("precise observer admin”") == true, "\(lines)")
        #expect(line("policy", of: lines)?.contains("may be admin") == true)
    }

    @Test("an approximate user is told nothing of the receiver, and how to see more")
    func approximate() throws {
        let way = try Way(.boat(), configuration: "[policy]\nrule = any approximate observer\n")
        _ = try way.subscriber()
        let (code, lines) = try examine(way.puckd.socket)
        #expect(code == .exited(0))
        #expect(line("receiver", of: lines)?.hasPrefix("?  ") == true)
        #expect(line("policy", of: lines)?.contains("approximate") == true)
        #expect(!lines.contains { $0.contains(way.device) })
        #expect(line("rate", of: lines) == nil && line("clock", of: lines) == nil)
        // Root would be told no more.
        let advice = "→ sudo puckctl --socket \(way.puckd.socket) doctor"
        #expect(lines.contains { $0.contains(advice) } == (Users.current != 0), "\(lines)")
    }
}
