/// What the doctor found of one thing, and what to do about it.
struct Finding: Hashable, Sendable {
    /// How it stands.
    enum Verdict: String, Sendable {
        case ok
        /// It works, but hardly as it is meant to.
        case doubtful = "hm"
        /// It does not work.
        case bad
        /// It could not be looked at.
        case unknown = "?"
    }

    /// What was looked at, in a word or two.
    var subject: String
    var verdict: Verdict
    /// What was seen.
    var text: String
    /// What to type, or to do.
    var remedies: [String] = []

    /// As lines for a person.
    var lines: [String] {
        let margin = 5
        let column = 16
        let head = verdict.rawValue.padded(to: margin) + subject.padded(to: column) + text
        return [head] + remedies.map { String(repeating: " ", count: margin + column) + "→ \($0)" }
    }
}
