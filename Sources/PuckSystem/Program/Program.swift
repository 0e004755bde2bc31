import PuckCore

// What puckd and puckctl have in common as programs.

/// The version of the programs of this package. (semver.org)
public let programVersion = "0.1.0"

/// Writes one line to standard error, in a program's name. Whatever came from outside is shown, and not carried out: an
/// unprintable character becomes an escape.
public func complain(_ text: String, as program: String) {
    // Where standard error can't be written, there is nowhere to say so.
    try? writeAll(Array("\(program): \(text.printable)\n".utf8), to: StandardDescriptor.error)
}

/// A command line that can't be understood: what was expected.
public struct UsageError: Error, Hashable, Sendable {
    /// In words.
    public var message: String
    /// An error of that message.
    public init(message: String) { self.message = message }
}

/// The value that a word of the command line names; nil: the word is missing.
public func choice<Value: RawRepresentable & CaseIterable>(
    of what: String, _ word: String?
) throws(UsageError) -> Value where Value.RawValue == String {
    guard let word, let value = Value(rawValue: word) else {
        let known = Value.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError(message: "\(what): expected one of \(known)\(word.map { ", got “\($0)”" } ?? "")")
    }
    return value
}
