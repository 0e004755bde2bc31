import PuckSystem
import PuckTestKit
import Testing

/// puckctl on a terminal, against a real puckd.
@Suite final class LiveScreenTests {
    private let puckd: PuckdBench
    private let terminal: PseudoTerminal
    init() throws {
        puckd = try PuckdBench(gpsdPort: try freePort())
        _ = try puckd.connect()
        terminal = try PseudoTerminal()
    }

    private func start(_ arguments: [String], term: String = "xterm") throws -> TestProcess {
        try TestProcess(
            builtProgram("puckctl"), ["--socket", puckd.socket] + arguments, environment: ["TERM": term],
            output: .terminal(terminal.path))
    }

    /// Everything that the terminal got.
    private var bytes: [UInt8] = []
    private var text: String { String(decoding: bytes, as: UTF8.self) }
    /// What it shows. It has no size of its own, so it is drawn with the usual one.
    private var rows: [String] {
        var drawn = DrawnTerminal(columns: 80, rows: 24)
        drawn.write(bytes)
        return drawn.rows.map { $0.joined() }
    }

    /// Reads what the terminal gets until this holds, for at most 30 seconds.
    private func read(until holds: () -> Bool) throws -> Bool {
        let end = Clocks.now.monotonic.advanced(by: 30)
        let terminal = terminal.controller.number
        while !holds() {
            guard Clocks.now.monotonic < end else { return false }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            if case .bytes(let count) = buffer.withUnsafeMutableBytes({ PuckSystem.read(from: terminal, into: $0) }) {
                bytes += buffer[..<count]
            } else {
                _ = try waitUntilReady(terminal, for: .readable, timeout: 0.1)
            }
        }
        return true
    }
    private func shows(_ text: String) throws -> Bool { try read { rows.contains { $0.contains(text) } } }

    private func type(_ keys: String) throws { try writeAll(Array(keys.utf8), to: terminal.controller.number) }

    private static let entrance = "\u{1b}[?1049h"
    private static let exit = "\u{1b}[?25h\u{1b}[?1049l"

    @Test("watch and map fill the screen, obey keys, and give the terminal back", arguments: ["watch", "map"])
    func screens(command: String) throws {
        let provider = try ViewClient(puckd)
        try provider.place(8.5, 47.4, #""accuracy":3,"speed":10,"course":90"#)
        let program = try start([command])
        #expect(try shows("36.0 km/h"))
        #expect(text.contains(Self.entrance) && rows[23].hasPrefix(" m "))
        try type("u")
        #expect(try shows("19.4 kn"))
        try type("t")
        #expect(try shows("follow"))
        try type("q")
        #expect(try read { text.hasSuffix(Self.exit) })
        #expect(try program.waitForEnd() == .exited(0))
    }

    @Test("a signal that ends it gives the terminal back", arguments: [Signal.terminate, .interrupt, .hangUp])
    func signals(signal: Signal) throws {
        let program = try start(["watch"])
        #expect(try shows("q quit"))
        program.signal(signal.number)
        #expect(try read { text.hasSuffix(Self.exit) })
        #expect(try program.waitForEnd() == .killed(signal))
    }

    @Test("it reconnects by itself, and says so meanwhile")
    func reconnects() throws {
        let program = try start(["watch"])
        #expect(try shows("no position"))
        try puckd.terminate()
        #expect(try shows("no connection"))
        #expect(try shows("reconnecting: "))
        try puckd.start()
        #expect(try shows("no position"))
        try type("q")
        #expect(try program.waitForEnd() == .exited(0))
    }

    @Test("a dumb terminal, and --plain, get lines", arguments: [["--plain"], []])
    func plain(arguments: [String]) throws {
        let program = try start(["watch"] + arguments, term: arguments.isEmpty ? "dumb" : "xterm")
        #expect(try read { text.contains("accuracy  precise") })
        #expect(!text.contains("\u{1b}"))
        try program.terminate()
    }

    @Test("a map needs a terminal")
    func noTerminal() throws {
        let map = try TestProcess(builtProgram("puckctl"), ["--socket", puckd.socket, "map"], output: .discard)
        #expect(try map.waitForEnd() == .exited(1))
    }
}
