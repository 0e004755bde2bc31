import PuckClient
import PuckSystem

/// Binds everyone to approximate accuracy, or releases them.
struct SetAccuracy: Subcommand {
    static let name = "accuracy"
    static let usage = "precise|approximate"
    static let summary = "bind everyone to approximate accuracy, or release them (admin)"
    static let help = """
        The switch of the whole device (needs the role admin): “approximate” binds every client to it at once, “precise”
        gives each again what policy allows it. It is kept over restarts.
        """
    private let mode: AccuracyMode

    init(_ words: inout Words) throws(UsageError) { mode = try choice(of: Self.name, words.next()) }

    func run(_ session: Session) async throws(Failure) {
        try await session.ask(.accuracy(mode, scope: .system))
        try say(mode == .approximate ? "everyone is bound to approximate accuracy" : "everyone has what policy allows")
    }
}
