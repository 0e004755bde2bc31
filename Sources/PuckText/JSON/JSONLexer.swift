/// Reads the tokens of one JSON text, one after the other.
///
/// The readers that are built on it differ in what they keep: `JSONParser` keeps values, `JSONScanner` only their places.
struct JSONLexer {
    /// How strictly tokens are read.
    enum Dialect {
        /// RFC 8259.
        case strict
        /// RFC 8259 and what gpsd has printed beyond it: nan, inf, leading zeros, any white space. Numbers have bounds
        /// here, because libgps has them: it reads an exponent into an `int` unchecked.
        case lenient
    }
    /// The place of a string, without its quotes.
    typealias StringToken = (place: Range<Int>, hasEscapes: Bool)

    /// Characters of a number in the lenient dialect. libgps (3.22) keeps 512, and gpsd prints at most about 20.
    static let longestNumber = 64
    /// Digits of an exponent in the lenient dialect.
    static let longestExponent = 4

    let text: UnsafeBufferPointer<UInt8>
    private(set) var position: Int
    private let dialect: Dialect

    /// A lexer of `text` from `start` on.
    init(_ text: UnsafeBufferPointer<UInt8>, at start: Int = 0, _ dialect: Dialect) {
        self.text = text
        self.dialect = dialect
        position = start
    }

    // MARK: tokens

    mutating func string() throws(JSONFault) -> StringToken {
        try expect("\"", "'\"'")
        let start = position
        var hasEscapes = false
        while true {
            position = try endOfPlain(from: position)
            guard let byte = peek else { throw fault("'\"'") }
            position += 1
            if byte == UInt8(ascii: "\"") { return (start..<(position - 1), hasEscapes) }
            hasEscapes = true
            try escape()
        }
    }

    /// Where the characters without escapes end: at a quote, a backslash, or the end of the text.
    private func endOfPlain(from start: Int) throws(JSONFault) -> Int {
        var i = start
        while i < text.count {
            let byte = text[i]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            guard byte >= 0x20 else { throw JSONFault(offset: i, expected: "control characters as escapes") }
            i += 1
        }
        return i
    }

    private mutating func escape() throws(JSONFault) {
        guard let byte = peek else { throw fault("an escape") }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 1
        case UInt8(ascii: "u"):
            position += 1
            for _ in 0..<4 {
                guard let digit = peek, hexValue(digit) != nil else { throw fault("four hexadecimal digits") }
                position += 1
            }
        default: throw fault(#"one of the escapes \" \\ \/ \b \f \n \r \t \u"#)
        }
    }

    mutating func number() throws(JSONFault) -> Range<Int> {
        let start = position
        skip("-")
        if dialect == .lenient || !takeIf("0") { try digits(orElse: position == start ? "a value" : "a digit") }
        if takeIf(".") { try digits() }
        if takeIf("e") || takeIf("E") { try exponent() }
        guard dialect == .strict || position - start <= JSONLexer.longestNumber else {
            throw fault("a number of at most \(JSONLexer.longestNumber) characters")
        }
        return start..<position
    }

    private mutating func exponent() throws(JSONFault) {
        if !takeIf("+") { skip("-") }
        let start = position
        try digits()
        guard dialect == .strict || position - start <= JSONLexer.longestExponent else {
            throw fault("an exponent of at most \(JSONLexer.longestExponent) digits")
        }
    }

    private mutating func digits(orElse expected: String = "a digit") throws(JSONFault) {
        var end = position
        while end < text.count, text[end] &- UInt8(ascii: "0") <= 9 { end += 1 }
        guard end > position else { throw fault(expected) }
        position = end
    }

    /// A word such as `true`; in the lenient dialect also `-nan`.
    mutating func word() throws(JSONFault) -> Range<Int> {
        let start = position
        if dialect == .lenient, !takeIf("-") { skip("+") }
        let letters = position
        while let byte = peek, JSONLexer.isLetter(byte) { position += 1 }
        guard position > letters else {
            position = start
            throw fault("a value")
        }
        return start..<position
    }

    /// Whether a number begins here, rather than a word.
    var isAtNumber: Bool {
        guard let first = peek else { return false }
        guard first == UInt8(ascii: "-"), dialect == .lenient, position + 1 < text.count else {
            return first == UInt8(ascii: "-") || first &- UInt8(ascii: "0") <= 9
        }
        return !JSONLexer.isLetter(text[position + 1])
    }

    // MARK: bytes

    @inline(__always)
    var peek: UInt8? { position < text.count ? text[position] : nil }

    @inline(__always)
    mutating func skipSpace() {
        // gpsd writes none: one look is enough for it.
        while position < text.count, text[position] <= 0x20, isSpace(text[position]) { position += 1 }
    }

    /// Takes the character if it comes next. Returns whether it did.
    @inline(__always)
    mutating func takeIf(_ character: Unicode.Scalar) -> Bool {
        guard position < text.count, UInt32(text[position]) == character.value else { return false }
        position += 1
        return true
    }

    @inline(__always)
    private mutating func skip(_ character: Unicode.Scalar) { _ = takeIf(character) }

    @inline(__always)
    mutating func expect(_ character: Unicode.Scalar, _ expected: @autoclosure () -> String) throws(JSONFault) {
        guard takeIf(character) else { throw fault(expected()) }
    }

    /// Throws unless the text ends here.
    mutating func end() throws(JSONFault) {
        skipSpace()
        guard position == text.count else { throw fault("nothing after the value") }
    }

    func fault(_ expected: String) -> JSONFault { JSONFault(offset: position, expected: expected) }

    private func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D || (dialect == .lenient && 0x0B...0x0C ~= byte)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z")
    }
}
