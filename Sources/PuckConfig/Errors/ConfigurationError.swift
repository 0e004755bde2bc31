/// One error in a configuration file.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file's name, as it was given.
    public var file: String
    /// The line number, starting from 1.
    public var line: Int
    /// The error in this line.
    public var problem: Problem

    /// The kinds of error.
    public enum Problem: Hashable, Sendable {
        /// The line is neither a setting, a section nor a comment.
        case notASetting(text: String)
        /// A `[` without its `]`.
        case unclosedSection
        /// Text after a section's `]` that is not a comment.
        case textAfterSection(text: String)
        /// A line that starts with a blank. In other formats, such a line continues the line before.
        case indented
        /// A line with more bytes than the limit.
        case lineTooLong(bytes: Int, limit: Int)
        /// Bytes that are not UTF-8 text, or a zero byte.
        case notText
        /// A setting before the first section.
        case outsideSection(key: String)
        /// A section that does not exist. `nearest` is the most similar name, if there is one.
        case unknownSection(name: String, nearest: String?)
        /// A key that the section does not have. `nearest` is the most similar name, if there is one.
        case unknownKey(section: String, key: String, nearest: String?)
        /// A section `[purpose KEY]` whose key is missing or not valid.
        case badPurposeKey(String)
        /// A key that the section already sets in `firstLine`.
        case duplicateKey(section: String, key: String, firstLine: Int)
        /// A value that the key does not accept.
        case badValue(section: String, key: String, value: String, expected: String, example: String)
        /// A section without a required key.
        case missingKey(section: String, key: String, example: String)
        /// Two values that contradict each other.
        case conflict(section: String, key: String, reason: String)
        /// A rule for a user or group that does not exist on this host, if ignoring it would let a later rule give more
        /// access.
        case unknownSubject(section: String, key: String, subject: String)
    }

    /// The file, the line, the error, and what was expected.
    public var description: String { "\(file):\(line): \(problem)" }
}

extension ConfigurationError.Problem: CustomStringConvertible {
    /// The error and what was expected.
    public var description: String {
        switch self {
        case .notASetting(let text): "expected “KEY = VALUE”, “[SECTION]” or “# comment”, found “\(text)”"
        case .unclosedSection: "expected “]” at the end of the section's name, as in “[gpsd]”"
        case .textAfterSection(let text): "expected nothing after “]”, found “\(text)”"
        case .indented: "expected the line to start with a key, a section or a comment, found a blank"
        case .lineTooLong(let bytes, let limit): "expected at most \(limit) bytes in a line, found \(bytes)"
        case .notText: "expected UTF-8 text"
        case .outsideSection(let key): "expected a section, such as “[gpsd]”, before “\(key)”"
        case .unknownSection(let name, let nearest):
            "unknown section “[\(name)]”" + (nearest.map { "; did you mean “[\($0)]”?" } ?? "")
        case .unknownKey(let section, let key, let nearest):
            "unknown key “\(key)” in [\(section)]" + (nearest.map { "; did you mean “\($0)”?" } ?? "")
        case .badPurposeKey(let key):
            "expected “[purpose KEY]” with a key of 1 to \(PurposeSection.longestKey) letters, digits, “-”, “_” or “.”, "
                + "found “\(key)”; for example “[purpose rescue]”"
        case .duplicateKey(let section, let key, let firstLine):
            "duplicate key “\(key)” in [\(section)]; line \(firstLine) sets it already"
        case .badValue(let section, let key, let value, let expected, let example):
            "[\(section)] \(key): expected \(expected), found “\(value)”; for example “\(key) = \(example)”"
                + (value.contains("#") ? " (a comment after a value starts with “;”)" : "")
        case .missingKey(let section, let key, let example):
            "[\(section)] needs “\(key)”; for example “\(key) = \(example)”"
        case .conflict(let section, let key, let reason): "[\(section)] \(key): \(reason)"
        case .unknownSubject(let section, let key, let subject):
            "[\(section)] \(key): this host has no \(subject), and a later rule would give more than this one"
        }
    }
}

/// All errors in a configuration file, ordered by line.
public struct ConfigurationErrors: Error, Hashable, Sendable, CustomStringConvertible {
    /// The errors; at least one.
    public var errors: [ConfigurationError]

    /// All errors, one on each line.
    public var description: String { errors.map(\.description).joined(separator: "\n") }
}
