/// What is wrong with a text that should be a JSON object, and where.
struct JSONFault: Error, Hashable, CustomStringConvertible {
    let expected: String
    /// Bytes from the start of the line.
    let offset: Int
    var description: String { "\(expected) expected at byte \(offset + 1)" }
}

/// The kinds of a JSON value, with all words as one: true, false and null, and what gpsd has printed for lack of a
/// number (nan, inf).
enum JSONKind: Hashable {
    case string, number, object, array, word
}

/// A member of an object: where its key and its value stand. Both ranges leave out the quotes of a string.
struct JSONMember: Hashable {
    var key: Range<Int>
    var value: Range<Int>
    var kind: JSONKind
}

/// Reads one line of JSON just far enough to know that it is whole, and where the members of an object stand. It is
/// bounded in depth, in members, and in the size of a number; what it accepts, libgps can be given.
struct JSONScanner {
    private let text: UnsafeBufferPointer<UInt8>
    private var position: Int

    /// Objects and arrays within each other: gpsd's deepest has 3.
    static let deepest = 8
    /// Members of one object: gpsd's TPV has up to about 60.
    static let mostMembers = 256
    /// Characters of a number. libgps (3.22) keeps 512, and gpsd prints at most about 20.
    static let longestNumber = 64
    /// Digits of an exponent: libgps (3.22) reads it into an `int` unchecked, and runs off a table once that overflows.
    static let longestExponent = 4

    /// A scanner of `text` from `start` on.
    init(_ text: UnsafeBufferPointer<UInt8>, at start: Int = 0) {
        self.text = text
        position = start
    }

    /// The members of the object that is the whole text, into `members`.
    mutating func wholeObject(into members: inout [JSONMember]) throws(JSONFault) {
        try object(into: &members)
        skipSpace()
        guard position == text.count else { throw fault("the end of the line") }
    }

    /// The members of the object that begins here, into `members`.
    mutating func object(into members: inout [JSONMember]) throws(JSONFault) {
        members.removeAll(keepingCapacity: true)
        skipSpace()
        try expect("{")
        skipSpace()
        if takeIf("}") { return }
        repeat {
            guard members.count < JSONScanner.mostMembers else {
                throw fault("no more than \(JSONScanner.mostMembers) members")
            }
            members.append(try member(depth: 1))
        } while try another(before: "}")
    }

    /// Where the elements of the array that begins here stand.
    mutating func elements(atMost limit: Int) throws(JSONFault) -> [JSONMember] {
        var found: [JSONMember] = []
        try expect("[")
        skipSpace()
        if takeIf("]") { return found }
        repeat {
            skipSpace()
            guard found.count < limit else { throw fault("no more than \(limit) elements") }
            let (value, kind) = try value(depth: 1)
            found.append(JSONMember(key: 0..<0, value: value, kind: kind))
        } while try another(before: "]")
        return found
    }

    // MARK: the grammar (RFC 8259)

    private mutating func member(depth: Int) throws(JSONFault) -> JSONMember {
        skipSpace()
        let key = try string()
        skipSpace()
        try expect(":")
        skipSpace()
        let (value, kind) = try value(depth: depth)
        return JSONMember(key: key, value: value, kind: kind)
    }

    /// Whether a comma comes, and so one more; else takes the bracket that ends the list.
    private mutating func another(before end: Unicode.Scalar) throws(JSONFault) -> Bool {
        skipSpace()
        if takeIf(",") { return true }
        guard takeIf(end) else { throw fault("“,” or “\(end)”") }
        return false
    }

    private mutating func value(depth: Int) throws(JSONFault) -> (Range<Int>, JSONKind) {
        guard let first = peek else { throw fault("a value") }
        switch first {
        case UInt8(ascii: "\""): return (try string(), .string)
        case UInt8(ascii: "{"): return (try nested(in: "{", "}", depth: depth), .object)
        case UInt8(ascii: "["): return (try nested(in: "[", "]", depth: depth), .array)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            if first == UInt8(ascii: "-"), position + 1 < text.count, isLetter(text[position + 1]) { fallthrough }
            return (try number(), .number)
        default: return (try word(), .word)
        }
    }

