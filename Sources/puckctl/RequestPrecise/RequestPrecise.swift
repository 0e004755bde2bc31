import PuckClient
import PuckSystem

/// `puckctl request-precise`: runs a command with precise location.
struct RequestPrecise: Command {
    static let name = "request-precise"
    static let usage = "PURPOSE -- COMMAND…"
    static let summary = "run a command with the precise location, for a declared purpose"
    static let help = """
        Runs COMMAND with the precise location, for a purpose that the configuration declares and allows you. puckctl sets
        PUCKD_SOCKET for COMMAND to a relay socket of its own, which requests precise accuracy for each of COMMAND's
        connections. When the purpose's time is over, puckd notifies COMMAND, puckctl prints it here, and COMMAND continues
        with the approximate location.

            puckctl request-precise navigation -- puckctl watch

        The exit code is COMMAND's; 128 plus the number of the signal that ended it; 126 if COMMAND cannot be run; 127 if it
        does not exist. puckctl forwards signals to COMMAND.
        """
    private let purpose: String
    private let command: [String]

    init(_ words: inout ArgumentReader) throws(UsageError) {
        purpose = try words.next("a purpose, as the configuration declares it")
        guard let command = words.others(), !command.isEmpty else {
            throw words.error(
                "expected “-- COMMAND” after the purpose, as in: puckctl request-precise \(purpose) -- puckctl watch")
        }
        self.command = command
    }

    /// Runs the command and returns the exit code.
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
