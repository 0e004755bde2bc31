import PuckClient
import PuckSystem

/// `puckctl accuracy`: explains what this user sees, or sets or lifts approximate accuracy for everyone.
struct SetAccuracy: Subcommand {
    static let name = "accuracy"
    static let usage = "[precise|approximate]"
    static let summary = "explain what you see; or change it for everyone (admin)"
    static let help = """
        Without an argument it explains what your programs see, why, until when, who decides, and how to change it.

        With an argument it sets the accuracy of the whole device (needs the role admin). “approximate” limits every client to
        approximate accuracy at once; “precise” gives each client what the policy allows. The setting survives restarts.
        """
    private let mode: AccuracyMode?

    init(_ words: inout ArgumentReader) throws(UsageError) {
        mode =
            words.isEmpty ? nil : try words.word(AccuracyMode.allCases.map(\.rawValue)) { AccuracyMode(rawValue: $0) }
    }

    func run(_ session: Session) async throws(Failure) {
        guard let mode else { return try await explain(session) }
        try await session.ask(.accuracy(mode, scope: .system))
        try say(
            mode == .approximate ? "everyone is limited to approximate accuracy" : "everyone has what the policy allows"
        )
    }

    private func explain(_ session: Session) async throws(Failure) {
        let events = session.client.events
        let answer = try await session.ask(.status).answer
        guard case .status(let report) = answer else { throw .client(.protocolViolation("expected a status")) }
        var hello: Hello?
        for await event in events {
            switch event {
            case .connected(let greeting): hello = greeting
            case .authorization(let authorization):
                let insight = AccessInsight(
                    user: Users.current, name: (try? Users.name(ofUser: Users.current)) ?? nil,
                    authorization: authorization, purposes: hello?.purposes ?? [], policy: report.policy,
                    puckctl: session.puckctl)
                for line in insight.lines(at: Clocks.now.utc) { try say(line) }
                return
            case .disconnected(let error, _): throw .client(error)
            default: break
            }
        }
        throw .client(.disconnected(nil))
    }
}
