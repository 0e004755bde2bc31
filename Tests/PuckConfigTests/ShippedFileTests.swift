import Foundation
import Testing

@testable import PuckConfig

/// config/puckd.conf against the code: what it says is by default, is.
@Suite("The file that is shipped")
struct ShippedFileTests {
    let lines: [String]

    init() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("config/puckd.conf"), encoding: .utf8)
        lines = text.components(separatedBy: "\n")
    }

    /// Settings shown with their defaults: `#key = value`.
    private var defaults: [String] { lines.filter { $0.range(of: "^#[a-z-]+ =", options: .regularExpression) != nil } }

    private func parse(_ lines: [String]) throws -> PuckConfiguration {
        try PuckConfiguration.parse(text: lines.joined(separator: "\n"), file: "puckd.conf")
    }

    @Test("as it is, it changes nothing")
    func asShipped() throws {
        #expect(try parse(lines).withoutPlaces == PuckConfiguration().withoutPlaces)
        #expect(!lines.contains { $0.range(of: "^[a-z]", options: .regularExpression) != nil })
    }

    @Test("the defaults that it shows are those of the code")
    func shownDefaults() throws {
        let shown = lines.map { defaults.contains($0) ? String($0.dropFirst()) : $0 }
        let configuration = try parse(shown)
        #expect(configuration.withoutPlaces == PuckConfiguration().withoutPlaces)
        #expect(configuration.policy.rules.count == 3)
        #expect(configuration.policy.rules.allSatisfy { $0.line > 0 })
    }

    @Test("every key stands in it once, in its section, with its words before it")
    func everyKey() throws {
        var section = ""
        var found: [String] = []
        for (index, line) in lines.enumerated() {
            if line.hasPrefix("[") { section = line }
            guard defaults.contains(line) else { continue }
            #expect(lines[index - 1].hasPrefix("#"), "\(line)")
            found.append("\(section) \(line.dropFirst().prefix { $0 != " " })")
        }
        let keys = Schema.sections.flatMap { section in section.keys.map { "[\(section.name)] \($0.name)" } }
        #expect(Set(found) == Set(keys + ["[policy] rule"]))
        #expect(found.filter { $0 != "[policy] rule" }.count == keys.count)
    }

    @Test("every range that it tells is the code's")
    func ranges() throws {
        for key in Schema.sections.flatMap(\.keys) {
            guard let range = key.expected.range(of: "-?[0-9.]+ to [0-9.]+", options: .regularExpression),
                key.name != "port"
            else { continue }
            #expect(lines.contains { $0.contains(key.expected[range]) }, "\(key.name): \(key.expected[range])")
        }
    }

    @Test("its example of a purpose is one")
    func example() throws {
        let example = lines.filter { $0.hasPrefix("#   ") }.map { String($0.dropFirst(4)) }
        let start = try #require(example.firstIndex { $0.hasPrefix("[purpose") })
        let purposes = try parse(Array(example[start...])).policy.purposes
        #expect(purposes.map(\.key) == ["rescue"])
    }
}
