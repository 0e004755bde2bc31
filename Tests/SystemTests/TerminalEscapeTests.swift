import PuckCore
import PuckSystem
import PuckTestKit
import PuckWire
import Testing

/// What puckctl prints never commands a terminal, whatever names, devices, files and daemons say.
@Suite struct TerminalEscapeTests {
    private let directory: TestDirectory
    init() throws { directory = try TestDirectory() }

    private func checkIsHarmless(_ bytes: [UInt8], _ what: String) throws {
        let text = try #require(String(validating: bytes, as: UTF8.self), "\(what): not UTF-8")
        let harmful = text.unicodeScalars.filter { $0.isUnprintable && $0 != "\n" }
        #expect(harmful.isEmpty, "\(what): \(harmful.map { String($0.value, radix: 16) }): \(text.printable)")
    }

    static let commands: [[String]] = [
        ["who"], ["status"], ["watch", "--count", "1"], ["accuracy"], ["view", "--once"], ["track", "next"],
        ["marker", "m", "1", "2"], ["release"], ["accuracy", "precise"], ["place", "1", "2", "--for", "0"], ["doctor"],
        ["request-precise", "p", "--", "true"], ["ping"],
    ]

    @Test("texts of a daemon, of devices and of other users are shown, and not carried out", arguments: commands)
    func daemon(command: [String]) throws {
        for seed in 1...6 {
            var puckd = try HostilePuckd(in: directory, seed: UInt64(seed))
            let log = directory.file("said\(seed)")
            let program = try TestProcess(
                builtProgram("puckctl"), ["--socket", puckd.path] + command,
                environment: ["XDG_RUNTIME_DIR": directory.path], output: .file(log))
            #expect(try puckd.serve(program) != nil, "\(command) still runs")
            let said = try readFile(log, limit: 1 << 20)
            #expect(!said.isEmpty || command == ["request-precise", "p", "--", "true"])
            try checkIsHarmless(said, "\(command)")
        }
    }

    @Test(
        "with --json they are JSON, and mean the same",
        arguments: [["who", "--json"], ["status", "--json"], ["watch", "--json", "--count", "1"]])
    func json(command: [String]) throws {
        for seed in 1...6 {
            var puckd = try HostilePuckd(in: directory, seed: UInt64(seed))
            let log = directory.file("said\(seed)")
            let program = try TestProcess(
                builtProgram("puckctl"), ["--socket", puckd.path] + command, output: .file(log))
            #expect(try puckd.serve(program) == .exited(0))
            let said = try readFile(log, limit: 1 << 20)
            try checkIsHarmless(said, "\(command)")
            let lines = said.split(separator: UInt8(ascii: "\n")).map { try? JSONDocument(Array($0)) }
            #expect(!lines.isEmpty && lines.allSatisfy { $0?["type"]?.string != nil }, "\(command)")
        }
    }

    @Test("a name with a command in it is still that name in JSON")
    func sameMeaning() throws {
        let name = "a\u{9B}31m\u{202E}\u{E0041}\u{7F}z"
        var puckd = try HostilePuckd(in: directory, seed: 1, always: name)
        let log = directory.file("said")
        let program = try TestProcess(
            builtProgram("puckctl"), ["--socket", puckd.path, "who", "--json"], output: .file(log))
        #expect(try puckd.serve(program) == .exited(0))
        let said = try readFile(log, limit: 1 << 20)
        try checkIsHarmless(said, "who")
        let document = try JSONDocument(said)
        let user = document["connections"]?.elements.first?["user"]?.string
        #expect(user == name)
    }

    @Test("file names, what is in files, and words of the command line")
    func filesAndWords() throws {
        let name = "way\u{1B}[2J\u{202E}.geojson"
        let files = [
            (name, #"{"type":"Feature\u001b[2J\u202e","geometry":null}"#), (name, "{\"type\":\"\u{202E}x\"}"),
            (name, "<\u{1B}[2J>"),
        ]
        for (i, file) in files.enumerated() {
            let path = try directory.write(file.1, to: file.0)
            for words in [
                ["overview", path], ["place", "--gpx", path, "--speed", "1"], ["overview", path + "\u{85}x"],
            ] {
                try checkSaid(words, "\(i)")
            }
        }
        let evil = "x\u{1B}[31m\u{9B}1m\u{2028}\u{202E}\n"
        let places: [[String]] = [
            [evil], ["--\(evil)"], ["watch", evil], ["watch", "--rate", evil], ["watch", "--view", evil],
            ["marker", evil, "1", "2"], ["marker", "m", evil, evil], ["view", evil], ["demo", evil],
            ["--socket", evil, "ping"], ["--units", evil, "ping"], ["accuracy", evil], ["track", evil],
            ["watch", "--\(evil)"],
            ["request-precise", evil], ["request-precise", "p", "--", evil], ["ping", "--for=\(evil)"],
        ]
        for words in places { try checkSaid(words, "\(words)") }
    }

    private func checkSaid(_ words: [String], _ what: String) throws {
        let log = directory.file("said")
        try directory.write("", to: "said")
        let program = try TestProcess(
            builtProgram("puckctl"), ["--socket", "/nonexistent"] + words,
            environment: ["XDG_RUNTIME_DIR": directory.path], output: .file(log))
        #expect(try program.waitForEnd() != .exited(0), "\(what)")
        let said = try readFile(log, limit: 1 << 20)
        #expect(!said.isEmpty, "\(what)")
        try checkIsHarmless(said, what)
    }

    @Test("puckd, too: its errors about a configuration")
    func configuration() throws {
        let file = try directory.write(
            "[gp\u{1B}[2Jsd]\nhost\u{9B}31m = \u{202E}\n[purpose \u{2028}]\n", to: "bad\u{1B}[2J.conf")
        let log = directory.file("said")
        let program = try TestProcess(
            builtProgram("puckd"), ["--check-config", "--config", file], output: .file(log))
        #expect(try program.waitForEnd() == .exited(3))
        let said = try readFile(log, limit: 1 << 20)
        #expect(!said.isEmpty)
        try checkIsHarmless(said, "check-config")
    }

    @Test(
        "names of views and markers hold nothing that can't be shown as it is",
        arguments: [
            "\u{1B}", "\u{7F}", "\u{9B}", "\u{202E}", "\u{200D}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{E000}",
        ])
    func names(character: String) throws {
        let puckd = try PuckdBench(gpsdPort: try freePort())
        let client = try ViewClient(puckd)
        // As JSON escapes, which carry any character.
        let escaped = character.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
        for request in [
            #""type":"subscribe","view":"a\#(escaped)""#, #""type":"idle","view":"\#(escaped)""#,
            #""type":"marker","marker":"\#(escaped)b","position":[1,2]"#,
            #""type":"removeMarker","marker":"\#(escaped)""#,
            #""type":"requestPrecise","purpose":"\#(escaped)""#,
        ] {
            do {
                try client.ask(request)
                Issue.record("not refused: \(request)")
            } catch let error as ErrorMessage {
                #expect(error.code == .badValue && error.message.isPrintable, "\(request)")
            }
        }
        try client.subscribe(#""view":"Zoë’s 船 🛥""#)
    }
}
