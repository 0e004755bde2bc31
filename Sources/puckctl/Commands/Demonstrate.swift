import PuckClient
import PuckSystem

/// Plays a demo, or lists them.
struct Demonstrate: Subcommand {
    static let name = "demo"
    static let usage = "[NAME]"
    static let summary = "play what a map does, and show what comes of it"
    static let help = """
        Plays what a map does with puckd, step by step, and shows what comes of it: the frames in one line that changes (on
        a terminal; else in lines), and what is told beside them. It ends by itself. What it steers is a view of its own,
        and what it places or asks for ends with it. Without a name it lists them:

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
