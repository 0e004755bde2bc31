import PuckCore

/// Looks for a compass that gpsd hears but does not pass on: each release of gpsd drops some sentences. If no heading
/// arrives, gpsd is asked for the receiver's own sentences for a few seconds, now and then.
struct CompassSearch: Sendable {
    /// The next step, and the seconds until the one after it.
    enum Step: Hashable {
        /// Request the sentences.
        case listen(seconds: Double)
        /// Stop the sentences.
        case stop(seconds: Double)
        /// No step.
        case wait(seconds: Double)
    }

    /// Seconds from the connection to the first search: most compasses have reported by then.
    static let beginning = 10.0
    /// Seconds of one search: as long as the slowest compass's cycle.
    private static let listening = 3.0
    /// Seconds from one search to the next.
    private static let pause = 600.0
    /// Sentences with a heading, without their talker.
    private static let sentences = ["HDG", "HDM", "HDT", "THS"]
    /// Manufacturers' own sentences.
    private static let ownSentences = ["PASHR", "PTNTHPR"]
    /// Maximum letters of a sentence's name.
    private static let longestName = 8

    private var isListening = false
    private var hasHeading = false

    /// The sentence that was found, while no heading arrives.
    private(set) var unread: String?

    /// The time for the next step has come.
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

    /// A heading arrived.
    mutating func heard() {
        hasHeading = true
        unread = nil
    }

    /// Takes one of the receiver's own lines; false if the line is not one.
    mutating func takes(_ line: ArraySlice<UInt8>) -> Bool {
        guard let first = line.first, first == UInt8(ascii: "$") || first == UInt8(ascii: "!") else { return false }
        let name = line.dropFirst().prefix(Self.longestName).prefix { $0 != UInt8(ascii: ",") }
        let text = String(decoding: name, as: UTF8.self)
        let isHeading = name.count == 5 && Self.sentences.contains { text.hasSuffix($0) }
        if !hasHeading, isHeading || Self.ownSentences.contains(text) { unread = text }
        return true
    }
}
