import PuckClient
import PuckSystem

/// Shows what the daemon and the receiver do.
struct Status: Subcommand {
    static let name = "status"
    static let usage = "[--json]"
    static let summary = "show what the daemon and the receiver do"
    static let help = """
        Shows what the daemon and the receiver do, and what the policy gives you. With approximate accuracy it shows nothing
        of the receiver and of other clients.

          --json            the daemon's own line
        """
    private let json: Bool

    init(_ words: inout ArgumentReader) throws(UsageError) { json = words.flag("--json") }

    func run(_ session: Session) async throws(Failure) {
        try await session.ask(.status, json: json) { answer in
            if case .status(let report) = answer { statusLines(report) } else { [] }
        }
    }
}
