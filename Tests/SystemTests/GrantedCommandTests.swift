import PuckCore
import PuckSystem
import PuckTestKit
import PuckWire
import Testing

/// `puckctl request-precise PURPOSE -- COMMAND…`, through puckd and a receiver.
@Suite struct GrantedCommandTests {
    /// Everyone, root too, sees the approximate location and may ask for one of three purposes.
    private static let configuration = """
        [policy]
        rule = any approximate observer controller
        \(threePurposes)
        """

    private struct Result {
        var status: PuckSystem.ExitStatus
        var text: String
    }

    private func start(_ puckd: PuckdBench, _ arguments: [String], to file: String) throws -> TestProcess {
        try TestProcess(
            builtProgram("puckctl"), ["--socket", puckd.socket, "request-precise"] + arguments,
            environment: ["XDG_RUNTIME_DIR": puckd.directory.path], output: .file(puckd.directory.file(file)))
    }

    /// A command that watches with a grant, once puckd answers.
    private func watch(_ way: Way, for purpose: String, to file: String) throws -> TestProcess {
        _ = try way.subscriber()
        let ctl = "\(try builtProgram("puckctl")) watch --json --no-reconnect"
        return try start(way.puckd, [purpose, "--", "sh", "-c", "exec \(ctl)"], to: file)
    }

    private func run(_ puckd: PuckdBench, _ arguments: [String]) throws -> Result {
        let process = try start(puckd, arguments, to: "run")
        let status = try process.waitForEnd()
        return Result(status: status, text: text(puckd, "run"))
    }

