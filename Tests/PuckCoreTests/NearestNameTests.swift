import Testing

@testable import PuckCore

@Suite("Nearest name")
struct NearestNameTests {
    @Test(
        "what was most likely meant",
        arguments: [
            ("raduis", "radius"), ("Radius", "radius"), ("state-dir", "state-directory"), ("", "mode"),
            ("hots", "host"),
            ("ports", "port"),
        ])
    func nearest(name: String, meant: String) {
        #expect(nearestName(to: name, among: ["radius", "state-directory", "mode", "host", "port"]) == meant)
    }

    @Test(
        "a likely slip has a similar name, and anything else has none",
        arguments: [
            ("raduis", "radius"), ("state-dir", "state-directory"), ("modes", "mode"), ("hots", "host"), ("", nil),
            ("zoom", nil), ("x", nil), ("frobnicate", nil), ("st", nil),
        ])
    func similar(name: String, meant: String?) {
        #expect(similarName(to: name, among: ["radius", "state-directory", "mode", "host", "port"]) == meant)
    }

    @Test("of equals the first; of none, none; a long one ends")
    func edges() {
        #expect(nearestName(to: "b", among: ["a", "c"]) == "a")
        #expect(nearestName(to: "b", among: []) == nil)
        #expect(nearestName(to: String(repeating: "x", count: 1_000_000), among: ["a", "bc"]) == "a")
    }

    @Test("changes, additions, omissions and swaps each count one")
    func distance() {
        func between(_ a: String, _ b: String) -> Int {
            editDistance(Array(a.unicodeScalars), Array(b.unicodeScalars))
        }
        #expect(between("", "") == 0)
        #expect(between("", "abc") == 3)
        #expect(between("abc", "abd") == 1)
        #expect(between("abc", "abcd") == 1)
        #expect(between("abc", "ab") == 1)
        #expect(between("abc", "acb") == 1)
        #expect(between("kitten", "sitting") == 3)
    }
}
