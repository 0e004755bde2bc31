import PuckClient
import PuckSystem

/// A command of puckctl: its name, its help, and its arguments. Each command is in its own file.
protocol Command: Sendable {
    /// The name to type.
    static var name: String { get }
    /// The arguments for `puckctl --help`, and a line that says what the command does.
    static var usage: String { get }
    static var summary: String { get }
    /// The help that `puckctl COMMAND --help` prints below the usage.
    static var help: String { get }

    /// Parses the words after the name. This has no side effects.
    init(_ words: inout ArgumentReader) throws(UsageError)
}

/// A command that uses a connection to puckd.
protocol Subcommand: Command {
    /// Whether it reconnects when the connection is lost; default false.
    var reconnects: Bool { get }
    /// Runs the command.
    func run(_ session: Session) async throws(Failure)
}

extension Subcommand {
    var reconnects: Bool { false }
}

/// All commands in the order of the help.
var commands: [any Command.Type] { subcommands + [RequestPrecise.self, Doctor.self] }
private var subcommands: [any Subcommand.Type] {
    [
        Watch.self, ShowMap.self, Status.self, Track.self, Follow.self, Overview.self, Ease.self, Fly.self, Idle.self,
        PutMarker.self,
        ShowView.self, Place.self, Release.self, Demonstrate.self, SetAccuracy.self, Who.self, Ping.self,
    ]
}

/// The environment variables that puckctl uses.
struct Environment {
    /// PUCKD_SOCKET.
    var socket: String?
    /// PUCKCTL_UNITS.
    var units: String?
}

/// A parsed command line.
struct Invocation {
    enum Task {
        /// Print a text and end.
        case tell(String)
        /// Run a command on a connection to puckd.
        case run(any Subcommand)
        /// Run another program with precise location.
        case grant(RequestPrecise)
        /// Examine the whole chain from the receiver to puckd's socket.
        case examine

        var needsPuckd: Bool { if case .tell = self { false } else { true } }
    }

    var task: Task
    /// The socket from the command line or the environment; nil means that puckctl must look for it.
    var socket: String?
    var units = Units.metric
}

/// Parses the command line. This is a pure function. `--socket` and `--units` may be anywhere before `--`.
func parseArguments(_ arguments: [String], _ environment: Environment) throws(UsageError) -> Invocation {
    // The words after `--` belong to another program.
    let own = arguments.prefix { $0 != "--" }
    var general = ArgumentReader(own, of: nil)
    var call = Invocation(task: .tell(helpText), socket: environment.socket)
    if let path = try general.option("--socket", "a path") { call.socket = path }
    call.units = try units(&general, environment)
    let words = general.left
    if words.first == "--version" {
        call.task = .tell("puckctl \(programVersion)\n")
        return call
    }
    let asksForHelp = words.contains { $0 == "--help" || $0 == "-h" } || words.first == "help"
    guard let name = words.first(where: { !["--help", "-h", "help"].contains($0) }), !name.hasPrefix("-") else {
        if asksForHelp { return call }
        throw UsageError(message: complaint(of: general))
    }
    guard let type = commands.first(where: { $0.name == name }) else {
        let similar = similarName(to: name, among: commands.map { $0.name })
        let hint =
            similar.map { "; did you mean “\($0)”? puckctl --help lists all commands" } ?? "; type: puckctl --help"
        throw UsageError(message: "unknown command “\(name)”\(hint)")
    }
    if asksForHelp {
        call.task = .tell(helpText(of: type))
        return call
    }
    call.task = try task(type, Array(words.dropFirst()) + arguments.dropFirst(own.count))
    return call
}

/// Returns an error text for words that do not start with a command.
private func complaint(of words: ArgumentReader) -> String {
    let known = commands.map { $0.name }
    if let option = words.left.first, option.hasPrefix("--"), let name = words.left.first(where: known.contains) {
        return "unknown option “\(option)” before the command; put options of \(name) after it: "
            + "puckctl \(name) \(option). Type: puckctl \(name) --help, or puckctl --help"
    }
    return words.complaint(wanting: "a command, such as “puckctl watch”")
}

private func task(_ type: any Command.Type, _ rest: [String]) throws(UsageError) -> Invocation.Task {
    var words = ArgumentReader(rest[...], of: type)
    if type == RequestPrecise.self { return .grant(try RequestPrecise(&words)) }
    guard let type = type as? any Subcommand.Type else {
        try words.end()
        return .examine
    }
    let subcommand = try type.init(&words)
    try words.end()
    return .run(subcommand)
}

private func units(_ words: inout ArgumentReader, _ environment: Environment) throws(UsageError) -> Units {
    if let units = try words.choice("--units", Units.self) { return units }
    guard let text = environment.units, !text.isEmpty else { return .metric }
    return try choice(of: "PUCKCTL_UNITS", text)
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
        usage: puckctl [--socket PATH] [--units UNITS] COMMAND …

        Shows the location that puckd serves, steers its cameras, and diagnoses it.

        \(list.joined(separator: "\n"))

        For more on a command, type: puckctl COMMAND --help

          --socket PATH     puckd's socket. Default: PUCKD_SOCKET; else $XDG_RUNTIME_DIR/puckd/puckd.sock, if it
                            accepts connections; else \(PuckClient.defaultPath)
          --units metric|nautical|imperial
                            metric: km/h and metres; nautical: knots, nautical miles and metres; imperial: miles an
                            hour, miles and feet. Default: PUCKCTL_UNITS, else metric. JSON is always metric
          --version         print the version
          --help            print this

        Exit codes: 0 success; 1 puckd refused the request, or doctor found a fault; 2 the command line or a file is wrong;
        3 no connection to puckd; 4 standard output cannot be written. request-precise returns its command's code.

        """
}
