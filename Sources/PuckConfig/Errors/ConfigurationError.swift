/// One thing that is wrong with a configuration file.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file, as it was named.
    public var file: String
    /// The line, from 1.
    public var line: Int
    /// What is wrong there.
    public var problem: Problem

    /// What can be wrong.
    public enum Problem: Hashable, Sendable {
        /// Neither a setting, a section, nor a comment.
        case notASetting(text: String)
        /// A `[` without its `]`.
        case unclosedSection
        /// Something behind a section's `]` that is not a comment.
        case textAfterSection(text: String)
        /// A line that starts with a blank, which in other files would go on with the line before.
        case indented
        /// More bytes than a line may have.
        case lineTooLong(bytes: Int, limit: Int)
        /// Bytes that are not UTF-8 text, or a zero.
        case notText
        /// A setting before the first section.
        case outsideSection(key: String)
        /// A section that does not exist.
        case unknownSection(name: String, nearest: String?)
        /// A key that the section does not have.
        case unknownKey(section: String, key: String, nearest: String?)
        /// A section `[purpose KEY]` without a key, or with one that can't be asked by.
        case badPurposeKey(String)
        /// A key for the second time.
        case duplicateKey(section: String, key: String, firstLine: Int)
        /// A value that is not what the key takes.
        case badValue(section: String, key: String, value: String, expected: String, example: String)
        /// A section without a key that it needs.
        case missingKey(section: String, key: String, example: String)
        /// Two values that do not go together.
        case conflict(section: String, key: String, reason: String)
        /// A rule about somebody whom the host does not know, and that holds back what a later rule gives.
        case unknownSubject(section: String, key: String, subject: String)
    }

    /// File, line, place, and what was expected.
    public var description: String { "\(file):\(line): \(problem)" }
}

extension ConfigurationError.Problem: CustomStringConvertible {
    /// What is wrong, and what was expected.
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

/// All that is wrong with a configuration file, in the order of its lines.
public struct ConfigurationErrors: Error, Hashable, Sendable, CustomStringConvertible {
    /// At least one.
    public var errors: [ConfigurationError]

    /// One line for each.
    public var description: String { errors.map(\.description).joined(separator: "\n") }
}
