/// Reads one JSON text (RFC 8259) whole and strictly, into a value.
///
/// It is puckd's own because a daemon that explains what is wrong with a request needs more than FoundationEssentials'
/// JSONDecoder gives: a number's text (ids are echoed exactly), duplicate names, trailing commas and byte-order marks
/// (which that one accepts), and the place of a fault. Its time is in proportion to the text, however deeply nested.
public struct JSONParser {
    /// What the grammar allows, but has no certain meaning.
    public enum Flaw: Hashable, Sendable {
        /// An object, maybe the outermost one, has two members of this name.
        case duplicateName(String, isOutermost: Bool)
        /// More containers within one another than the parser's depth; it does not keep the inner ones.
        case tooDeep
        /// A `\u` escape of half a surrogate pair.
        case loneSurrogate
    }
    /// A container that is not closed yet: its members are on the two stacks from these places on.
    private struct Container {
        let isObject: Bool
        let firstValue: Int
        let firstName: Int
    }

    private var lexer: JSONLexer
    private let depth: Int
    private var flaw: Flaw?
    private var open: [Container] = []
    private var values: [JSONValue] = []
    private var names: [String] = []

    private init(_ text: UnsafeBufferPointer<UInt8>, depth: Int) {
        lexer = JSONLexer(text, .strict)
        self.depth = depth
    }

    /// The value that `text`, valid UTF-8, is, and the first flaw in it. `depth` is how many containers may be within one
    /// another.
    public static func parse(_ text: [UInt8], depth: Int) throws(JSONFault) -> (value: JSONValue, flaw: Flaw?) {
        // A closure does not carry a typed throw through here in Swift 6.0.
        let result = text.withUnsafeBufferPointer { text -> Result<(JSONValue, Flaw?), JSONFault> in
            var parser = JSONParser(text, depth: depth)
            do throws(JSONFault) { return .success((try parser.whole(), parser.flaw)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    private mutating func whole() throws(JSONFault) -> JSONValue {
        // Not recursive: a client's nesting must not be able to use up the stack.
        while true {
            lexer.skipSpace()
            guard var value = try scalarOrOpening() else { continue }
            while let container = open.last {
                values.append(value)
                lexer.skipSpace()
                if lexer.takeIf(",") {
                    if container.isObject { try memberName() }
                    break
                }
                guard lexer.takeIf(container.isObject ? "}" : "]") else {
                    throw lexer.fault(container.isObject ? "',' or '}'" : "',' or ']'")
                }
                value = close(container)
            }
            if open.isEmpty {
                try lexer.end()
                return value
            }
        }
    }

    /// Returns a scalar or an empty container, or opens a container and returns nil.
    private mutating func scalarOrOpening() throws(JSONFault) -> JSONValue? {
        if lexer.takeIf("[") {
            lexer.skipSpace()
            if lexer.takeIf("]") { return .array([]) }
            open.append(Container(isObject: false, firstValue: values.count, firstName: names.count))
            return nil
        }
        if lexer.takeIf("{") {
            lexer.skipSpace()
            if lexer.takeIf("}") { return .object(JSONObject()) }
            open.append(Container(isObject: true, firstValue: values.count, firstName: names.count))
            try memberName()
            return nil
        }
        if lexer.peek == UInt8(ascii: "\"") { return .string(try string()) }
        return lexer.isAtNumber ? .number(text(of: try lexer.number())) : try word()
    }

    /// Takes the innermost container's members off the stacks and makes its value of them.
    private mutating func close(_ container: Container) -> JSONValue {
        let level = open.count
        open.removeLast()
        defer {
            values.removeLast(values.count - container.firstValue)
            names.removeLast(names.count - container.firstName)
        }
        guard level <= depth else {
            if flaw == nil { flaw = .tooDeep }
            return .null
        }
        let elements = values[container.firstValue...]
        guard container.isObject else { return .array(Array(elements)) }
        let members = zip(names[container.firstName...], elements).map { JSONObject.Member(name: $0, value: $1) }
        var seen: Set<ByteName> = []
        for member in members where !seen.insert(ByteName(text: member.name)).inserted {
            if flaw == nil { flaw = .duplicateName(member.name, isOutermost: level == 1) }
        }
        return .object(JSONObject(members: members))
    }

    private mutating func memberName() throws(JSONFault) {
        lexer.skipSpace()
        guard lexer.peek == UInt8(ascii: "\"") else { throw lexer.fault("a name in double quotes") }
        let name = try string()
        lexer.skipSpace()
        try lexer.expect(":", "':'")
        names.append(name)
    }

    private mutating func string() throws(JSONFault) -> String {
        let token = try lexer.string()
        guard token.hasEscapes else { return text(of: token.place) }
        let (text, hasLoneSurrogate) = unescaped(lexer.text[token.place])
        if hasLoneSurrogate, flaw == nil { flaw = .loneSurrogate }
        return text
    }

    private mutating func word() throws(JSONFault) -> JSONValue {
        let start = lexer.position
        let place = try lexer.word()
        if lexer.text.says("true", in: place) { return .bool(true) }
        if lexer.text.says("false", in: place) { return .bool(false) }
        if lexer.text.says("null", in: place) { return .null }
        throw JSONFault(offset: start, expected: "a value")
    }

    private func text(of place: Range<Int>) -> String { String(decoding: lexer.text[place], as: UTF8.self) }
}
