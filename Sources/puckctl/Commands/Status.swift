import PuckClient
import PuckSystem

/// Tells what the daemon and the receiver do.
struct Status: Subcommand {
    static let name = "status"
    static let usage = "[--json]"
    static let summary = "tell what the daemon and the receiver do"
    static let help = """
        Tells what the daemon and the receiver do. With approximate accuracy nothing is told of the receiver and of other
        clients.

          --json            the daemon's own line
        """
    private let json: Bool

    init(_ words: inout Words) throws(UsageError) { json = words.flag("--json") }

    func run(_ session: Session) async throws(Failure) {
        try await session.ask(.status, json: json) { answer in
            if case .status(let report) = answer { statusLines(report) } else { [] }
        }
    }
}
