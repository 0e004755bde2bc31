import PuckClient
import PuckSystem

/// Lets the camera go.
struct Idle: Subcommand {
    static let name = "idle"
    static let usage = "[--view NAME]"
    static let summary = "let the camera go"
    static let help = """
        Lets the camera go: no camera comes from following any more.

        \(viewHelp)
        """
    private let view: String

    init(_ words: inout ArgumentReader) throws(UsageError) { view = try words.view() }

    func run(_ session: Session) async throws(Failure) { try await session.steer(view, .idle) }
}
