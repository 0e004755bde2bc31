import PuckCore

/// Looks for a compass that gpsd hears and does not pass on: of each release some sentences are lost on the way. Where no
/// heading has come, gpsd is asked for the receiver's own sentences for a few seconds, now and then.
struct CompassSearch: Sendable {
    /// What to do next, and for how many seconds nothing after it.
    enum Step: Hashable {
        /// Ask for the sentences.
        case listen(seconds: Double)
        /// Ask for them no more.
        case stop(seconds: Double)
        /// Nothing.
        case wait(seconds: Double)
    }

    /// Seconds from the connection until it begins: most compasses have spoken by then.
    static let beginning = 10.0
    /// Seconds that it listens: as long as the slowest compass's cycle.
    private static let listening = 3.0
    /// Seconds from one time to the next.
    private static let pause = 600.0
    /// Sentences that say a heading, without their talker.
    private static let sentences = ["HDG", "HDM", "HDT", "THS"]
    /// Sentences of makers of their own.
    private static let ownSentences = ["PASHR", "PTNTHPR"]
    /// Letters of a sentence's name at most.
    private static let longestName = 8

    private var isListening = false
    private var hasHeading = false

    /// The sentence that was heard, while no heading comes.
    private(set) var unread: String?

    /// It is time for the next step.
    mutating func step() -> Step {
        defer { hasHeading = false }
        if isListening {
            isListening = false
            return .stop(seconds: Self.pause)
        }
        guard !hasHeading else {
            unread = nil
            return .wait(seconds: Self.pause)
        }
        isListening = true
        return .listen(seconds: Self.listening)
    }

    /// A heading came.
    mutating func heard() {
        hasHeading = true
        unread = nil
    }

    /// Takes a line of the receiver's own; false where it is none.
    mutating func takes(_ line: ArraySlice<UInt8>) -> Bool {
        guard let first = line.first, first == UInt8(ascii: "$") || first == UInt8(ascii: "!") else { return false }
        let name = line.dropFirst().prefix(Self.longestName).prefix { $0 != UInt8(ascii: ",") }
        let text = String(decoding: name, as: UTF8.self)
        let isHeading = name.count == 5 && Self.sentences.contains { text.hasSuffix($0) }
        if !hasHeading, isHeading || Self.ownSentences.contains(text) { unread = text }
        return true
    }
}
