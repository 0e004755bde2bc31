import PuckClient
import PuckSystem

/// A reader of a command line's words. Options may be anywhere, and the other words keep their order. `--option=value`
/// counts as two words, and a word such as `-122.4` is a number.
struct ArgumentReader {
    private var rest: ArraySlice<String>
    /// All words, as they were given.
    private let all: [String]
    private let command: (any Command.Type)?

    /// Creates a reader for the words of a command, or with nil for the words before any command.
    init(_ words: ArraySlice<String>, of command: (any Command.Type)?) {
        let end = words.firstIndex(of: "--") ?? words.endIndex
        rest = words[..<end].flatMap { Self.split($0) } + words[end...]
        all = Array(rest)
        self.command = command
    }

    private static func split(_ word: String) -> [String] {
        guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return [word] }
        return [String(word[..<equals]), String(word[word.index(after: equals)...])]
    }

    /// The words that have not been taken yet.
    var left: [String] { Array(rest) }

    /// Whether all words have been taken.
    var isEmpty: Bool { rest.isEmpty }

    /// Returns an error that also says what to type next.
    func error(_ text: String) -> UsageError {
        let name = command.map { "\($0.name)" }
        let help = name.map { "puckctl \($0) --help" } ?? "puckctl --help"
        return UsageError(message: "\(name.map { "\($0): " } ?? "")\(text); type: \(help)")
    }

    /// Takes an option without a value, such as `--json`. Returns whether it is present.
    mutating func flag(_ option: String) -> Bool {
        guard let i = rest.firstIndex(of: option) else { return false }
        rest.remove(at: i)
        return true
    }

    /// Takes an option and the word after it. Returns nil if the option is missing.
    mutating func option(_ option: String, _ expected: String) throws(UsageError) -> String? {
        guard let i = rest.firstIndex(of: option) else { return nil }
        guard i + 1 < rest.endIndex else { throw error("\(option): the value is missing; expected \(expected)") }
        let value = rest[i + 1]
        rest.removeSubrange(i...(i + 1))
        return value
    }

    /// Takes an option and the word after it, converted by `read`. Returns nil if the option is missing, and throws if
    /// `read` returns nil.
    mutating func option<Value>(
        _ name: String, _ expected: String, _ read: (String) -> Value?
    ) throws(UsageError) -> Value? {
        guard let text = try option(name, expected) else { return nil }
        guard let value = read(text) else { throw error("\(name): expected \(expected), got “\(text)”") }
        return value
    }

    /// Takes an option and a number in a range.
    mutating func number(
        _ name: String, in range: ClosedRange<Double>, _ unit: String
    ) throws(UsageError) -> Double? {
        try option(name, "\(unit) from \(plain(range.lowerBound)) to \(plain(range.upperBound))") { text in
            Double(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// Takes an option and one of a fixed set of words.
    mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, _ type: Choice.Type
    ) throws(UsageError) -> Choice? where Choice.RawValue == String {
        try option(name, "one of " + Choice.allCases.map(\.rawValue).joined(separator: ", ")) { Choice(rawValue: $0) }
    }

    /// Takes the next word, unless it is an option. Returns nil if there is none.
    mutating func next() -> String? {
        guard let word = rest.first, !word.hasPrefix("--") else { return nil }
        return rest.popFirst()
    }

    /// Takes the next word, which must not be an option. Throws if there is none.
    mutating func next(_ expected: String) throws(UsageError) -> String {
        guard let word = next() else { throw error("expected \(expected)") }
        return word
    }

    /// Takes two words as longitude and latitude in degrees.
    mutating func coordinate() throws(UsageError) -> Coordinate {
        let expected = "LONGITUDE LATITUDE in degrees, from -180 to 180 and from -90 to 90"
        let words = [next(), next()].compactMap { $0 }
        guard words.count == 2, let longitude = Double(words[0]), let latitude = Double(words[1]),
            let coordinate = Coordinate(longitude: longitude, latitude: latitude)
        else {
            throw error("expected \(expected)" + (words.isEmpty ? "" : ", got “\(words.joined(separator: " "))”"))
        }
        return coordinate
    }

    /// Takes `--` and all words after it, which belong to another program. Returns nil if the next word is not `--`.
    mutating func others() -> [String]? {
        guard rest.first == "--" else { return nil }
        defer { rest = [] }
        return Array(rest.dropFirst())
    }

    /// Takes the next word, which must be one of `known`.
    mutating func word<Value>(_ known: [String], _ read: (String) -> Value?) throws(UsageError) -> Value {
        let expected = "expected one of \(known.joined(separator: ", "))"
        guard let word = next() else { throw error(expected) }
        guard let value = read(word) else { throw error("\(expected), got “\(word)”") }
        return value
    }

    /// Throws if any word is left.
    func end() throws(UsageError) {
        if !rest.isEmpty { throw UsageError(message: complaint(wanting: "no more arguments")) }
    }

    /// Returns an error text for the first word that was not taken.
    func complaint(wanting expected: String) -> String {
        guard let word = rest.first else { return error("expected \(expected)").message }
        guard word.hasPrefix("-"), word != "--", word != "-", Double(word) == nil else {
            return error("expected \(expected), got “\(word)”").message
        }
        let known = options
        if !known.contains(word) {
            let hint = similarName(to: word, among: known).map { "; did you mean “\($0)”?" } ?? ""
            return error("unknown option “\(word)”\(hint)").message
        }
        let isTwice = all.count { $0 == word } > 1
        return error(isTwice ? "\(word): expected once" : "\(word): expected without these other arguments").message
    }

    /// The options that the help lists.
    private var options: [String] {
        let text = command.map { "\($0.usage) \($0.help)" } ?? "--socket --units --version --help"
        let words = text.split(whereSeparator: { " []|\n=,;".contains($0) })
        return words.filter { $0.hasPrefix("--") && $0.count > 2 }.map(String.init)
    }

    private func plain(_ number: Double) -> String { Int(exactly: number).map { String($0) } ?? String(number) }
}

// Options that several subcommands share.
extension ArgumentReader {
    /// The view in `--view`; default `main`, so that commands that steer and commands that show use the same view.
    mutating func view() throws(UsageError) -> String {
        try option("--view", ArgumentReader.nameForm("a view's name")) { ArgumentReader.isName($0) ? $0 : nil }
            ?? defaultView
    }

    /// Takes the next word as a name. Returns nil if there is none.
    mutating func name(_ what: String) throws(UsageError) -> String? {
        guard let name = next() else { return nil }
        guard ArgumentReader.isName(name) else {
            throw error("expected \(ArgumentReader.nameForm(what)), got “\(name)”")
        }
        return name
    }

    private static func nameForm(_ what: String) -> String {
        "\(what) of 1 to \(WireLimits.name) bytes without control or format characters"
    }
    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= WireLimits.name && text.isPrintable
    }

    mutating func zoom() throws(UsageError) -> Double? { try number("--zoom", in: RequestRanges.zoom, "a zoom") }
    mutating func pitch() throws(UsageError) -> Double? { try number("--pitch", in: RequestRanges.pitch, "degrees") }
    mutating func bearing() throws(UsageError) -> Double? { try direction("--bearing")?.degrees }
    mutating func duration() throws(UsageError) -> Double? {
        try number("--duration", in: RequestRanges.duration, "seconds")
    }

    /// Takes an option with a direction in degrees clockwise from north.
    mutating func direction(_ name: String) throws(UsageError) -> Direction? {
        try number(name, in: 0...360, "degrees clockwise from north").flatMap { Direction($0) }
    }

    /// Takes an option with padding in points: one number for all edges, or top, right, bottom and left, as in CSS.
    mutating func padding(_ name: String = "--padding") throws(UsageError) -> Padding? {
        try option(name, ArgumentReader.paddingForm) { Padding(text: $0) }
    }
    static let paddingForm = "points, or TOP,RIGHT,BOTTOM,LEFT, from 0 to 100000"

    /// Takes `--curve` with an easing curve, by its name or its control points.
    mutating func curve() throws(UsageError) -> EasingCurve? {
        try option("--curve", "linear, easeIn, easeOut, easeInOut, or X1,Y1,X2,Y2 as in CSS") { text in
            if let named = EasingCurve(named: text) { return named }
            guard let p = numbers(text, count: 4), RequestRanges.curveTime.contains(p[0]),
                RequestRanges.curveTime.contains(p[2]),
                RequestRanges.curveProgress.contains(p[1]), RequestRanges.curveProgress.contains(p[3])
            else { return nil }
            return EasingCurve(p[0], p[1], p[2], p[3])
        }
    }

    /// Takes the options of a camera. At least one must be present.
    mutating func camera() throws(UsageError) -> Camera {
        let center = try option("--center", "LONGITUDE,LATITUDE in degrees") { text in
            numbers(text, count: 2).flatMap { Coordinate(longitude: $0[0], latitude: $0[1]) }
        }
        let camera = Camera(
            center: center, zoom: try zoom(), bearing: try bearing(), pitch: try pitch(), padding: try padding())
        guard !camera.isEmpty else {
            throw error("expected at least one of --center, --zoom, --bearing, --pitch, --padding")
        }
        return camera
    }
}

/// The view to show and steer without `--view`.
let defaultView = "main"

/// Parses exactly `count` numbers, separated by commas.
private func numbers(_ text: String, count: Int) -> [Double]? {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double(String($0)) }
    guard numbers.count == count, numbers.allSatisfy({ $0?.isFinite == true }) else { return nil }
    return numbers.compactMap { $0 }
}

extension Padding {
    /// Parses a padding: one number for all edges, or four.
    init?(text: String) {
        guard let edges = numbers(text, count: 4) ?? numbers(text, count: 1).map({ [$0[0], $0[0], $0[0], $0[0]] }),
            edges.allSatisfy({ RequestRanges.padding.contains($0) })
        else { return nil }
        self.init(top: edges[0], left: edges[3], bottom: edges[2], right: edges[1])
    }
}
