import PuckClient
import PuckSystem

/// `puckctl map`: a map in the terminal.
struct ShowMap: Subcommand {
    static let name = "map"
    static let usage = "[--accuracy precise|approximate] [--view NAME] [--rate N]"
    static let summary = "show track, puck, accuracy and markers on the whole terminal"
    static let help = """
        Draws a map of the terminal: the track of the last minutes, the puck with its direction, the 95 % accuracy circle (or
        the circle of an approximate location), the markers of the view, and a scale. The camera is the view's, seen from
        straight above.

        \(liveKeysHelp)

          --accuracy precise|approximate
                            the accuracy that you want; by default the best that the policy allows
          --view NAME       the shared view to show; by default “\(defaultView)”, which the other commands steer
          --rate N          at most N pictures a second (1 to 120); by default 10
        """

    var reconnects: Bool { true }
    private var options = SubscribeOptions()

    init(_ words: inout ArgumentReader) throws(UsageError) {
        options.include = Set(StreamPart.allCases)
        options.accuracy = try words.choice("--accuracy", AccuracyMode.self)
        options.view = try words.view()
        options.rate = .perSecond(
            try words.number("--rate", in: 1...WireLimits.rate, "pictures a second") ?? Self.usualRate)
    }

    /// Pictures a second that look like a motion and are cheap for a terminal, a remote one too.
    private static let usualRate = 10.0

    func run(_ session: Session) async throws(Failure) {
        guard LiveScreen.isPossible else {
            throw .refused("a map needs a terminal on standard input and output; without one, use: puckctl watch")
        }
        try await LiveScreen(session, options, face: .map).run()
    }
}

/// The help for the keys of a live screen.
let liveKeysHelp = """
    Keys: m shows the map or the table, t sets the next tracking mode, + and - zoom in and out, 0 follows the camera's zoom
    again, a asks for approximate or precise accuracy, u changes the units, q quits.
    """
