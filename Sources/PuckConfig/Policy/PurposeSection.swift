/// The settings of a section `[purpose KEY]`, collected one at a time.
struct PurposeSection {
    enum Field: String, CaseIterable {
        case description, seconds, allow

        var expected: String {
            switch self {
            case .description: "a sentence that explains to people why the precise location is needed"
            case .seconds: "a number of seconds from 1 to 86400"
            case .allow: "one or more of \(NamedSubject.expected)"
            }
        }
        var example: String {
            switch self {
            case .description: "Show rescuers where the boat is"
            case .seconds: "600"
            case .allow: "group:crew"
            }
        }
    }

    /// The form of the section's name, for errors.
    static let form = "purpose KEY"
    /// The maximum length of a key in bytes, as in docs/protocol.md.
    static let longestKey = 64
    /// The maximum duration of a grant in seconds: one day, because no purpose needs precise accuracy for longer at a
    /// time.
    private static let longestGrant = 86_400.0

    let key: String
    private var description: String?
    private var seconds: Double?
    private var allowed: [NamedSubject]?

    init(key: String) { self.key = key }

    /// Returns the key in a section's name, possibly empty or invalid; nil if the section is not a purpose.
    static func key(of section: String) -> String? {
        let words = section.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard words.first == "purpose" else { return nil }
        return words.count == 2 ? words[1].trimmingPrefixBlanks : ""
    }

    static func isKey(_ text: String) -> Bool {
        (1...longestKey).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { scalar in
                scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains(scalar))
            }
    }

    mutating func set(_ field: Field, _ value: String) -> Bool {
        switch field {
        case .description:
            guard !value.isEmpty else { return false }
            description = value
        case .seconds:
            guard let number = Double(value), (1...Self.longestGrant).contains(number) else { return false }
            seconds = number
        case .allow:
            let words = value.split(whereSeparator: { $0 == " " || $0 == "\t" })
            let subjects = words.compactMap { NamedSubject($0) }
            guard !subjects.isEmpty, subjects.count == words.count else { return false }
            allowed = subjects
        }
        return true
    }

    /// The purpose, once all settings are present.
    var complete: NamedPolicy.Purpose? {
        guard let description, let seconds, let allowed else { return nil }
        return NamedPolicy.Purpose(key: key, description: description, seconds: seconds, allowed: allowed)
    }
}

extension Substring {
    fileprivate var trimmingPrefixBlanks: String { String(drop { $0 == " " || $0 == "\t" }) }
}
