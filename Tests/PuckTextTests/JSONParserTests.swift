import Testing

@testable import PuckText

@Suite("JSON, strictly")
struct JSONParserTests {
    private let depth = 32

    private func parse(_ text: String) throws -> JSONValue {
        try JSONParser.parse(Array(text.utf8), depth: depth).value
    }
    private func flaw(_ text: String) throws -> JSONParser.Flaw? {
        try JSONParser.parse(Array(text.utf8), depth: depth).flaw
    }

    @Test(
        "values",
        arguments: [
            ("null", JSONValue.null), (" true\t", .bool(true)), ("false\r\n", .bool(false)),
            ("-0.5e+3", .number("-0.5e+3")), ("0", .number("0")), ("1E400", .number("1E400")),
            ("\"\"", .string("")), ("[]", .array([])), ("{}", .object(JSONObject())), ("[ ]", .array([])),
            ("[1,[2,[]],{}]", .array([.number("1"), .array([.number("2"), .array([])]), .object(JSONObject())])),
            (#""\"\\\/\b\f\n\r\té\uD83D\uDE00\u0000é""#, .string("\"\\/\u{8}\u{C}\n\r\té\u{1F600}\u{0}é")),
            ("\"\u{7F}\u{2028}\"", .string("\u{7F}\u{2028}")),
        ])
    func values(text: String, value: JSONValue) throws {
        #expect(try parse(text) == value)
    }

    @Test("members keep their order, numbers their text")
    func members() throws {
        let value = try parse(#"{"b":1.50,"a":{"c":[true]},"":null}"#)
        #expect(value.object?.members.map(\.name) == ["b", "a", ""])
        #expect(value.object?["b"] == .number("1.50"))
        #expect(value.object?["a"]?.object?["c"] == .array([.bool(true)]))
        #expect(value.object?["x"] == nil)
    }

    @Test(
        "what is not JSON",
        arguments: [
            "", " ", "nul", "nullx", "tru", "True", "NaN", "Infinity", "-Infinity", "-", "+1", "01", "-01", "1.", ".5",
            "1e",
            "1e+", "0x10", "1_000", "'a'", "\"", "\"a", "\"\\\"", "\"\\x\"", "\"\\u12\"", "\"\\u12G4\"",
            "\"\\uD83D\\u12\"",
            "\"\t\"", "\"\u{0}\"", "\"\u{1F}\"", "[", "]", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1}", "{", "}",
            "{\"a\"", "{\"a\":",
            "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{,}", "{a:1}", "{\"a\" 1}", "{\"a\":1]", "{1:2}",
            "{\"a\":1 \"b\":2}", "1 2", "{}{}",
            "{} x", "// c\n1", "\u{FEFF}1", "\u{A0}1", "\u{0}", "1\u{0}",
        ])
    func notJSON(text: String) {
        #expect(throws: JSONFault.self) { try parse(text) }
    }

    @Test("an error says where, and what should stand there")
    func errors() {
        #expect(throws: JSONFault(offset: 7, expected: "a name in double quotes")) {
            try parse(#"{"a":1,}"#)
        }
        #expect(throws: JSONFault(offset: 3, expected: "a digit")) { try parse("[1.]") }
        #expect(throws: JSONFault(offset: 2, expected: "nothing after the value")) { try parse("{}{}") }
    }

    @Test("what is JSON, but means nothing certain")
    func flaws() throws {
        #expect(try flaw(#"{"a":1,"b":{"a":2}}"#) == nil)
        #expect(try flaw(#"{"a":1,"\u0061":2}"#) == .duplicateName("a", isOutermost: true))
        #expect(try flaw(#"{"b":{"a":1,"a":2}}"#) == .duplicateName("a", isOutermost: false))
        #expect(try flaw(#"["\uD83D"]"#) == .loneSurrogate)
        #expect(try flaw(#"["\uDE00\uD83D"]"#) == .loneSurrogate)
        #expect(try flaw(#"["\uD83D\n"]"#) == .loneSurrogate)
        #expect(try parse(#"["\uD83D\uD83D\uDE00"]"#) == .array([.string("\u{FFFD}\u{1F600}")]))
    }

    @Test("depth is bounded, and costs no stack")
    func deepNesting() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        // The innermost, empty array opens no container.
        #expect(try flaw(nested(depth + 1)) == nil)
        #expect(try flaw(nested(depth + 2)) == .tooDeep)
        #expect(try flaw(nested(32_768)) == .tooDeep)
        #expect(throws: JSONFault.self) { try parse(String(repeating: "{\"a\":", count: 13_000)) }
    }
}
