import PuckCore

// What puckd and puckctl share as programs.

/// The version of this package's programs. See semver.org.
public let programVersion = "0.1.0"

/// Writes one line to standard error, after the program's name. Unprintable characters are escaped, so that text from
/// outside cannot control the terminal.
public func complain(_ text: String, as program: String) {
    // If standard error cannot be written, there is nowhere to report it.
    try? writeAll(Array("\(program): \(text.printable)\n".utf8), to: StandardDescriptor.error)
}

/// An invalid command line.
public struct UsageError: Error, Hashable, Sendable {
    /// A message that says what was expected.
    public var message: String
    /// Creates an error with this message.
    public init(message: String) { self.message = message }
}

/// Returns the value with this name. `what` is the name of the argument to use in the error. Throws a `UsageError` that
/// lists the known names if `word` is unknown or nil.
public func choice<Value: RawRepresentable & CaseIterable>(
    of what: String, _ word: String?
) throws(UsageError) -> Value where Value.RawValue == String {
    guard let word, let value = Value(rawValue: word) else {
        let known = Value.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError(message: "\(what): expected one of \(known)\(word.map { ", got “\($0)”" } ?? "")")
    }
    return value
}
