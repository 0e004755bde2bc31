import PuckClient
import PuckSystem

/// `puckctl demo`: plays a demo, or lists the demos.
struct Demonstrate: Subcommand {
    static let name = "demo"
    static let usage = "[NAME]"
    static let summary = "play what a map does, and show the frames"
    static let help = """
        Plays, step by step, what a map does with puckd, and shows the frames and events. On a terminal the newest frame
        stays in one line. The demo uses a view of its own, ends by itself, and undoes what it placed or asked for. Without a
        name it lists the demos:

        \(demos.map { "  \($0.name.padded(to: 18))\($0.summary)" }.joined(separator: "\n"))
        """
    private let demo: Demo?

    init(_ words: inout ArgumentReader) throws(UsageError) {
        guard let name = words.next() else {
            demo = nil
            return
        }
        guard let found = demos.first(where: { $0.name == name }) else {
            throw words.error("expected one of \(demos.map(\.name).joined(separator: ", ")), got “\(name)”")
        }
        demo = found
    }

    func run(_ session: Session) async throws(Failure) {
        guard let demo else {
            for demo in demos { try say("\(demo.name.padded(to: 18))\(demo.summary)") }
            return
        }
        let stage = Stage(session)
        try stage.output.say(demo.summary)
        try await demo.play(stage)
        try stage.output.finish("done")
    }
}
