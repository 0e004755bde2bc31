import PuckText
import Testing

@Suite("Lines out of bytes")
struct LineFramerTests {
    /// All events after each of `pieces`.
    private func events(_ framer: inout LineFramer, _ pieces: [String]) -> [LineFramer.Event] {
        var events: [LineFramer.Event] = []
        for piece in pieces {
            framer.append(Array(piece.utf8))
            while let event = framer.next() { events.append(event) }
        }
        return events
    }
    private func line(_ text: String) -> LineFramer.Event { .line(Array(text.utf8)) }

    @Test("lines come out whole, however they arrive")
    func pieces() {
        var framer = LineFramer(limit: 65_536)
        #expect(events(&framer, ["a", "bc", "\nd\n\n", "ef"]) == [line("abc"), line("d"), line("")])
        #expect(framer.hasPartialLine)
        #expect(events(&framer, ["\n"]) == [line("ef")])
        #expect(!framer.hasPartialLine)
    }

    @Test("a carriage return is the line's own")
    func carriageReturn() {
        var framer = LineFramer(limit: 65_536)
        #expect(events(&framer, ["{}\r\n"]) == [line("{}\r")])
    }

    @Test("a line of the limit passes, one byte more is a violation", arguments: [1, 2, 7, 100])
    func limit(pieceLength: Int) {
        let limit = 10
        for length in 0...25 {
            var framer = LineFramer(limit: limit)
            let text = Array(String(repeating: "x", count: length) + "\nok\n")
            let pieces = stride(from: 0, to: text.count, by: pieceLength).map {
                String(text[$0..<min($0 + pieceLength, text.count)])
            }
            let expected =
                length <= limit ? [line(String(repeating: "x", count: length)), line("ok")] : [.tooLong]
            #expect(events(&framer, pieces) == expected, "\(length) bytes in pieces of \(pieceLength)")
        }
    }

    @Test("an endless line is found at the limit, and nothing is kept of it")
    func endless() {
        var framer = LineFramer(limit: 10)
        #expect(events(&framer, [String(repeating: "x", count: 11)]) == [.tooLong])
        #expect(events(&framer, ["\n{}\n", "more"]) == [])
        #expect(!framer.hasPartialLine)
    }

    @Test("the lines before an over-long one come out first")
    func linesBefore() {
        var framer = LineFramer(limit: 4)
        #expect(events(&framer, ["ab\ncd\nefghi\nj\n"]) == [line("ab"), line("cd"), .tooLong])
    }

    @Test("any cut of a stream gives the same lines")
    func anyCut() {
        let text = "one\ntwo three\n\nfour\n"
        for cut in 0...text.count {
            for second in cut...text.count {
                var framer = LineFramer(limit: 16)
                let characters = Array(text)
                let pieces = [characters[..<cut], characters[cut..<second], characters[second...]].map { String($0) }
                #expect(events(&framer, pieces) == [line("one"), line("two three"), line(""), line("four")])
            }
        }
    }
}
