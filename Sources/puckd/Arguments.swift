import PuckCore
import PuckReplay
import PuckSystem
import PuckWire

/// The command that the command line requests.
enum Command: Equatable {
    case run(configuration: String)
    case checkConfiguration(String)
    case replay(ReplayCommand)
    case help
    case replayHelp
    case version
}

/// The command `puckd replay` with its options.
struct ReplayCommand: Equatable {
    /// A file's path, or `-` for standard input.
    var file: String
    var options = Replay.Options()
    var stateDirectory: String?
    /// Whether to print the time of delivery before each line.
    var stamp = false
}

/// Parses the command line. This is a pure function.
func parseArguments(_ arguments: [String]) throws(UsageError) -> Command {
    var words = ArgumentWords(arguments)
    if words.peek == "replay" {
        words.skip()
        return try parseReplay(&words)
    }
    var configuration = defaultConfigurationPath
    var check = false
    while let word = try words.nextOption() {
        switch word {
        case "--config": configuration = try words.value(of: word, "a file")
        case "--check-config": check = true
        case "--help", "-h": return .help
        case "--version": return .version
        default: throw UsageError(message: "unknown option \(word); puckd --help lists them")
        }
    }
    if let extra = words.peek {
        throw UsageError(message: "unexpected “\(extra)”; puckd --help lists the options")
    }
    return check ? .checkConfiguration(configuration) : .run(configuration: configuration)
}

/// The path of the configuration file without `--config`.
let defaultConfigurationPath = "/etc/puckd/puckd.conf"

private func parseReplay(_ words: inout ArgumentWords) throws(UsageError) -> Command {
    var replay = ReplayCommand(file: "")
    var files: [String] = []
    while let word = words.next() {
        switch word {
        case "--rate": replay.options.rate = try rate(words.value(of: word, "“fix”, “motion” or frames a second"))
        case "--accuracy":
            replay.options.accuracy = try choice(of: word, words.value(of: word, "precise or approximate"))
        case "--view": replay.options.tracking = try choice(of: word, words.value(of: word, "a tracking mode"))
        case "--profile": replay.options.profile = try choice(of: word, words.value(of: word, "a profile"))
        case "--approximate-radius": replay.options.approximateRadius = try radius(words.value(of: word, "metres"))
        case "--state-directory": replay.stateDirectory = try words.value(of: word, "a directory")
        case "--stamp": replay.stamp = true
        case "--help", "-h": return .replayHelp
        case "-": files.append(word)
        case _ where word.hasPrefix("-"):
            throw UsageError(message: "unknown option \(word); puckd replay --help lists them")
        default: files.append(word)
        }
    }
    guard files.count == 1, let file = files.first else {
        throw UsageError(message: "expected one recording: a file of gpsd's JSON lines, or - for standard input")
    }
    replay.file = file
    return .replay(replay)
}

private func rate(_ text: String) throws(UsageError) -> FrameRate {
    if text == "motion" { return .motion }
    guard let rate = FrameRate(text: text) else {
        throw UsageError(
            message: "--rate: expected “fix”, “motion” or a number from 1 to \(Int(WireLimits.rate)), got “\(text)”")
    }
    return rate
}

private func radius(_ text: String) throws(UsageError) -> ApproximateRadius {
    guard let metres = Int(text), let radius = ApproximateRadius(metres: metres) else {
        let range = ApproximateRadius.range
        throw UsageError(
            message: "--approximate-radius: expected whole metres from \(range.lowerBound) to \(range.upperBound), "
                + "got “\(text)”")
    }
    return radius
}

/// The words of a command line, for reading one at a time. `--option=value` counts as two words.
struct ArgumentWords {
    private var words: ArraySlice<String>

    init(_ arguments: [String]) {
        words =
            arguments.flatMap { word -> [String] in
                guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return [word] }
                return [String(word[..<equals]), String(word[word.index(after: equals)...])]
            }[...]
    }

    var peek: String? { words.first }
    mutating func skip() { words = words.dropFirst() }
    mutating func next() -> String? { words.popFirst() }

    /// Returns and removes the next word, if it is an option.
    mutating func nextOption() throws(UsageError) -> String? {
        guard let word = words.first, word.hasPrefix("-") else { return nil }
        return words.popFirst()
    }
    mutating func value(of option: String, _ expected: String) throws(UsageError) -> String {
        guard let value = words.popFirst() else {
            throw UsageError(message: "\(option): expected \(expected) after it")
        }
        return value
    }
}