    private mutating func nested(
        in open: Unicode.Scalar, _ close: Unicode.Scalar, depth: Int
    ) throws(JSONFault) -> Range<Int> {
        let start = position
        guard depth < JSONScanner.deepest else { throw fault("no more than \(JSONScanner.deepest) levels") }
        try expect(open)
        skipSpace()
        if takeIf(close) { return start..<position }
        repeat {
            if open == "{" {
                _ = try member(depth: depth + 1)
            } else {
                skipSpace()
                _ = try value(depth: depth + 1)
            }
        } while try another(before: close)
        return start..<position
    }

    private mutating func string() throws(JSONFault) -> Range<Int> {
        try expect("\"")
        let start = position
        while true {
            position = try endOfPlain(from: position)
            guard let byte = peek else { throw fault("the end of a string") }
            position += 1
            if byte == UInt8(ascii: "\"") { return start..<(position - 1) }
            try escape()
        }
    }

    /// Where the characters that stand for themselves end: at a quote, a backslash, or the end of the text.
    private func endOfPlain(from start: Int) throws(JSONFault) -> Int {
        var i = start
        while i < text.count {
            let byte = text[i]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            guard byte >= 0x20 else { throw JSONFault(expected: "no control character in a string", offset: i) }
            i += 1
        }
        return i
    }

    private mutating func escape() throws(JSONFault) {
        guard let byte = peek else { throw fault("an escaped character") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return
        case UInt8(ascii: "u"):
            for _ in 0..<4 {
                guard let digit = peek, hexValue(digit) != nil else { throw fault("a hexadecimal digit") }
                position += 1
            }
        default: throw fault("an escape of JSON")
        }
    }

    private mutating func number() throws(JSONFault) -> Range<Int> {
        let start = position
        _ = takeIf("-")
        try digits()
        if takeIf(".") { try digits() }
        if takeIf("e") || takeIf("E") {
            if !takeIf("+") { _ = takeIf("-") }
            let exponent = position
            try digits()
            guard position - exponent <= JSONScanner.longestExponent else {
                throw fault("an exponent of at most \(JSONScanner.longestExponent) digits")
            }
        }
        guard position - start <= JSONScanner.longestNumber else {
            throw fault("a number of at most \(JSONScanner.longestNumber) characters")
        }
        return start..<position
    }

    private mutating func digits() throws(JSONFault) {
        var end = position
        while end < text.count, text[end] &- UInt8(ascii: "0") <= 9 { end += 1 }
        guard end > position else { throw fault("a digit") }
        position = end
    }

    private mutating func word() throws(JSONFault) -> Range<Int> {
        let start = position
        if !takeIf("-") { _ = takeIf("+") }
        while let byte = peek, isLetter(byte) { position += 1 }
        guard position > start else { throw fault("a value") }
        return start..<position
    }

    // MARK: bytes

    @inline(__always)
    private var peek: UInt8? { position < text.count ? text[position] : nil }

    @inline(__always)
    private mutating func skipSpace() {
        // gpsd writes none: one look is enough for it.
        while position < text.count, text[position] <= 0x20, isSpace(text[position]) { position += 1 }
    }

    @inline(__always)
    private mutating func takeIf(_ character: Unicode.Scalar) -> Bool {
        guard position < text.count, UInt32(text[position]) == character.value else { return false }
        position += 1
        return true
    }

    @inline(__always)
    private mutating func expect(_ character: Unicode.Scalar) throws(JSONFault) {
        guard takeIf(character) else { throw fault(character) }
    }

    private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) }

    private func isLetter(_ byte: UInt8) -> Bool {
        (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z")
    }

    private func fault(_ expected: Unicode.Scalar) -> JSONFault { fault("“\(expected)”") }
    private func fault(_ expected: String) -> JSONFault { JSONFault(expected: expected, offset: position) }
}

/// The value of a hexadecimal digit.
func hexValue(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A")) + 10
    default: nil
    }
}
