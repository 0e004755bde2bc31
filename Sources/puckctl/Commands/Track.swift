import PuckClient
import PuckSystem

/// `puckctl track`: sets or cycles a view's tracking mode.
struct Track: Subcommand {
    static let name = "track"
    static let usage = TrackingMode.allCases.map(\.rawValue).joined(separator: "|") + "|next [--view NAME]"
    static let summary = "set or cycle a view's tracking mode"
    static let help = """
        Sets the tracking mode of a view and prints the view's state. “next” cycles through the modes in the order above, as
        the button on a map does.

        \(viewHelp)
        """
    private let mode: TrackingMode?
    private let view: String

    init(_ words: inout ArgumentReader) throws(UsageError) {
        view = try words.view()
        mode = try words.word(TrackingMode.allCases.map(\.rawValue) + ["next"]) { word -> TrackingMode?? in
            word == "next" ? .some(nil) : TrackingMode(rawValue: word).map { .some($0) }
        }
    }

    func run(_ session: Session) async throws(Failure) {
        try await session.steer(view, mode.map { .track($0) } ?? .trackNext)
    }
}

/// The help for `--view` of all commands that steer.
let viewHelp = """
      --view NAME       the shared view to steer; by default “\(defaultView)”. A view exists while a client watches it (as
                        `puckctl watch` and `puckctl view` do) and for one more minute
    """
