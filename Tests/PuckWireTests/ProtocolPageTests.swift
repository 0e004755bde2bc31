import PuckCore
import PuckTestKit
import Testing

@testable import PuckWire

@Suite("docs/protocol.md")
struct ProtocolPageTests {
    let page: [String]
    init() throws {
        let text = String(decoding: try ProjectFiles.read("docs/protocol.md"), as: UTF8.self)
        page = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The lines of all blocks that are marked `json KIND`.
    private func examples(_ kind: String) -> [String] {
        var lines: [String] = []
        var isInside = false
        for line in page {
            if isInside, line == "```" {
                isInside = false
            } else if isInside {
                lines.append(line)
            } else if line == "```json \(kind)" {
                isInside = true
            }
        }
        return lines
    }

    /// The rows of the tables in the section of that heading, without their heads; the backquoted names in each cell.
    private func rows(under heading: String) -> [[[String]]] {
        guard let start = page.firstIndex(of: heading) else { return [] }
        let section = page[(start + 1)...].prefix { !$0.hasPrefix("#") }
        let rows = section.filter { $0.hasPrefix("| ") && !$0.hasPrefix("| field |") && !$0.hasPrefix("| code |") }
        return rows.map { row in
            row.split(separator: "|").map { cell in
                cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                    .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
            }
        }
    }

    @Test("every request of the examples is one, also by the schema, and every type has an example")
    func requests() throws {
        let schema = try JSONSchema.ofProtocol()
        var types: Set<String> = []
        for line in examples("client") {
            let bytes = Array(line.utf8)
            #expect(throws: Never.self) { try RequestDecoder.decode(bytes).get() }
            #expect(schema.problems(of: bytes, as: "request") == [], "\(line)")
            if let type = try JSONDocument(bytes)["type"]?.string { types.insert(type) }
        }
        #expect(types == Set(RequestType.allCases.map(\.rawValue)))
    }

    @Test("every message of the examples is one, as the server writes it, and every type has an example")
    func messages() throws {
        let schema = try JSONSchema.ofProtocol()
        var types: Set<String> = []
        for line in examples("server") {
            let bytes = Array(line.utf8)
            #expect(schema.problems(of: bytes, as: "message") == [], "\(line)")
            let message = try #require(try ServerMessageDecoder.decode(bytes))
            var written = ServerMessageEncoder.line(message)
            if case .frame(let frame) = message {
                written = []
                FrameEncoder.append(frame, for: frame.puck?.accuracyMode ?? .precise, to: &written)
            }
            #expect(String(decoding: written.dropLast(), as: UTF8.self) == line)
            if let type = try JSONDocument(bytes)["type"]?.string { types.insert(type) }
        }
        #expect(types == ["hello", "ok", "error", "frame", "source", "authorization", "view"])
    }

    @Test("the example of a motion is one by the schema, and says what the page reckons by hand")
    func motion() throws {
        let lines = examples("motion")
        #expect(lines.count == 1)
        let bytes = Array(try #require(lines.first).utf8)
        #expect(try JSONSchema.ofProtocol().problems(of: bytes, as: "message") == [])
        let puck = try #require(try JSONDocument(bytes)["puck"])
        func value(_ name: String, lanes: Int, at time: Double) throws -> [Double] {
            let knots = try #require(puck[name]).elements.map { knot in
                let numbers = knot.elements.compactMap(\.number)
                var (value, slope) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
                for lane in 0..<lanes { (value[lane], slope[lane]) = (numbers[1 + lane], numbers[1 + lanes + lane]) }
                return Knot(time: numbers[0], value: value, slope: slope)
            }
            let value = try #require(HermiteSpline(knots)).value(at: time)
            return (0..<lanes).map { value[$0] }
        }
        #expect(try value("bearing", lanes: 1, at: 1) == [358.5])
        #expect(abs(try value("bearing", lanes: 1, at: 1.5)[0] - 361.0625) < 1e-9)
        #expect(abs(try value("position", lanes: 2, at: 1)[1] - 48.1001) < 1e-12)
    }

    @Test("refusals and violations are answered as shown, to the letter", arguments: ["refused", "violation"])
    func failures(kind: String) throws {
        let lines = examples(kind)
        #expect(lines.count >= 4 && lines.count.isMultiple(of: 2))
        for index in stride(from: 0, to: lines.count, by: 2) {
            guard case .failure(let failure) = RequestDecoder.decode(Array(lines[index].utf8)) else {
                Issue.record("not refused: \(lines[index])")
                continue
            }
            #expect(failure.isViolation == (kind == "violation"))
            let answer = ServerMessageEncoder.line(.error(ErrorMessage(failure)))
            #expect(String(decoding: answer.dropLast(), as: UTF8.self) == lines[index + 1])
        }
    }

    @Test("the fields of each request", arguments: RequestType.allCases)
    func requestFields(type: RequestType) {
        #expect(page.contains("### `\(type.rawValue)`"))
        let named = rows(under: "### `\(type.rawValue)`").flatMap { $0.first ?? [] }
        #expect(named == type.fields)
    }

    @Test(
        "the fields of each message",
        arguments: [
            ("### `hello`", "hello"), ("### `error`", "error"), ("### `frame`", "frame"),
            ("### `motion`", "motion"),
            ("#### `puck`", "precisePuck"), ("### `source`", "source"),
            ("### `authorization`", "authorization"), ("### `view`", "viewMessage"),
        ])
    func messageFields(heading: String, definition: String) throws {
        let named = rows(under: heading).flatMap { $0.first ?? [] }
        let fields = try JSONSchema.ofProtocol().definition(definition)?["properties"]?.names ?? []
        #expect(Set(named) == fields.subtracting(["type"]))
        #expect(named.count == Set(named).count)
    }

    @Test("the error codes, and which of them are violations")
    func codes() {
        let named = rows(under: "### Violation and refusal").compactMap { $0.first?.first }
        #expect(named == ErrorCode.allCases.map(\.rawValue))
        for code in ErrorCode.allCases {
            let row = page.first { $0.hasPrefix("| `\(code.rawValue)` |") } ?? ""
            #expect(row.contains("| violation |") == code.isViolation, "\(code)")
        }
    }

    @Test("the limits")
    func limits() {
        let section = page.drop { $0 != "### Limits" }.dropFirst().prefix { !$0.hasPrefix("#") }.joined(separator: "\n")
        for limit in [
            "65,536": WireLimits.line, "128": WireLimits.identifier, "64": WireLimits.name, "32": WireLimits.depth,
            "4,096": WireLimits.positions, "120": Int(WireLimits.rate),
        ] {
            #expect(section.contains("| \(limit.key)"))
            #expect(Int(limit.key.filter(\.isNumber)) == limit.value)
        }
    }
}
