import PuckCore
import PuckTestKit
import Testing

@testable import puckctl

@Suite("Pictures for a terminal")
struct CellBufferTests {
    @Test("the bytes after any picture make the terminal show the next one, and draw only what differs")
    func differences() {
        var random = SeededGenerator(seed: 7)
        var terminal = DrawnTerminal(columns: 17, rows: 5)
        var shown: CellBuffer?
        for _ in 0..<200 {
            var next = shown ?? CellBuffer(columns: 17, rows: 5)
            var changed = 0
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let text = ["a", "ß", "⠿", " ", "→"].randomElement(using: &random) ?? " "
                next.put(text, .random(in: -1...17, using: &random), .random(in: -1...5, using: &random), .bold)
                changed += 1
            }
            let before = terminal.drawn
            terminal.write(next.bytes(after: shown, hasColours: true))
            #expect(
                terminal.rows.map { $0.joined() } == (0..<5).map { row in (0..<17).map { next[$0, row].text }.joined() }
            )
            if shown != nil { #expect(terminal.drawn - before <= changed) }
            shown = next
        }
        #expect(shown?.bytes(after: shown, hasColours: true) == [])
    }

    @Test("a picture of another size is drawn from the start")
    func resized() {
        var buffer = CellBuffer(columns: 4, rows: 2)
        buffer.put("ab", 0, 0)
        let bytes = String(
            decoding: buffer.bytes(after: CellBuffer(columns: 5, rows: 2), hasColours: true), as: UTF8.self)
        #expect(bytes.contains("\u{1b}[2J") && bytes.contains("ab"))
    }

    @Test("text that does not fit ends with an ellipsis; wide and unprintable characters never break the row")
    func clipping() {
        func row(_ text: String, _ columns: Int) -> String {
            var buffer = CellBuffer(columns: columns, rows: 1)
            buffer.put(text, 0, 0)
            return buffer.text(row: 0)
        }
        #expect(row("position", 8) == "position")
        #expect(row("position", 7) == "positi…")
        #expect(row("position", 1) == "…")
        #expect(row("地図", 4) == "地図")
        #expect(row("地図", 3) == "地…")
        #expect(row("地図", 2) == " …")
        #expect(row("a\u{1b}[2Jb", 20) == "a\\u{1b}[2Jb")
        #expect(row("\u{301}x", 20) == "?x")
    }

    @Test("a terminal without colours gets none")
    func colours() {
        var buffer = CellBuffer(columns: 4, rows: 1)
        buffer.put("x", 0, 0, Style(isBold: true, colour: .red))
        #expect(String(decoding: buffer.bytes(after: nil, hasColours: true), as: UTF8.self).contains("\u{1b}[0;1;31m"))
        #expect(!String(decoding: buffer.bytes(after: nil, hasColours: false), as: UTF8.self).contains("31"))
    }
}
