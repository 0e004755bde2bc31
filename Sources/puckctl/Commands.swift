import PuckClient
import PuckCore
import PuckSystem
import PuckWire

/// What the process ends with.
enum ExitCode {
    static let success: Int32 = 0
    /// The daemon refused.
    static let refused: Int32 = 1
    /// The command line can't be understood.
    static let usage: Int32 = 2
    /// There is no connection, or it ended.
    static let connection: Int32 = 3
}

/// Why a command ended early.
enum Failure: Error {
    case refused(ErrorMessage)
    case connection(ConnectionError)
    /// Whoever reads standard output has had enough.
    case unread
}

/// The commands, on one connection.
struct Commands {
    let connection: PuckConnection

    func run(_ command: Command) throws(Failure) {
        switch command {
        case .watch(let options): try watch(options)
        case .status(let json):
            try answer(.status, json) { answer in
                guard case .status(let report) = answer else { return [] }
                return statusLines(report)
            }
        case .who(let json):
            try answer(.who, json) { answer in
                guard case .connections(let clients) = answer else { return [] }
                return clients.map(whoLine)
            }
        case .accuracy(let mode):
            try answer(.accuracy(mode, scope: .system), false) { _ in
                [mode == .approximate ? "everyone is bound to approximate accuracy" : "everyone has what policy allows"]
            }
        case .track(let mode, let view):
            try answer(.view(name: view, mode.map { .track($0) } ?? .trackNext), false) { _ in [] }
        case .ping:
            let asked = Clocks.now.monotonic
            try answer(.ping, false) { _ in
                ["answered in \(fixed(Clocks.now.monotonic.seconds(since: asked) * 1e3, 3)) ms"]
            }
        // These need no daemon, and have been answered before there is a connection.
        case .help, .version: break
        }
    }

    private func answer(
        _ request: Request, _ json: Bool, _ lines: (Answer) -> [String]
    ) throws(Failure) {
        let (line, result) = try connected { () throws(ConnectionError) in try connection.ask(request) }
        switch result {
        case .failure(let error): throw .refused(error)
        case .success(let answer):
            if json { return try say(String(decoding: line, as: UTF8.self)) }
            for line in lines(answer) { try say(line) }
        }
    }

    private func watch(_ options: WatchOptions) throws(Failure) {
        let request = Request.subscribe(options.subscription)
        let (_, result) = try connected { () throws(ConnectionError) in try connection.ask(request) }
        if case .failure(let error) = result { throw .refused(error) }
        var left = options.count
        while left != 0, let received = try connected({ () throws(ConnectionError) in try connection.next() }) {
            if options.json {
                try say(String(decoding: received.line, as: UTF8.self))
            } else if let message = received.message, let line = personalLine(message) {
                try say(line)
            }
            switch received.message {
            case .frame: left = left.map { $0 - 1 }
            case .error(let error) where error.isFatal: throw .refused(error)
            default: break
            }
        }
    }
}

/// Writes a line to standard output.
func say(_ text: String, end: String = "\n") throws(Failure) {
    do throws(SystemError) {
        try writeAll(Array((text + end).utf8), to: StandardDescriptor.output)
    } catch {
        throw .unread
    }
}

private func connected<Value>(_ work: () throws(ConnectionError) -> Value) throws(Failure) -> Value {
    do throws(ConnectionError) { return try work() } catch { throw .connection(error) }
}
