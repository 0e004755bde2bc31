import Testing

@testable import PuckConfig

@Suite("Lines of a configuration file")
struct IniFileTests {
    private func read(_ text: String) -> IniFile { IniFile(Array(text.utf8)) }

    @Test("settings have their section, value and line, whatever stands between")
    func settings() {
        let file = read(
            "# first\n\n[one]\na = 1\n; comment\n  # indented comment\nb=2 ; comment\r\n\n[two] # comment\nc = x = y\nd =\n"
        )
        #expect(file.problems.isEmpty)
        #expect(file.sections.map(\.name) == ["one", "two"])
        #expect(file.sections.map(\.line) == [3, 9])
        let settings = file.sections.flatMap(\.settings)
        #expect(settings.map(\.key) == ["a", "b", "c", "d"])
        #expect(settings.map(\.value) == ["1", "2", "x = y", ""])
        #expect(settings.map(\.line) == [4, 7, 10, 11])
    }

    @Test("a last line without an end, an empty file, a byte order mark")
    func edges() {
        #expect(read("[a]\nk = v").sections.first?.settings.first?.value == "v")
        #expect(read("").sections.isEmpty)
        #expect(read("\u{FEFF}[a]\nk = v\n").sections.first?.name == "a")
    }

    @Test(
        "each wrong line is named, and the lines after it are read",
        arguments: [
            ("no equals sign", ConfigurationError.Problem.notASetting(text: "no equals sign")),
            ("= value", .notASetting(text: "= value")),
            ("rule user:alice precise", .notASetting(text: "rule user:alice precise")),
            (" k = v", .indented), ("\tk = v", .indented), (" [a]", .indented),
            ("[a", .unclosedSection), ("[a] k = v", .textAfterSection(text: "k = v")),
            ("k = a\0b", .notText),
        ])
    func wrong(line: String, problem: ConfigurationError.Problem) {
        let file = read("[s]\nfirst = 1\n\(line)\n[t]\nlast = 2\n")
        #expect(file.problems.map(\.line) == [3])
        #expect(file.problems.map(\.problem) == [problem])
        #expect(file.sections.map(\.name) == ["s", "t"])
        #expect(file.sections.flatMap(\.settings).map(\.line) == [2, 5])
    }

    @Test("a line as long as libinih's buffer is read whole, a longer one is told, not cut")
    func longLines() {
        let longest = "k = " + String(repeating: "x", count: 194)
        let file = read("[s]\n\(longest)\n\(longest)y\n\(longest)\r\nl = 1\n#\(longest)\(longest)\n")
        #expect(file.problems.map(\.line) == [3])
        #expect(file.problems.map(\.problem) == [.lineTooLong(bytes: 199, limit: 198)])
        #expect(
            file.sections.flatMap(\.settings).map(\.value) == [
                String(longest.dropFirst(4)), String(longest.dropFirst(4)), "1",
            ])
        let endless = read("[s]\nk = \(String(repeating: "x", count: 100_000))\nl = 1\n")
        #expect(endless.problems.map(\.problem) == [.lineTooLong(bytes: 100_004, limit: 198)])
        #expect(endless.sections.first?.settings.map(\.key) == ["l"])
    }

    @Test("bytes that are not UTF-8")
    func notText() {
        let file = IniFile([0x5B, 0x73, 0x5D, 0x0A, 0x6B, 0x3D, 0xFF, 0x0A, 0x23, 0xFF, 0x0A])
        #expect(file.problems.map(\.line) == [2])
        #expect(file.problems.map(\.problem) == [.notText])
    }

    @Test("names longer than libinih's are not cut; settings of a broken section go nowhere")
    func sections() {
        let name = String(repeating: "n", count: 80)
        #expect(read("[\(name)]\nk = v\n").sections.first?.name == name)
        let broken = read("[good]\nk = 1\n[bad\nl = 2\n")
        #expect(broken.sections.flatMap(\.settings).map(\.key) == ["k"])
        #expect(broken.orphans.isEmpty)
        #expect(read("k = 1\n").orphans.map(\.key) == ["k"])
    }

    @Test("any bytes come to an end without harm")
    func anything() {
        var random = SequenceGenerator(state: 1)
        let alphabet = Array("[]=;#: \t\r\n\0abc\u{FEFF}".utf8) + [0xFF, 0xC3]
        for _ in 0..<2_000 {
            let bytes = (0..<60).map { _ in alphabet.randomElement(using: &random) ?? 0 }
            let file = IniFile(bytes)
            let lines = bytes.count { $0 == 0x0A } + 1
            #expect(file.problems.allSatisfy { (1...lines).contains($0.line) })
        }
    }
}
