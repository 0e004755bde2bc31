import Testing

@testable import puckctl

@Suite("Keys")
struct KeyReaderTests {
    @Test("arrows, function keys and other sequences are no keys, however they are split")
    func sequences() {
        let typed = "a\u{1b}[Ab\u{1b}OPc\u{1b}[15~d\u{1b}[1;5Ce\tü~"
        var whole = KeyReader()
        #expect(String(whole.read(Array(typed.utf8))) == "abcde\t~")
        var split = KeyReader()
        #expect(String(typed.utf8.flatMap { split.read([$0]) }) == "abcde\t~")
    }
}
