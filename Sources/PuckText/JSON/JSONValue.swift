/// A value of JSON, as it was written: numbers keep their text, members their order.
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// The number's text, valid by the grammar of RFC 8259; a Double may be too small for its magnitude.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// The number, if it is a finite one.
    public var double: Double? {
        guard case .number(let text) = self, let value = Double(text), value.isFinite else { return nil }
        return value
    }
    /// The text, if it is a string.
    public var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }
    /// The text, if it is a string that is short enough to be one of puckd's own words. Compare only these with words:
    /// Swift orders accents before it compares, which takes seconds for thousands of them on one letter.
    public var word: String? { string.flatMap { $0.utf8.count <= Self.longestWord ? $0 : nil } }

    /// More bytes than the longest word of the protocol has.
    private static let longestWord = 64

    /// The truth, if it is `true` or `false`.
    public var bool: Bool? {
        guard case .bool(let truth) = self else { return nil }
        return truth
    }
    /// The elements, if it is an array.
    public var array: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }
    /// The members, if it is an object.
    public var object: JSONObject? {
        guard case .object(let members) = self else { return nil }
        return members
    }
    /// What it is, in words for a message.
    public var kind: String {
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

/// An object's members, in the order in which they were written.
public struct JSONObject: Hashable, Sendable {
    /// One name and its value.
    public struct Member: Hashable, Sendable {
        /// The name, without escapes.
        public let name: String
        /// The value.
        public let value: JSONValue

        /// A member.
        public init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }
    /// The members, in order; a name may be there twice.
    public var members: [Member]

    /// An object of these members.
    public init(members: [Member] = []) { self.members = members }

    /// The value of the first member of that name.
    public subscript(name: String) -> JSONValue? { members.first { isSameName($0.name, name) }?.value }
}

/// Whether two names are the same, byte by byte (RFC 8259, section 8.3). It never compares the accents of a long name, as
/// Swift's own comparison would, for seconds.
public func isSameName(_ a: String, _ b: String) -> Bool {
    a.utf8.count == b.utf8.count && a.utf8.elementsEqual(b.utf8)
}

/// A name as its bytes, to look for it among many. (see `isSameName`)
public struct ByteName: Hashable, Sendable {
    /// The name.
    public let text: String

    /// The name `text`.
    public init(text: String) { self.text = text }

    /// Whether both have the same bytes.
    public static func == (a: ByteName, b: ByteName) -> Bool { isSameName(a.text, b.text) }

    /// Feeds the bytes to `hasher`.
    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
