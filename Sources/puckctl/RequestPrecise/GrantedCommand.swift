import PuckClient
import PuckSystem

/// The execution of `puckctl request-precise`: a command with a grant of precise location while it runs.
final class GrantedCommand {
    private let purpose: String
    private let command: [String]
    private let loop: EventLoop
    private var relay: GrantRelay?
    private var child: ChildProcess?
    private var childWatch: IOWatch?
    /// The timeout for the answer to the first request.
    private var patience: LoopTimer?

    /// The timeout in seconds for puckd's answer, as for other commands.
    private static let longestWait = 5.0

    init(purpose: String, command: [String]) throws(SystemError) {
        self.purpose = purpose
        self.command = command
        loop = try EventLoop()
    }

    /// Requests the grant, runs the command, and returns the exit code: that of the command.
    func run(puckd: PuckdSocket) throws(SystemError) -> Int32 {
        try loop.onSignals([.terminate, .interrupt, .quit, .hangUp, .user1, .user2]) { [weak self] signal, origin in
            self?.forward(signal, from: origin)
        }
        relay = try GrantRelay(puckd: puckd.path, purpose: purpose, loop: loop) { [weak self] in self?.answered($0) }
        defer { relay = nil }
        patience = try loop.timer { [loop] _ in
            if let text = Failure.client(.timedOut).text(socket: puckd) { complain(text) }
            loop.exit(ExitCode.connection)
        }
        patience?.arm(at: loop.now.monotonic.advanced(by: Self.longestWait))
        return try loop.run()
    }

    private func answered(_ event: GrantLink.Event) {
        guard child == nil else { return }
        patience?.disarm()
        switch event {
        case .granted: start()
        case .refused(let error, _) where error.code == .alreadyPrecise:
            // The client is already precise, so the command needs no grant.
            start()
        case .refused(let error, let purposes):
            for line in refusalLines(error, purposes) { complain(line) }
            loop.exit(ExitCode.refused)
        case .over:
            complain("puckd closed the connection before it answered")
            loop.exit(ExitCode.connection)
        case .ended: break
        }
    }

    private func refusalLines(_ error: ErrorMessage, _ purposes: [Hello.Purpose]) -> [String] {
        let text = "“\(purpose)”: \(error.message) (\(error.code.rawValue))"
        guard error.code == .unknownPurpose || error.field == "purpose" else { return [text] }
        if purposes.isEmpty {
            return [
                text,
                "the policy gives you no purpose; an administrator can declare one: man puckd.conf, [purpose KEY]",
            ]
        }
        return [text, "you may ask for:"]
            + purposes.map { "  \($0.key): \($0.description) (\(fixed($0.seconds, 0)) s)" }
    }

    private func start() {
        guard let relay, let program = command.first else { return }
        do throws(SystemError) {
            try relay.listen()
            let child = try ChildProcess(
                program, Array(command.dropFirst()), environment: ["PUCKD_SOCKET": relay.path])
            self.child = child
            childWatch = try child.onExit(loop) { [loop] status in
                switch status {
                case .exited(let code): loop.exit(code)
                case .killed(let signal): loop.exit(ExitCode.killed(by: signal))
                }
            }
        } catch {
            complain("\(error)")
            loop.exit(error.isNotFound ? ExitCode.commandNotFound : ExitCode.commandNotStarted)
        }
    }

    /// Forwards a signal that would have ended the command on its own. Signals from the keyboard reach the command
    /// directly.
    private func forward(_ signal: Signal, from origin: SignalOrigin) {
        guard let child else { return loop.exit(ExitCode.killed(by: signal)) }
        if origin == .process { child.send(signal) }
    }
}

extension ExitCode {
    /// The shell's exit codes for a command that does not exist, and for one that can't be run.
    fileprivate static let commandNotFound: Int32 = 127
    fileprivate static let commandNotStarted: Int32 = 126
    /// The shell's exit code for a command that was killed by a signal.
    fileprivate static func killed(by signal: Signal) -> Int32 { 128 + signal.number }
}
