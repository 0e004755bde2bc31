/// A finding of the doctor about one subject, with remedies.
struct Finding: Hashable, Sendable {
    /// The verdict on the subject.
    enum Verdict: String, Sendable {
        case ok
        /// It works, but not as it should.
        case doubtful = "hm"
        /// It does not work.
        case bad
        /// It could not be examined.
        case unknown = "?"
    }

    /// The subject in one or two words.
    var subject: String
    var verdict: Verdict
    /// The observation.
    var text: String
    /// Commands to type, or other things to do.
    var remedies: [String] = []

    /// The finding as lines for people to read.
    var lines: [String] {
        let margin = 5
        let column = 16
        let head = verdict.rawValue.padded(to: margin) + subject.padded(to: column) + text
        return [head] + remedies.map { String(repeating: " ", count: margin + column) + "→ \($0)" }
    }
}
