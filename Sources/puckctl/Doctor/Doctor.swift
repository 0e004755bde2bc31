import PuckClient
import PuckSystem

/// `puckctl doctor`: examines the whole chain from the receiver to this user.
struct Doctor: Command {
    static let name = "doctor"
    static let usage = ""
    static let summary = "find faults between the receiver and you"
    static let help = """
        Checks everything between the receiver and you: puckd and its socket, gpsd, the receiver, its fix, the clock, your
        accuracy, and the four bypasses by which gpsd gives positions to every user. For each fault it says what to type.

          ok     works
          hm     works, but may need attention
          bad    does not work
          ?      cannot be checked from here

        Exit codes: 0 no fault, 1 at least one fault (bad).
        """

    init(_ words: inout ArgumentReader) throws(UsageError) {}

    /// Examines the chain and prints the findings. Returns the exit code.
    static func examine(puckd socket: PuckdSocket) async -> Int32 {
        do throws(Failure) {
            var found: [Finding] = []
            func tell(_ findings: [Finding]) throws(Failure) {
                found += findings
                for line in findings.flatMap(\.lines) { try say(line) }
            }
            let chain = await Chain(puckd: socket)
            let puckctl = socket.puckctl
            try tell(chain.findings(socket: socket, puckctl: puckctl))
            try tell(WaysRound(of: chain, puckctl: puckctl).findings)
            return found.contains { $0.verdict == .bad } ? ExitCode.refused : ExitCode.success
        } catch {
            return error.exitCode
        }
    }
}