    private func text(_ puckd: PuckdBench, _ file: String) -> String {
        (try? readFile(puckd.directory.file(file), limit: 1 << 20)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// A puckd that listens, without a gpsd.
    private func puckd() throws -> PuckdBench {
        let puckd = try PuckdBench(gpsdPort: try freePort(), configuration: Self.configuration)
        _ = try puckd.connect()
        return puckd
    }

    @Test("a command sees the precise location while it runs, another client does not, and nothing is left of it")
    func precise() throws {
        let way = try Way(.boat(), configuration: Self.configuration)
        let other = try way.subscriber()
        let ctl = "\(try builtProgram("puckctl")) watch --json --count 3"
        // Two connections of one command, each with a grant.
        let result = try run(way.puckd, ["navigation", "--", "sh", "-c", "\(ctl); \(ctl); exit 7"])
        #expect(result.status == .exited(7))
        let lines = result.text.split(separator: "\n").map(String.init)
        let frames = try lines.compactMap { line -> Frame? in
            if case .frame(let frame) = try PuckdClient.decode(line) { frame } else { nil }
        }
        #expect(frames.count == 6)
        #expect(frames.allSatisfy { $0.puck?.accuracyMode == .precise })
        // What the command is sent is what any client is sent: puckctl's own asking is no part of it.
        #expect(!lines.contains { $0.contains("request-precise") })
        let purposes = try lines.compactMap { line -> String? in
            if case .authorization(let told) = try PuckdClient.decode(line) { told.purpose } else { nil }
        }
        #expect(Set(purposes) == ["navigation"])
        for line in other.client.lines.all(within: 0.2) { #expect(!line.contains(#""accuracyMode":"precise""#)) }
        #expect(Deadline.poll(seconds: 10) { way.puckd.log.lines(with: "event=ended") == 2 })
        #expect(way.puckd.log.lines(with: "event=granted") == 2)
        #expect(way.puckd.directory.names.allSatisfy { !$0.hasPrefix("puckctl-") })
    }

    @Test("who may not have it is told why, and what else there is to ask for; the command does not run")
    func refused() throws {
        let puckd = try puckd()
        let unknown = try run(puckd, ["fun", "--", "touch", puckd.directory.file("ran")])
        #expect(unknown.status == .exited(1))
        #expect(unknown.text.contains("unknown-purpose"))
        #expect(unknown.text.contains("navigation: Guidance along a route (3600 s)"))
        // It lists what one may ask for, and nothing else.
        #expect(!unknown.text.contains("rescue"))
        let others = try run(puckd, ["rescue", "--", "touch", puckd.directory.file("ran")])
        #expect(others.status == .exited(1) && others.text.contains("not-permitted"))
        for arguments in [["navigation"], ["navigation", "--"], ["--", "true"], ["a", "b", "--", "true"]] {
            #expect(try run(puckd, arguments).status == .exited(2))
        }
        #expect(throws: SystemError.self) { try readFile(puckd.directory.file("ran"), limit: 1) }
    }

    @Test("the command's end is puckctl's: its code, its signal, or that it can't be run; signals are passed on")
    func ends() throws {
        let puckd = try puckd()
        #expect(try run(puckd, ["navigation", "--", "true"]).status == .exited(0))
        #expect(try run(puckd, ["navigation", "--", "sh", "-c", "exit 42"]).status == .exited(42))
        #expect(try run(puckd, ["navigation", "--", "sh", "-c", "kill -KILL $$"]).status == .exited(137))
        #expect(try run(puckd, ["navigation", "--", "/nonexistent"]).status == .exited(127))
        #expect(try run(puckd, ["navigation", "--", puckd.directory.path]).status == .exited(126))
        // Options behind “--” are the command's.
        #expect(try run(puckd, ["navigation", "--", "test", "-h", "/"]).status == .exited(1))
        let script = #"trap 'exit 5' TERM; echo ready; while :; do sleep 0.05; done"#
        let long = try start(puckd, ["navigation", "--", "sh", "-c", script], to: "long")
        #expect(Deadline.poll(seconds: 10) { text(puckd, "long").contains("ready") })
        long.signal(Signal.terminate.number)
        #expect(try long.waitForEnd() == .exited(5))
        let nowhere = try TestProcess(
            builtProgram("puckctl"), ["--socket", "/nonexistent", "request-precise", "navigation", "--", "true"],
            output: .discard)
        #expect(try nowhere.waitForEnd() == .exited(3))
    }

    @Test("where nobody answers puckctl does not wait for ever, and the command does not run")
    func noAnswer() throws {
        let directory = try TestDirectory()
        let silent = try ListeningSocket(path: directory.file("silent.sock"), mode: 0o600)
        let process = try TestProcess(
            builtProgram("puckctl"),
            ["--socket", directory.file("silent.sock"), "request-precise", "navigation", "--", "echo", "ran"],
            environment: ["XDG_RUNTIME_DIR": directory.path], output: .file(directory.file("run")))
        #expect(try process.waitForEnd() == .exited(3))
        let text = String(decoding: try readFile(directory.file("run"), limit: 4_096), as: UTF8.self)
        #expect(text.contains("puckd does not answer") && !text.contains("ran"))
        #expect(try silent.accept() != nil)
    }

    @Test("puckd's end reaches the command, with its last word")
    func serverEnds() throws {
        let way = try Way(.boat(), configuration: Self.configuration)
        let process = try watch(way, for: "navigation", to: "watch")
        #expect(Deadline.poll(seconds: 15) { text(way.puckd, "watch").contains(#""accuracyMode":"precise""#) })
        try way.puckd.terminate()
        #expect(try process.waitForEnd() == .exited(3))
        #expect(text(way.puckd, "watch").contains("puckd is shutting down"))
    }

    @Test("at its time the grant ends: the command is told on its connection, the person on standard error")
    func expiry() throws {
        let way = try Way(.boat(), configuration: Self.configuration)
        let process = try watch(way, for: "glance", to: "glance")
        // Both are written to one file, by two processes.
        for end in ["has expired", #""reason":"expired""#] {
            #expect(Deadline.poll(seconds: 15) { text(way.puckd, "glance").contains(end) })
        }
        let lines = text(way.puckd, "glance").split(separator: "\n").map(String.init)
        let told = try #require(lines.firstIndex { $0.contains(#""reason":"expired""#) })
        #expect(lines[..<told].contains { $0.contains(#""accuracyMode":"precise""#) })
        #expect(!lines[told...].contains { $0.contains(#""accuracyMode":"precise""#) })
        process.signal(Signal.terminate.number)
        #expect(try process.waitForEnd() == .exited(128 + Signal.terminate.number))
    }
}

extension String {
    /// How often a text stands in it.
    fileprivate func lines(with text: String) -> Int {
        split(separator: "\n").count { $0.contains(text) }
    }
}
