/// The kinds of a JSON value. Words are one kind: true, false and null, and nan and inf, which gpsd has printed.
public enum JSONKind: Hashable, Sendable {
    case string, number, object, array, word
}

/// A member of an object: the places of its key and of its value. Both leave out the quotes of a string.
public struct JSONMember: Hashable, Sendable {
    /// The key's place; empty for an element of an array.
    public var key: Range<Int>
    /// The value's place.
    public var value: Range<Int>
    /// The value's kind.
    public var kind: JSONKind
}

/// Checks one line of JSON, and finds the members of an object in it, without making values of them. It is bounded in
/// depth, in members, and in the size of a number, so libgps can be given whatever it accepts.
public struct JSONScanner {
    private var lexer: JSONLexer

    /// Objects and arrays within one another: gpsd's deepest line has 3.
    static let deepest = 8
    /// Members of one object: gpsd's TPV has up to about 60.
    static let mostMembers = 256

    /// A scanner of `text` from `start` on.
    public init(_ text: UnsafeBufferPointer<UInt8>, at start: Int = 0) { lexer = JSONLexer(text, at: start, .lenient) }

    /// Puts the members of the object that is the whole text into `members`.
    public mutating func wholeObject(into members: inout [JSONMember]) throws(JSONFault) {
        try object(into: &members)
        try lexer.end()
    }

    /// Puts the members of the object that begins here into `members`.
    public mutating func object(into members: inout [JSONMember]) throws(JSONFault) {
        members.removeAll(keepingCapacity: true)
        lexer.skipSpace()
        try lexer.expect("{", "'{'")
        lexer.skipSpace()
        if lexer.takeIf("}") { return }
        repeat {
            guard members.count < JSONScanner.mostMembers else {
                throw lexer.fault("at most \(JSONScanner.mostMembers) members")
            }
            members.append(try member(depth: 1))
        } while try another(before: "}")
    }

    /// The places of the elements of the array that begins here; throws if there are more than `limit`.
    public mutating func elements(atMost limit: Int) throws(JSONFault) -> [JSONMember] {
        var found: [JSONMember] = []
        try lexer.expect("[", "'['")
        lexer.skipSpace()
        if lexer.takeIf("]") { return found }
        repeat {
            lexer.skipSpace()
            guard found.count < limit else { throw lexer.fault("at most \(limit) elements") }
            let (value, kind) = try value(depth: 1)
            found.append(JSONMember(key: 0..<0, value: value, kind: kind))
        } while try another(before: "]")
        return found
    }

    private mutating func member(depth: Int) throws(JSONFault) -> JSONMember {
        lexer.skipSpace()
        let key = try lexer.string().place
        lexer.skipSpace()
        try lexer.expect(":", "':'")
        lexer.skipSpace()
        let (value, kind) = try value(depth: depth)
        return JSONMember(key: key, value: value, kind: kind)
    }

    /// Takes a comma, or the bracket that ends the list. Returns whether one more follows.
    private mutating func another(before end: Unicode.Scalar) throws(JSONFault) -> Bool {
        lexer.skipSpace()
        if lexer.takeIf(",") { return true }
        guard lexer.takeIf(end) else { throw lexer.fault("',' or '\(end)'") }
        return false
    }

    private mutating func value(depth: Int) throws(JSONFault) -> (Range<Int>, JSONKind) {
        guard let first = lexer.peek else { throw lexer.fault("a value") }
        switch first {
        case UInt8(ascii: "\""): return (try lexer.string().place, .string)
        case UInt8(ascii: "{"): return (try nested(in: "{", "}", depth: depth), .object)
        case UInt8(ascii: "["): return (try nested(in: "[", "]", depth: depth), .array)
        default: return lexer.isAtNumber ? (try lexer.number(), .number) : (try lexer.word(), .word)
        }
    }

    private mutating func nested(
        in open: Unicode.Scalar, _ close: Unicode.Scalar, depth: Int
    ) throws(JSONFault) -> Range<Int> {
        let start = lexer.position
        guard depth < JSONScanner.deepest else { throw lexer.fault("at most \(JSONScanner.deepest) levels") }
        try lexer.expect(open, "'\(open)'")
        lexer.skipSpace()
        if lexer.takeIf(close) { return start..<lexer.position }
        repeat {
            if open == "{" {
                _ = try member(depth: depth + 1)
            } else {
                lexer.skipSpace()
                _ = try value(depth: depth + 1)
            }
        } while try another(before: close)
        return start..<lexer.position
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the bytes of `range` are just `word`.
    @inlinable
    public func says(_ word: StaticString, in range: Range<Int>) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        for index in 0..<range.count where self[range.lowerBound + index] != word.utf8Start[index] { return false }
        return true
    }

    /// The string whose JSON is in `range`, without its quotes; what is not UTF-8 becomes U+FFFD.
    public func string(in range: Range<Int>) -> String {
        let raw = self[range]
        return raw.contains(UInt8(ascii: "\\")) ? unescaped(raw).text : String(decoding: raw, as: UTF8.self)
    }
}
