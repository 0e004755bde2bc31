import PuckClient
import PuckSystem

/// What the process ends with.
enum ExitCode {
    static let success: Int32 = 0
    /// The daemon refused.
    static let refused: Int32 = 1
    /// The command line, or a file that it names, can't be understood.
    static let usage: Int32 = 2
    /// There is no connection, or it ended.
    static let connection: Int32 = 3
    /// What was to be told can't be written.
    static let output: Int32 = 4
}

/// Why a subcommand ended early.
enum Failure: Error {
    case client(ClientError)
    /// A file, or what is in it, is not what it must be; in words.
    case file(String)
    /// What was asked for can't be shown; in words.
    case refused(String)
    /// Whoever reads standard output has had enough.
    case unread
    /// Standard output can't be written to.
    case output(SystemError)

    /// Why nothing more is written to standard output.
    init(writing error: SystemError) { self = error.isBrokenPipe ? .unread : .output(error) }

    var exitCode: Int32 {
        switch self {
        case .client(.refused), .refused: ExitCode.refused
        case .client: ExitCode.connection
        case .output: ExitCode.output
        case .file: ExitCode.usage
        case .unread: ExitCode.success
        }
    }

    /// What to tell a person; nil: nothing.
    func text(socket: PuckdSocket) -> String? {
        switch self {
        case .client(.refused(let error)) where error.code == .unknownView:
            "\(ClientError.refused(error)); to create it, type: puckctl view NAME, or puckctl watch --view NAME"
        case .client(.system(let error)): "\(error)\(socket.alsoTried)\(advice(for: error, socket: socket))"
        case .client(.timedOut):
            "puckd does not answer on \(socket.path); to find out why, type: puckctl doctor, or systemctl status puckd"
        case .client(.disconnected(nil)):
            "puckd closed the connection; to find out whether it runs, type: systemctl status puckd"
        case .client(let error): "\(error)"
        case .file(let text), .refused(let text): text
        case .output(let error): "standard output: \(error.message)"
        case .unread: nil
        }
    }

    /// What to do next where connecting fails.
    private func advice(for error: SystemError, socket: PuckdSocket) -> String {
        if error.isNobodyThere {
            return "; to see whether puckd runs, type: systemctl status puckd; another socket: --socket PATH"
        }
        if error.isPermission {
            return "; the permissions of the socket or of a directory above it keep you out: ls -ld \(socket.path)"
        }
        return ""
    }
}

/// A connection to puckd, and how to show what comes of it.
struct Session: Sendable {
    let client: PuckClient
    /// The units to show figures in.
    let units: Units

    /// A session with the puckd on a socket. It ends with its first connection unless it `reconnects`.
    init(socket: PuckdSocket, units: Units = .metric, reconnects: Bool = false) throws(Failure) {
        self.units = units
        do throws(SystemError) {
            client = try PuckClient(path: socket.path, reconnects: reconnects)
        } catch {
            throw .client(.system(error))
        }
    }

    /// Asks for something.
    @discardableResult
    func ask(_ request: Request) async throws(Failure) -> Reply {
        try await client.result(of: request).mapError { Failure.client($0) }.get()
    }

    /// Asks, and prints what `lines` makes of the answer; with `json` the daemon's own line.
    func ask(_ request: Request, json: Bool, _ lines: (Answer) -> [String]) async throws(Failure) {
        let reply = try await ask(request)
        if json { return try say(json: reply.line) }
        for line in lines(reply.answer) { try say(line) }
    }

    /// Steers a view, and prints how it stands then.
    func steer(_ view: String, _ command: ViewCommand) async throws(Failure) {
        try await ask(.view(name: view, command))
        let message = try await stand(of: view)
        try say(viewLine(message, name: view))
    }

    /// How a view stands: a new watcher is told.
    func stand(of view: String) async throws(Failure) -> ViewMessage {
        let events = client.events
        var options = SubscribeOptions()
        options.view = view
        options.include = [.camera]
        try await ask(.subscribe(options))
        for await event in events {
            switch event {
            case .view(let message) where message.view == view: return message
            case .disconnected(let error, _): throw .client(error)
            default: break
            }
        }
        throw .client(.disconnected(nil))
    }

    /// Lets time pass, while the connection lasts: so many seconds, or until the program is interrupted.
    func hold(seconds: Double?) async throws(Failure) {
        let events = client.events
        let end = seconds.map { ContinuousClock.now + .seconds($0) }
        let ended = await withTaskGroup(of: ClientError?.self) { group in
            group.addTask {
                for await event in events { if case .disconnected(let error, _) = event { return error } }
                return ClientError.disconnected(nil)
            }
            if let end {
                group.addTask {
                    // It fails only where the other task came first.
                    try? await Task.sleep(until: end, clock: .continuous)
                    return nil
                }
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        if let ended { throw .client(ended) }
    }
}
