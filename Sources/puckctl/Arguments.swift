import PuckCore
import PuckSystem
import PuckWire

/// What the command line asks for.
struct Invocation: Equatable {
    var socket: String
    var command: Command
}

/// One thing to do.
enum Command: Equatable {
    case watch(WatchOptions)
    case status(json: Bool)
    case accuracy(AccuracyMode)
    case track(TrackingMode?, view: String)
    case ping
    case who(json: Bool)
    case help(Topic?)
    case version
}

/// What `watch` shows.
struct WatchOptions: Equatable {
    var json = false
    var subscription = SubscribeOptions()
    /// So many frames, then it ends; nil: until it is interrupted.
    var count: Int?
}

/// The subcommands, by the names they are typed by.
enum Topic: String, CaseIterable {
    case watch, status, accuracy, track, ping, who
}

/// Where puckd listens unless it is told otherwise.
let defaultSocket = "/run/puckd/puckd.sock"
/// The view that `watch` shows and `track` steers unless told otherwise: one name, so that the two meet.
let defaultView = "main"

/// Reads the command line. Pure. `environmentSocket` is what PUCKD_SOCKET says.
func parseArguments(_ arguments: [String], environmentSocket: String?) throws(UsageError) -> Invocation {
    var words = arguments[...]
    var socket = environmentSocket ?? defaultSocket
    while let word = words.first, word.hasPrefix("-") {
        words.removeFirst()
        switch word {
        case "--socket": socket = try value(of: word, "a path", &words)
        case "--help", "-h": return Invocation(socket: socket, command: .help(nil))
        case "--version": return Invocation(socket: socket, command: .version)
        default: throw UsageError(message: "unknown option \(word); puckctl --help lists them")
        }
    }
    guard let name = words.popFirst() else {
        throw UsageError(message: "a command is expected; puckctl --help lists them")
    }
    guard let topic = Topic(rawValue: name) else {
        throw UsageError(message: "unknown command “\(name)”; puckctl --help lists them")
    }
    if words.contains("--help") || words.contains("-h") { return Invocation(socket: socket, command: .help(topic)) }
    return Invocation(socket: socket, command: try parse(topic, &words))
}

private func parse(_ topic: Topic, _ words: inout ArraySlice<String>) throws(UsageError) -> Command {
    let command: Command
    switch topic {
    case .watch: return .watch(try watchOptions(&words))
    case .status: command = .status(json: take("--json", &words))
    case .who: command = .who(json: take("--json", &words))
    case .ping: command = .ping
    case .accuracy: command = .accuracy(try choice(of: "accuracy", words.popFirst()))
    case .track:
        let view = try option("--view", "a view's name", &words) ?? defaultView
        guard let word = words.popFirst() else {
            throw UsageError(message: "track: expected a mode or “next”; puckctl track --help lists them")
        }
        command = .track(word == "next" ? nil : try choice(of: "track", word), view: view)
    }
    if let extra = words.first {
        throw UsageError(message: "\(topic.rawValue): unexpected “\(extra)”; puckctl \(topic.rawValue) --help")
    }
    return command
}

private func watchOptions(_ words: inout ArraySlice<String>) throws(UsageError) -> WatchOptions {
    var options = WatchOptions()
    options.subscription.view = defaultView
    options.subscription.include = Set(StreamPart.allCases)
    while let word = words.popFirst() {
        switch word {
        case "--json": options.json = true
        case "--rate": options.subscription.rate = try rate(value(of: word, "“fix” or frames a second", &words))
        case "--accuracy":
            options.subscription.accuracy = try choice(of: word, value(of: word, "precise or approximate", &words))
        case "--bearing": options.subscription.bearing = try choice(of: word, value(of: word, "a bearing", &words))
        case "--view": options.subscription.view = try value(of: word, "a view's name", &words)
        case "--count":
            let text = try value(of: word, "a number of frames", &words)
            guard let count = Int(text), count > 0 else {
                throw UsageError(message: "--count: expected a whole number from 1, got “\(text)”")
            }
            options.count = count
        default: throw UsageError(message: "watch: unexpected “\(word)”; puckctl watch --help")
        }
    }
    return options
}

private func rate(_ text: String) throws(UsageError) -> FrameRate {
    guard let rate = FrameRate(text: text) else {
        throw UsageError(
            message: "--rate: expected “fix” or a number from 1 to \(Int(WireLimits.rate)), got “\(text)”")
    }
    return rate
}

private func take(_ flag: String, _ words: inout ArraySlice<String>) -> Bool {
    guard let i = words.firstIndex(of: flag) else { return false }
    words.remove(at: i)
    return true
}

private func option(
    _ name: String, _ expected: String, _ words: inout ArraySlice<String>
) throws(UsageError) -> String? {
    guard let i = words.firstIndex(of: name) else { return nil }
    guard i + 1 < words.endIndex else { throw UsageError(message: "\(name): expected \(expected) after it") }
    let value = words[i + 1]
    words.removeSubrange(i...(i + 1))
    return value
}

private func value(
    of option: String, _ expected: String, _ words: inout ArraySlice<String>
) throws(UsageError) -> String {
    guard let value = words.popFirst() else { throw UsageError(message: "\(option): expected \(expected) after it") }
    return value
}
