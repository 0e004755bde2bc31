import PuckClient
import PuckSystem

/// `puckctl status`: shows the state of the daemon and the receiver.
struct Status: Subcommand {
    static let name = "status"
    static let usage = "[--json]"
    static let summary = "show the state of the daemon and of the receiver"
    static let help = """
        Shows the state of the daemon and of the receiver, and what the policy gives you. With approximate accuracy it shows
        nothing about the receiver or other clients.

          --json            print the daemon's own line
        """
    private let json: Bool

    init(_ words: inout ArgumentReader) throws(UsageError) { json = words.flag("--json") }

    func run(_ session: Session) async throws(Failure) {
        try await session.ask(.status, json: json) { answer in
            if case .status(let report) = answer { statusLines(report) } else { [] }
        }
    }
}
