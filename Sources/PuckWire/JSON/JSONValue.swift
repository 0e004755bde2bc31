/// A value of JSON, as it was written: numbers keep their text, members their order.
enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// The number's text, valid by the grammar of RFC 8259; its magnitude may be past what a Double holds.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// The number, where it is one and finite.
    var double: Double? {
        guard case .number(let text) = self, let value = Double(text), value.isFinite else { return nil }
        return value
    }
    /// The text, where it is a string.
    var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }
    /// The text, where it is a string that is short enough to be one of puckd's own words. Only such a one is compared with
    /// them: Swift compares texts after putting accents into an order, which for thousands of them on one letter takes seconds.
    var word: String? { string.flatMap { $0.utf8.count <= Self.longestWord ? $0 : nil } }

    /// Bytes of the longest word of the protocol, and some.
    private static let longestWord = 64

    /// The truth, where it is `true` or `false`.
    var bool: Bool? {
        guard case .bool(let truth) = self else { return nil }
        return truth
    }
    /// The elements, where it is an array.
    var array: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }
    /// The members, where it is an object.
    var object: JSONObject? {
        guard case .object(let members) = self else { return nil }
        return members
    }
    /// What it is, in words for a message.
    var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// An object's members in the order they were written.
struct JSONObject: Hashable, Sendable {
    /// One name and its value.
    struct Member: Hashable, Sendable {
        let name: String
        let value: JSONValue
    }
    var members: [Member] = []

    /// The value of the first member of that name.
    subscript(name: String) -> JSONValue? { members.first { isSameName($0.name, name) }?.value }
}

/// Whether two names are the same, byte by byte (RFC 8259, section 8.3). One of them is ours, and short: so a long one, on
/// whose accents Swift's own comparison could spend seconds, is never compared.
func isSameName(_ a: String, _ b: String) -> Bool { a.utf8.count == b.utf8.count && a.utf8.elementsEqual(b.utf8) }

/// A name as its bytes, to look for it among many. (see `isSameName`)
struct ByteName: Hashable {
    let text: String

    static func == (a: ByteName, b: ByteName) -> Bool { isSameName(a.text, b.text) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
