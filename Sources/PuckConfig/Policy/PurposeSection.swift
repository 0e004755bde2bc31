/// A section `[purpose KEY]` on the way to a purpose.
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

    /// How such a section is written.
    static let form = "purpose KEY"
    /// The longest purpose that a request may name, in bytes. (docs/protocol.md)
    static let longestKey = 64
    /// Nobody needs to see somebody precisely for longer than a day at a time, seconds.
    private static let longestGrant = 86_400.0

    let key: String
    private var description: String?
    private var seconds: Double?
    private var allowed: [NamedSubject]?

    init(key: String) { self.key = key }

    /// The key of a section of that name, as far as it is one; nil for other sections.
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

    /// The purpose, once all of it is set.
    var complete: NamedPolicy.Purpose? {
        guard let description, let seconds, let allowed else { return nil }
        return NamedPolicy.Purpose(key: key, description: description, seconds: seconds, allowed: allowed)
    }
}

extension Substring {
    fileprivate var trimmingPrefixBlanks: String { String(drop { $0 == " " || $0 == "\t" }) }
}
