import PuckClient
import PuckSystem

/// Makes a view, keeps it, and shows what happens to it.
struct ShowView: Subcommand {
    static let name = "view"
    static let usage = "[NAME] [--for SECONDS] [--size WIDTHxHEIGHT] [--once]"
    static let summary = "make a shared view, keep it, and show its changes"
    static let help = """
        Makes the shared view NAME (by default “\(defaultView)”) where nobody has, and tells how it stands and each change
        of it: the mode, why it changed and by whom. The view is there while somebody watches it: this does until Ctrl-C.
        A minute after the last has left, it is forgotten.

          --for SECONDS     leave after so long, 0 to 86400
          --once            tell how it stands, and leave
          --size WxH        tell the view the size of the screen that shows it, in points
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
                // How things stand comes first, and has been told.
                if case .view(let message) = event, message.reason != .current {
                    try say(viewLine(message, name: view))
                }
            }
        }
        defer { changes.cancel() }
        try await session.hold(seconds: seconds)
    }
}
