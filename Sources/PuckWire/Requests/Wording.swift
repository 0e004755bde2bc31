import PuckCore
import PuckText

// Formats a client's text, and the accepted values, for error messages. The result is always short.

/// `text` in double quotes, cut to a length that a message can hold, and safe to show.
func quoted(_ text: String) -> String { "\"\(shortened(text).printable)\"" }

/// The end of a message about an unknown name: the known one that was probably meant, else all of them.
func hint(for name: String, among known: [String]) -> String {
    similarName(to: name, among: known).map { "; did you mean \(quoted($0))?" } ?? "; expected \(oneOf(known))"
}

/// `text` cut to a length that a message can hold. By scalars: one character may have any number of them.
func shortened(_ text: String) -> String {
    let longest = 40
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: longest, limitedBy: scalars.endIndex),
        end < scalars.endIndex
    else { return text }
    return String(scalars[..<end]) + "…"
}

/// The choices, for a message.
func oneOf(_ choices: [String]) -> String { "one of " + choices.map(quoted).joined(separator: ", ") }

/// What a client sent, for a message: short.
func described(_ value: JSONValue) -> String {
    switch value {
    case .number(let text): String(text.prefix(32))
    case .string(let text): quoted(text)
    case .bool(let truth): String(truth)
    default: value.kind
    }
}

/// A bound as a person writes it: without `.0`.
func plain(_ number: Double) -> String {
    Int(exactly: number).map { String($0) } ?? String(number)
}
