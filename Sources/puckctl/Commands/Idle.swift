import PuckClient
import PuckSystem

/// `puckctl idle`: stops steering the camera.
struct Idle: Subcommand {
    static let name = "idle"
    static let usage = "[--view NAME]"
    static let summary = "stop moving the camera"
    static let help = """
        Stops moving the camera: frames no longer carry one.

        \(viewHelp)
        """
    private let view: String

    init(_ words: inout ArgumentReader) throws(UsageError) { view = try words.view() }

    func run(_ session: Session) async throws(Failure) { try await session.steer(view, .idle) }
}
