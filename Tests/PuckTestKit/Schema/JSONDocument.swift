import FoundationEssentials

/// A JSON document, parsed by Foundation instead of the code under test.
public indirect enum JSONDocument: Hashable, Decodable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number that a Double can hold.
    case number(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONDocument])
    /// An object.
    case object([String: JSONDocument])

    /// Parses a JSON text.
    public init(_ bytes: [UInt8]) throws { self = try JSONDecoder().decode(JSONDocument.self, from: Data(bytes)) }

    /// Decodes the document at the decoder's position.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .string(text)
        } else if let elements = try? value.decode([JSONDocument].self) {
            self = .array(elements)
        } else if let members = try? value.decode([String: JSONDocument].self) {
            self = .object(members)
        } else if let truth = try? value.decode(Bool.self) {
            self = .bool(truth)
        } else if value.decodeNil() {
            self = .null
        } else {
            throw KitError("JSON that Foundation can't read, such as a number past all bounds")
        }
    }

    /// The member with this name; nil if there is none, or this is not an object.
    public subscript(name: String) -> JSONDocument? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }
    /// The names of the members; empty if this is not an object.
    public var names: Set<String> {
        guard case .object(let members) = self else { return [] }
        return Set(members.keys)
    }
    /// The elements; empty if this is not an array.
    public var elements: [JSONDocument] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }
    /// The text; nil if this is not a string.
    public var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }
    /// The value; nil if this is not a number.
    public var number: Double? {
        guard case .number(let number) = self else { return nil }
        return number
    }
}
