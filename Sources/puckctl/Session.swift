import PuckClient
import PuckSystem

/// The process's exit codes.
enum ExitCode {
    static let success: Int32 = 0
    /// The daemon refused the request.
    static let refused: Int32 = 1
    /// The command line, or a file that it names, is invalid.
    static let usage: Int32 = 2
    /// There is no connection, or it ended.
    static let connection: Int32 = 3
    /// Standard output cannot be written.
    static let output: Int32 = 4
}

/// The reason why a subcommand ended early.
enum Failure: Error {
    case client(ClientError)
    /// A file cannot be read or has invalid contents; with a description.
    case file(String)
    /// The result cannot be shown; with a description.
    case refused(String)
    /// The reader of standard output has closed it.
    case unread
    /// Standard output cannot be written.
    case output(SystemError)

    /// Creates the failure for an error of standard output.
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

    /// Returns the text for the user; nil for none.
    func text(socket: PuckdSocket) -> String? {
        switch self {
        case .client(.refused(let error)) where error.code == .unknownView:
            "\(ClientError.refused(error)); to create it, type: \(socket.puckctl) view NAME, or \(socket.puckctl) watch --view NAME"
        case .client(.system(let error)): "\(error)\(socket.alsoTried)\(advice(for: error, socket: socket))"
        case .client(.timedOut):
            "puckd does not answer on \(socket.path); to find out why, type: \(socket.puckctl) doctor, or systemctl status puckd"
        case .client(.disconnected(nil)):
            "puckd closed the connection; to find out whether it runs, type: systemctl status puckd"
        case .client(let error): "\(error)"
        case .file(let text), .refused(let text): text
        case .output(let error): "standard output: \(error.message)"
        case .unread: nil
        }
    }

    /// Returns advice to append to an error of the connection.
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

/// A connection to puckd with settings for the output.
struct Session: Sendable {
    let client: PuckClient
    /// The command line for puckctl that reaches this puckd, for advice.
    let puckctl: String
    /// The units for figures.
    let units: Units

    /// Creates a session with the puckd on a socket. Unless `reconnects` is true, it ends with its first connection.
    init(socket: PuckdSocket, units: Units = .metric, reconnects: Bool = false) throws(Failure) {
        self.units = units
        puckctl = socket.puckctl
        do throws(SystemError) {
            client = try PuckClient(path: socket.path, reconnects: reconnects)
        } catch {
            throw .client(.system(error))
        }
    }

    /// Sends a request and returns the answer.
    @discardableResult
    func ask(_ request: Request) async throws(Failure) -> Reply {
        try await client.result(of: request).mapError { Failure.client($0) }.get()
    }

    /// Sends a request and prints the lines that `lines` makes from the answer, or with `json` the daemon's line.
    func ask(_ request: Request, json: Bool, _ lines: (Answer) -> [String]) async throws(Failure) {
        let reply = try await ask(request)
        if json { return try say(json: reply.line) }
        for line in lines(reply.answer) { try say(line) }
    }

    /// Steers a view and prints its new state.
    func steer(_ view: String, _ command: ViewCommand) async throws(Failure) {
        try await ask(.view(name: view, command))
        let message = try await stand(of: view)
        try say(viewLine(message, name: view))
    }

    /// Returns the current state of a view, by subscribing to it.
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

    /// Waits while the connection lasts: for this number of seconds, or with nil until the program is interrupted.
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
                    // The sleep throws only if the other task ended first.
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
