import PuckCore
import PuckSystem
import PuckTestKit
import PuckWire

/// A puckd of a test's own: its own configuration, socket and state.
final class PuckdBench {
    let directory: TestDirectory
    private var process: TestProcess

    /// Starts puckd on the gpsd at `port`, with more lines of configuration if given. Its state is in `state`, or in its own
    /// directory.
    init(gpsdPort port: UInt16, state: String? = nil, configuration: String = "") throws {
        directory = try TestDirectory()
        let text = """
            [gpsd]
            port = \(port)
            [socket]
            path = \(directory.file("puckd.sock"))
            [approximate]
            state-directory = \(state ?? directory.path)
            \(configuration)

            """
        let file = try directory.write(text, to: "puckd.conf")
        process = try Self.start(file, log: directory.file("log"))
    }

    private static func start(_ file: String, log: String) throws -> TestProcess {
        try TestProcess(builtProgram("puckd"), ["--config", file], output: .file(log))
    }

    /// Starts it again after its end, with what it has kept.
    func start() throws { process = try Self.start(directory.file("puckd.conf"), log: directory.file("log")) }

    var pid: Int32 { process.pid }
    var isRunning: Bool { process.isRunning }
    var socket: String { directory.file("puckd.sock") }
    var log: String {
        (try? readFile(directory.file("log"), limit: 1 << 24)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    func signal(_ signal: Signal) { process.signal(signal.number) }
    @discardableResult
    func terminate() throws -> PuckSystem.ExitStatus { try process.terminate() }
    /// Ends it as a crash would.
    func kill() { process.kill() }

    /// A client that has been greeted.
    func connect() throws -> PuckdClient { try PuckdClient(LineClient(path: socket)) }

    /// Processor time that it has used, seconds. (proc_pid_stat(5): fields 14 and 15, in ticks of a hundredth)
    func processorSeconds() throws -> Double {
        let stat = String(decoding: try readFile("/proc/\(pid)/stat", limit: 4_096), as: UTF8.self)
        let rest: Substring = stat.split(separator: ")").last ?? ""
        let fields: [Substring] = rest.split(separator: " ")
        guard fields.count > 12, let user = Double(String(fields[11])), let kernel = Double(String(fields[12])) else {
            throw KitError("unexpected: \(stat)")
        }
        return (user + kernel) / 100
    }

    /// Memory of its own that is resident, bytes. (proc_pid_smaps_rollup: Private_Clean and Private_Dirty)
    func privateBytes() throws -> Int {
        let rollup = String(decoding: try readFile("/proc/\(pid)/smaps_rollup", limit: 65_536), as: UTF8.self)
        var kilobytes = 0
        for line in rollup.split(separator: "\n") where line.hasPrefix("Private_") {
            let words = line.split(separator: " ")
            if words.count > 1, let figure = Int(String(words[1])) { kilobytes += figure }
        }
        return kilobytes * 1_024
    }
}

/// A client of it: what it is sent, decoded.
final class PuckdClient {
    let client: LineClient
    /// Every message that any test here is sent has to be as the schema says.
    private let schema: JSONSchema

    init(_ client: LineClient) throws {
        self.client = client
        schema = try JSONSchema.ofProtocol()
        _ = try message { if case .hello = $0 { true } else { false } }
    }

    func send(_ line: String) throws { try client.send(line) }

    func subscribe(_ members: String = "") throws {
        try send(#"{"type":"subscribe","id":"s"\#(members.isEmpty ? "" : ",")\#(members)}"#)
        _ = try message { if case .ok(.string("s"), _) = $0 { true } else { false } }
    }

    /// The next message that fits.
    func message(within seconds: Double = 15, where condition: (ServerMessage) -> Bool) throws -> ServerMessage {
        let line = try client.lines.first(within: seconds) { line in
            let problems = schema.problems(of: Array(line.utf8), as: "message")
            guard problems.isEmpty else { throw KitError("\(problems): \(line)") }
            return try Self.decode(line).map(condition) ?? false
        }
        guard let message = try Self.decode(line) else { throw KitError("not a message: \(line)") }
        return message
    }

    /// The next frame with a puck that fits.
    func puck(within seconds: Double = 15, where condition: (Puck) -> Bool = { _ in true }) throws -> Puck {
        let message = try message(within: seconds) { message in
            if case .frame(let frame) = message, let puck = frame.puck { condition(puck) } else { false }
        }
        guard case .frame(let frame) = message, let puck = frame.puck else { throw KitError("no puck") }
        return puck
    }

    /// The next source message of that state.
    @discardableResult
    func source(_ state: SourceState, within seconds: Double = 15) throws -> SourceMessage {
        let message = try message(within: seconds) { message in
            if case .source(let source) = message { source.state == state } else { false }
        }
        guard case .source(let source) = message else { throw KitError("no source") }
        return source
    }

    static func decode(_ line: String) throws -> ServerMessage? {
        do throws(ServerMessageDecoder.Failure) {
            return try ServerMessageDecoder.decode(Array(line.utf8))
        } catch {
            throw KitError("\(error.message): \(line)")
        }
    }
}
