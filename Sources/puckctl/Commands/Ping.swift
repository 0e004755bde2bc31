import PuckClient
import PuckSystem

/// `puckctl ping`: asks the daemon for its time.
struct Ping: Subcommand {
    static let name = "ping"
    static let usage = ""
    static let summary = "measure the round trip to the daemon"
    static let help = "Asks the daemon for its time, and prints how long the answer took."

    init(_ words: inout ArgumentReader) throws(UsageError) {}

    func run(_ session: Session) async throws(Failure) {
        // The first request also waits for the connection, so measure the second one.
        try await session.ask(.ping)
        let asked = Clocks.now.monotonic
        try await session.ask(.ping)
        try say("answered in \(fixed(Clocks.now.monotonic.seconds(since: asked) * 1e3, 3)) ms")
    }
}
