import PuckClient
import PuckSystem

/// Shows the location as it comes.
struct Watch: Subcommand {
    static let name = "watch"
    static let usage = """
        [--json] [--rate fix|N] [--accuracy MODE] [--bearing WHAT]
                             [--min-distance M] [--min-interval S] [--view NAME] [--count N]
        """
    static let summary = "show the location as it comes"
    static let help = """
        Shows the location as it comes: a line for each frame, and for each change of the receiver, of what you may
        see, and of the view.

          --json            the daemon's own lines, as they come
          --rate fix|N      a frame with each fix (default), or up to N a second (1 to 120), where something changed
          --accuracy MODE   precise or approximate; by default the best you are allowed
          --bearing WHAT    what the arrow shows: \(BearingPreference.allCases.map(\.rawValue).joined(separator: ", "))
          --min-distance M  only after M metres of way
          --min-interval S  not before S seconds have gone by
          --view NAME       the shared view to watch; by default “\(defaultView)”, which the other commands steer
          --count N         end after N frames
        """

    private let json: Bool
    private var options = SubscribeOptions()
    /// So many frames, then it ends; nil: until it is interrupted.
    private let count: Int?

    init(_ words: inout Words) throws(UsageError) {
        json = words.flag("--json")
        count = try words.option("--count", "a whole number of frames, from 1") { text in
            Int(text).flatMap { $0 > 0 ? $0 : nil }
        }
        options.include = Set(StreamPart.allCases)
        options.rate =
            try words.option("--rate", "“fix”, or frames a second from 1 to \(Int(WireLimits.rate))") {
                FrameRate(text: $0)
            } ?? .fix
        options.accuracy = try words.choice("--accuracy", AccuracyMode.self)
        options.bearing = try words.choice("--bearing", BearingPreference.self) ?? .auto
        options.minDistance = try words.number("--min-distance", in: RequestRanges.metres, "metres")
        options.minInterval = try words.number("--min-interval", in: RequestRanges.age, "seconds")
        options.view = try words.view()
    }

    func run(_ session: Session) async throws(Failure) {
        let updates = session.client.updates
        try await session.ask(.subscribe(options))
        var left = count
        var authorization: AuthorizationMessage?
        for await update in updates {
            if case .event(.disconnected(let error, _)) = update.content { throw .client(error) }
            if json {
                if let line = update.line { try say(String(decoding: line, as: UTF8.self)) }
            } else if case .event(.authorization(let message)) = update.content, message == authorization {
                // A subscription is answered with it, and a connection began with it.
            } else if let line = personalLine(update) {
                try say(line)
            }
            if case .event(.authorization(let message)) = update.content { authorization = message }
            if update.frame != nil { left = left.map { $0 - 1 } }
            if left == 0 { return }
        }
    }
}
