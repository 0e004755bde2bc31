import PuckClient
import PuckSystem

/// `puckctl who`: lists the connected clients.
struct Who: Subcommand {
    static let name = "who"
    static let usage = "[--json]"
    static let summary = "list the connected clients (admin)"
    static let help = """
        Lists the connected clients (needs the role admin): user and program, present and allowed accuracy, view, frames sent,
        frames skipped because the client was too slow, and time connected.

          --json            print the daemon's own line
        """
    private let json: Bool

    init(_ words: inout ArgumentReader) throws(UsageError) { json = words.flag("--json") }

    func run(_ session: Session) async throws(Failure) {
        try await session.ask(.who, json: json) { answer in
            if case .connections(let all) = answer { whoLines(all, at: Clocks.now.utc) } else { [] }
        }
    }
}
