import PuckClient
import PuckSystem

/// `puckctl release`: restores the receiver's location.
struct Release: Subcommand {
    static let name = "release"
    static let usage = ""
    static let summary = "use the receiver's location again (provider)"
    static let help = "Ends every placed location, also those of other clients (needs the role provider)."

    init(_ words: inout ArgumentReader) throws(UsageError) {}

    func run(_ session: Session) async throws(Failure) {
        try await session.ask(.release)
        try say("the receiver's location is in use again")
    }
}
