import PuckClient
import PuckSystem

/// `puckctl view`: creates a view, keeps it, and shows its changes.
struct ShowView: Subcommand {
    static let name = "view"
    static let usage = "[NAME] [--for SECONDS] [--size WIDTHxHEIGHT] [--once]"
    static let summary = "open a shared view and show its changes"
    static let help = """
        Opens the shared view NAME (by default “\(defaultView)”) and prints its state and each change: the mode, the reason and
        who made it. The command watches the view until Ctrl-C. A view exists while a client watches it and for one more
        minute.

          --for SECONDS     end after this time, 0 to 86400
          --once            print the state and end
          --size WxH        set the size of the screen that shows the view, in points
        """
    private let view: String
    private let seconds: Double?
    private let viewport: Viewport?

    init(_ words: inout ArgumentReader) throws(UsageError) {
        let isOnce = words.flag("--once")
        seconds = isOnce ? 0 : try words.number("--for", in: RequestRanges.age, "seconds")
        viewport = try words.option("--size", "WIDTHxHEIGHT in points, such as 390x844") { text in
            let sides = text.split(separator: "x").compactMap { Double(String($0)) }
            guard sides.count == 2, sides.allSatisfy({ RequestRanges.side.contains($0) }) else { return nil }
            return Viewport(width: sides[0], height: sides[1])
        }
        view = try words.name("a view's name") ?? defaultView
    }

    func run(_ session: Session) async throws(Failure) {
        try say(viewLine(try await session.stand(of: view), name: view))
        if let viewport { try await session.ask(.view(name: view, .viewport(viewport))) }
        let (events, view) = (session.client.events, view)
        let changes = Task { () async throws in
            for await event in events {
                // The first message shows the current state, which has already been printed.
                if case .view(let message) = event, message.reason != .current {
                    try say(viewLine(message, name: view))
                }
            }
        }
        defer { changes.cancel() }
        try await session.hold(seconds: seconds)
    }
}
