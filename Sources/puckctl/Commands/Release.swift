import PuckClient
import PuckSystem

/// Gives the location back to the receiver.
struct Release: Subcommand {
    static let name = "release"
    static let usage = ""
    static let summary = "give the location back to the receiver (provider)"
    static let help = "Ends the override of the location, whoever placed it (needs the role provider)."

    init(_ words: inout ArgumentReader) throws(UsageError) {}

    func run(_ session: Session) async throws(Failure) {
        try await session.ask(.release)
        try say("the location is the receiver's")
    }
}
