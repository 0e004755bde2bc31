import PuckClient
import PuckSystem

/// `puckctl watch`: shows the location as it changes.
struct Watch: Subcommand {
    static let name = "watch"
    static let usage = """
        [--json|--plain] [--rate fix|N] [--accuracy precise|approximate] [--bearing auto|heading|course|none]
                             [--min-distance M] [--min-interval S] [--view NAME] [--count N] [--no-reconnect]
        """
    static let summary = "show the location live"
    static let help = """
        Shows the location live. On a terminal it fills the screen. Otherwise, or with --plain, it prints a line for each frame
        and for each change of the receiver, of your accuracy and of the view. An approximate location changes about twice an
        hour at most, more often only while you travel far, so its frames are rare.

        \(liveKeysHelp)

          --json            print the daemon's own lines
          --plain           print lines, also on a terminal
          --rate fix|N      a frame for each fix (default), or up to N a second (1 to 120); none while nothing changes
          --accuracy precise|approximate
                            the accuracy that you want; by default the best that the policy allows
          --bearing auto|heading|course|none
                            what the arrow shows; by default auto: the heading if known, else the course
          --min-distance M  at least M metres between frames
          --min-interval S  at least S seconds between frames
          --view NAME       the shared view to watch; by default “\(defaultView)”, which the other commands steer
          --count N         print N lines of frames, and end
          --no-reconnect    print lines, and end with code 3 if the connection is lost; by default it reconnects
          --units metric|nautical|imperial
                            the units of speeds, lengths and heights, as in puckctl --help
        """

    let reconnects: Bool
    private let json: Bool
    private let isPlain: Bool
    private var options = SubscribeOptions()
    /// The number of frames after which it ends; nil means that it runs until it is interrupted.
    private let count: Int?

    init(_ words: inout ArgumentReader) throws(UsageError) {
        json = words.flag("--json")
        isPlain = words.flag("--plain")
        reconnects = !words.flag("--no-reconnect")
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
        if !json, !isPlain, count == nil, reconnects, LiveScreen.isPossible {
            return try await LiveScreen(session, options, face: .table).run()
        }
        try await printLines(session)
    }

    private func printLines(_ session: Session) async throws(Failure) {
        var progress = Progress(left: count)
        for await update in session.client.updates {
            if case .event(.disconnected(let error, let retry)) = update.content {
                guard progress.hasConnected, retry != nil, error.isPassing else { throw .client(error) }
                if !progress.isCut { complain("\(error); reconnecting") }
                progress.isCut = true
                continue
            }
            if case .event(.notRestored(_, let error)) = update.content { throw .client(.refused(error)) }
            try show(update, &progress, session.units)
            if progress.left == 0 { return }
            guard case .event(.connected) = update.content else { continue }
            if progress.isCut { complain("reconnected") }
            progress.isCut = false
            if !progress.hasConnected { try await session.ask(.subscribe(options)) }
            progress.hasConnected = true
        }
    }

    /// The progress of the command.
    private struct Progress {
        /// The number of frames still to show; nil means no limit.
        var left: Int?
        var hasConnected = false
        /// Whether the connection is lost, and the user has been informed.
        var isCut = false
        /// The authorization that was shown last. Subscriptions and reconnections repeat it.
        var authorization: AuthorizationMessage?
    }

    private func show(_ update: Update, _ progress: inout Progress, _ units: Units) throws(Failure) {
        if json {
            if let line = update.line { try say(json: line) }
        } else if case .event(.authorization(let message)) = update.content, message == progress.authorization {
            // Do not repeat an authorization: one comes with each connection and each subscription.
        } else if let line = personalLine(update, units) {
            try say(line)
        }
        if case .event(.authorization(let message)) = update.content { progress.authorization = message }
        if update.frame != nil { progress.left = progress.left.map { $0 - 1 } }
    }
}

extension ClientError {
    /// Whether a new connection may succeed: true unless the peer is not puckd.
    fileprivate var isPassing: Bool { if case .protocolViolation = self { false } else { true } }
}
