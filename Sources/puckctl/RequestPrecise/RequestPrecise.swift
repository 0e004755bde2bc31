import PuckClient
import PuckSystem

/// Runs a command with precise location.
struct RequestPrecise: Command {
    static let name = "request-precise"
    static let usage = "PURPOSE -- COMMAND…"
    static let summary = "run a command with precise location, for a declared purpose"
    static let help = """
        Asks for precise location for a purpose that the configuration declares and lets you ask for, runs COMMAND with it,
        and gives it back when COMMAND ends. COMMAND finds puckd where PUCKD_SOCKET says, as puckctl itself does: that is
        then a socket of puckctl's, which connects it on, and asks for each of its connections. When the purpose's time is
        over, COMMAND is told, and you are here; it goes on with approximate location.

            puckctl request-precise navigation -- puckctl watch

        It ends as COMMAND does: with its code, or with 128 and the number of the signal that ended it; with 126 where it
        can't be run, and 127 where there is no such command. Signals are passed on to it.
        """
    private let purpose: String
    private let command: [String]

    init(_ words: inout ArgumentReader) throws(UsageError) {
        purpose = try words.next("a purpose, as the configuration declares it")
        guard let command = words.others(), !command.isEmpty else {
            throw words.error(
                "expected “-- COMMAND” behind the purpose, as in: puckctl request-precise \(purpose) -- puckctl watch")
        }
        self.command = command
    }

    /// Does it; returns the exit code.
    func run(puckd socket: PuckdSocket) -> Int32 {
        do throws(SystemError) {
            return try GrantedCommand(purpose: purpose, command: command).run(puckd: socket)
        } catch {
            let failure = Failure.client(.system(error))
            if let text = failure.text(socket: socket) { complain(text) }
            return failure.exitCode
        }
    }
}
