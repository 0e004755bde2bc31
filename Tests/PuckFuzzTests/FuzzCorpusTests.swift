import PuckFuzz
import PuckTestKit
import Testing

/// The seeds of the fuzzers, and what once failed.
@Suite struct FuzzCorpusTests {
    @Test("every input of the corpus is taken without harm", arguments: FuzzTarget.allCases)
    func corpus(target: FuzzTarget) throws {
        let inputs = ProjectFiles.paths(in: "Tests/fuzz/corpus/\(target.rawValue)")
        #expect(inputs.count >= 5)
        for input in inputs { #expect(target.give(try ProjectFiles.read(input)) == nil, "\(input)") }
    }

    @Test("the empty input, and a single byte of each value", arguments: FuzzTarget.allCases)
    func least(target: FuzzTarget) {
        #expect(target.give([]) == nil)
        for byte in UInt8.min...UInt8.max { #expect(target.give([byte]) == nil, "\(byte)") }
    }
}
