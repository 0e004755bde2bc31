/// Reads one JSON text (RFC 8259), all of it, strictly.
///
/// It is our own because a daemon that says what is wrong with a request has to know more than FoundationEssentials'
/// JSONDecoder tells: a number's text (ids are echoed exactly), names that stand twice, a trailing comma or a byte-order
/// mark (which that one lets pass), and where the text goes wrong. It also takes a time in proportion to the text, nested
/// however deep; 400 nested arrays, 800 bytes, held up that one for a fifth of a second.
struct JSONParser {
    /// A text that is not JSON.
    struct SyntaxError: Error, Equatable {
        /// Counted in bytes from 0.
        let offset: Int
        /// What should have stood there.
        let expected: String
    }
    /// What is JSON by its grammar, but means nothing certain.
    enum Flaw: Hashable {
        /// An object, maybe the outermost one, has two members of this name.
        case duplicateName(String, isOutermost: Bool)
        /// More containers within one another than `WireLimits.depth`; those further in are not kept.
        case tooDeep
        /// A `\u` escape of half a surrogate pair.
        case loneSurrogate

        /// Whether a request has two ids.
        var isDuplicateID: Bool {
            if case .duplicateName(let name, isOutermost: true) = self { isSameName(name, "id") } else { false }
        }
    }
    /// A container that is not closed yet: its members lie on the two stacks from here on.
    private struct Container {
        let isObject: Bool
        let firstValue: Int
        let firstName: Int
    }

    /// The first flaw met.
    private(set) var flaw: Flaw?
    private let bytes: [UInt8]
    private var offset = 0
    private var open: [Container] = []
    private var values: [JSONValue] = []
    private var names: [String] = []

    /// A parser of `bytes`, which are valid UTF-8.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The value that the whole text is.
    mutating func parse() throws(SyntaxError) -> JSONValue {
        // Not recursive: a client's nesting must not be able to use up the stack.
        while true {
            skipWhitespace()
            guard var value = try scalarOrOpening() else { continue }
            while let container = open.last {
                values.append(value)
                skipWhitespace()
                if skip(UInt8(ascii: ",")) {
                    if container.isObject { try memberName() }
                    break
                }
                guard skip(container.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    throw error(container.isObject ? "',' or '}'" : "',' or ']'")
                }
                value = close(container)
            }
            if open.isEmpty {
                skipWhitespace()
                guard offset == bytes.count else { throw error("nothing after the value") }
                return value
            }
        }
    }

    /// Reads a scalar or an empty container and gives it; or opens a container and gives nil.
    private mutating func scalarOrOpening() throws(SyntaxError) -> JSONValue? {
        switch peek {
        case UInt8(ascii: "["):
            offset += 1
            skipWhitespace()
            if skip(UInt8(ascii: "]")) { return .array([]) }
            open.append(Container(isObject: false, firstValue: values.count, firstName: names.count))
            return nil
        case UInt8(ascii: "{"):
            offset += 1
            skipWhitespace()
            if skip(UInt8(ascii: "}")) { return .object(JSONObject()) }
            open.append(Container(isObject: true, firstValue: values.count, firstName: names.count))
            try memberName()
            return nil
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: return .number(try number())
        }
    }

    /// Takes the innermost container's members off the stacks and makes its value of them.
    private mutating func close(_ container: Container) -> JSONValue {
        let depth = open.count
        open.removeLast()
        defer {
            values.removeLast(values.count - container.firstValue)
            names.removeLast(names.count - container.firstName)
        }
        guard depth <= WireLimits.depth else {
            if flaw == nil { flaw = .tooDeep }
            return .null
        }
        let elements = values[container.firstValue...]
        guard container.isObject else { return .array(Array(elements)) }
        let members = zip(names[container.firstName...], elements).map { JSONObject.Member(name: $0, value: $1) }
        var seen: Set<ByteName> = []
        for member in members where !seen.insert(ByteName(text: member.name)).inserted {
            if flaw == nil { flaw = .duplicateName(member.name, isOutermost: depth == 1) }
        }
        return .object(JSONObject(members: members))
    }

    private mutating func memberName() throws(SyntaxError) {
        skipWhitespace()
        guard peek == UInt8(ascii: "\"") else { throw error("a name in double quotes") }
        let name = try string()
        skipWhitespace()
        guard skip(UInt8(ascii: ":")) else { throw error("':'") }
        names.append(name)
    }

    private mutating func literal(_ text: StaticString, _ value: JSONValue) throws(SyntaxError) -> JSONValue {
        let isThere = text.withUTF8Buffer { expected in
            bytes[offset...].starts(with: expected)
        }
        guard isThere else { throw error("a value") }
        offset += text.utf8CodeUnitCount
        return value
    }

    private mutating func number() throws(SyntaxError) -> String {
        let start = offset
        _ = skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) {
            guard skipDigits() else { throw error(offset == start ? "a value" : "a digit") }
        }
        if skip(UInt8(ascii: ".")) {
            guard skipDigits() else { throw error("a digit") }
        }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            guard skipDigits() else { throw error("a digit") }
        }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private mutating func string() throws(SyntaxError) -> String {
        offset += 1
        let start = offset
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                return String(decoding: bytes[start..<offset - 1], as: UTF8.self)
            case UInt8(ascii: "\\"): return try escapedString(from: start)
            case 0..<0x20: throw error("control characters as escapes")
            default: offset += 1
            }
        }
        throw error("'\"'")
    }

    /// The rest of a string from its first escape on.
    private mutating func escapedString(from start: Int) throws(SyntaxError) -> String {
        var text = Array(bytes[start..<offset])
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                offset += 1
                text.append(contentsOf: String(try escape()).utf8)
            case 0..<0x20: throw error("control characters as escapes")
            default:
                text.append(byte)
                offset += 1
            }
        }
        throw error("'\"'")
    }

    /// What follows a backslash.
    private mutating func escape() throws(SyntaxError) -> Unicode.Scalar {
        guard let byte = peek else { throw error("an escape") }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape()
        default:
            offset -= 1
            throw error("one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u")
        }
    }

    /// What follows `\u`: one escape, or a pair of them.
    private mutating func unicodeEscape() throws(SyntaxError) -> Unicode.Scalar {
        let first = try fourHexDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        let afterFirst = offset
        if UTF16.isLeadSurrogate(first), skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")) {
            let second = try fourHexDigits()
            if UTF16.isTrailSurrogate(second) {
                let pair = 0x10000 + (UInt32(first - 0xD800) << 10 | UInt32(second - 0xDC00))
                return Unicode.Scalar(pair) ?? "\u{FFFD}"
            }
        }
        offset = afterFirst
        if flaw == nil { flaw = .loneSurrogate }
        return "\u{FFFD}"
    }

    private mutating func fourHexDigits() throws(SyntaxError) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw error("four hexadecimal digits")
            }
            value = value << 4 | UInt16(digit)
            offset += 1
        }
        return value
    }

    private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        offset += 1
        return true
    }
    private mutating func skipDigits() -> Bool {
        let start = offset
        while let byte = peek, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { offset += 1 }
        return offset > start
    }
    private mutating func skipWhitespace() {
        while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { offset += 1 }
    }
    private func error(_ expected: String) -> SyntaxError { SyntaxError(offset: offset, expected: expected) }
}
