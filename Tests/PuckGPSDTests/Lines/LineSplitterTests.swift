import Testing

@testable import PuckGPSD

@Suite("Lines out of bytes")
struct LineSplitterTests {
    private func lines(_ splitter: inout LineSplitter, _ text: String) -> [String] {
        splitter.append(bytes(text)).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("lines come whole, however the bytes are cut")
    func anyCut() {
        let text = "{\"a\":1}\r\n{\"b\":2}\n\r\n\n{\"c\":3}\r\n"
        for size in 1...text.utf8.count {
            var splitter = LineSplitter()
            var found: [String] = []
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                found += splitter.append(rest.prefix(size)).map { String(decoding: $0, as: UTF8.self) }
                rest = rest.dropFirst(size)
            }
            #expect(found == ["{\"a\":1}", "{\"b\":2}", "{\"c\":3}"], "cut after \(size) bytes")
        }
    }

    @Test("a line over the bound is left out whole, counted once, and the next is good again")
    func overlong() {
        var splitter = LineSplitter(limit: 8)
        #expect(lines(&splitter, "12345678\n") == ["12345678"])
        #expect(lines(&splitter, "123456789\nnext\n") == ["next"])
        #expect(lines(&splitter, "12345") == [])
        #expect(lines(&splitter, "6789") == [])
        #expect(lines(&splitter, "and so on and so on") == [])
        #expect(lines(&splitter, " to its end\nnext\n") == ["next"])
        #expect(splitter.overlong == 2)
    }

    @Test("an endless line is not kept")
    func endless() {
        var splitter = LineSplitter(limit: 100)
        for _ in 0..<10_000 { #expect(lines(&splitter, String(repeating: "x", count: 64)).isEmpty) }
        #expect(lines(&splitter, "\nnext\n") == ["next"])
        #expect(splitter.overlong == 1)
    }

    @Test("libgps trap 14: a line of 30,000 bytes is a line, and so is the one after it")
    func thirtyThousandBytes() {
        var splitter = LineSplitter()
        let long = String(repeating: "x", count: 30_000)
        #expect(lines(&splitter, long + "\nnext\n") == [long, "next"])
        #expect(splitter.overlong == 0)
    }

    @Test("a restart forgets half a line, and counts on")
    func restart() {
        var splitter = LineSplitter(limit: 8)
        #expect(lines(&splitter, "123456789\nhalf") == [])
        splitter.restart()
        #expect(lines(&splitter, "a line\n") == ["a line"])
        #expect(splitter.overlong == 1)
    }
}
