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
    subscript(name: String) -> JSONValue? { members.first { $0.name == name }?.value }
}
