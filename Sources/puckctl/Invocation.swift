import PuckClient
import PuckSystem

/// One thing that puckctl does: its words and its help. Each stands in a file of its own.
protocol Command: Sendable {
    /// The word it is typed by.
    static var name: String { get }
    /// What stands behind the name in `puckctl --help`, and a line on what it does.
    static var usage: String { get }
    static var summary: String { get }
    /// What `puckctl COMMAND --help` says below its usage.
    static var help: String { get }

    /// Reads the words behind the name. Pure.
    init(_ words: inout Words) throws(UsageError)
}

/// What is done on a connection to puckd.
protocol Subcommand: Command {
    /// Does it.
    func run(_ session: Session) async throws(Failure)
}

/// All of them, in the order of the help.
var commands: [any Command.Type] { subcommands + [RequestPrecise.self, Doctor.self] }
private var subcommands: [any Subcommand.Type] {
    [
        Watch.self, Status.self, Track.self, Follow.self, Overview.self, Ease.self, Fly.self, Idle.self, PutMarker.self,
        ShowView.self, Place.self, Release.self, Demonstrate.self, SetAccuracy.self, Who.self, Ping.self,
    ]
}

/// What the command line asks for.
enum Invocation {
    /// To say this, and nothing else.
    case tell(String)
    /// To do this with the puckd on that socket.
    case run(any Subcommand, socket: String)
    /// To run another command with precise location.
    case grant(RequestPrecise, socket: String)
    /// To examine the whole way from the receiver to that socket.
    case examine(socket: String)
}

/// Reads the command line. Pure. `environmentSocket` is what PUCKD_SOCKET says.
func parseArguments(_ arguments: [String], environmentSocket: String?) throws(UsageError) -> Invocation {
    var rest = arguments[...]
    var socket = environmentSocket ?? PuckClient.defaultPath
    while let word = rest.first, word.hasPrefix("-") {
        rest.removeFirst()
        switch word {
        case "--socket":
            guard let path = rest.popFirst() else { throw UsageError(message: "--socket: expected a path after it") }
            socket = path
        case "--help", "-h": return .tell(helpText)
        case "--version": return .tell("puckctl \(programVersion)\n")
        default: throw UsageError(message: "unknown option \(word); puckctl --help lists them")
        }
    }
    guard let name = rest.popFirst() else {
        throw UsageError(message: "a command is expected; puckctl --help lists them")
    }
    guard let type = commands.first(where: { $0.name == name }) else {
        let nearest = nearestName(to: name, among: commands.map { $0.name })
        let hint = nearest.map { "; did you mean “\($0)”?" } ?? ""
        throw UsageError(message: "unknown command “\(name)”\(hint) puckctl --help lists them")
    }
    // What stands behind “--” is another program's.
    let own = rest.prefix { $0 != "--" }
    if own.contains("--help") || own.contains("-h") { return .tell(helpText(of: type)) }
    var words = Words(rest, of: name)
    if type == RequestPrecise.self { return .grant(try RequestPrecise(&words), socket: socket) }
    guard let type = type as? any Subcommand.Type else {
        try words.end()
        return .examine(socket: socket)
    }
    let subcommand = try type.init(&words)
    try words.end()
    return .run(subcommand, socket: socket)
}

private func helpText(of type: any Command.Type) -> String {
    let usage = type.usage.isEmpty ? type.name : "\(type.name) \(type.usage)"
    return "usage: puckctl \(usage)\n\n\(type.help)\n"
}

private var helpText: String {
    let width = 18
    let list = commands.map { type in
        let head = "\(type.name) \(type.usage.prefix { $0 != "[" && $0 != "\n" })"
        let trimmed = head.last == " " ? String(head.dropLast()) : head
        return "  \((trimmed.count < width ? trimmed : type.name).padded(to: width))\(type.summary)"
    }
    return """
        usage: puckctl [--socket PATH] COMMAND …

        Asks puckd, steers what it shows, and shows it.

        \(list.joined(separator: "\n"))

        puckctl COMMAND --help tells more of each.

          --socket PATH     where puckd listens: \(PuckClient.defaultPath), or what PUCKD_SOCKET says
          --version         tell the version
          --help            this

        Exit codes: 0 done, 1 refused by the daemon, 2 wrong command line or file, 3 no connection, or it ended,
        4 standard output can't be written.

        """
}
