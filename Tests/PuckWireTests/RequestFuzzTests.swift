import PuckCore
import Testing

@testable import PuckWire

@Suite("Requests at random")
struct RequestFuzzTests {
    /// The lines that are changed at random: one of each request, and some that once went wrong elsewhere.
    static let seeds: [[UInt8]] =
        RequestRoundTripTests.requests.map { Array(RequestEncoder.line(Envelope(id: RequestID(7), $0)).dropLast()) }
        + [
            #"{"type":"overview","geometry":{"type":"GeometryCollection","geometries":[{"type":"Polygon","coordinates":[[[1,2],[3,4e1]]]}]}}"#,
            #"{"type":"marker","marker":"\ud83d\ude00\u0000","position":[-0.0,1E-9],"duration":1e400}"#,
            #"{"type":"follow","zoom":null,"bearing":"heading","padding":{"top":1,"top":2}}"#,
        ].map { Array($0.utf8) }

    /// What is put in the place of a value or a name: the line stays JSON, and says something else.
    static let tokens: [[UInt8]] = [
        "null", "true", "0", "-0.0", "1", "1.50", "24", "360", "-180.0000001", "1e999", "1E-9", "[]", "{}", "[0,0]",
        "[11.5,48.1]",
        "[0.42,0,0.58,1]", "{\"zoom\":3}", "{\"top\":1}", "\"\"", "\"map\"", "\"é\\u0000\"", "\"\\ud83d\"",
        "\"heading\"", "\"next\"",
        "\"precise\"", "\"fix\"", "\"easeIn\"", "\"type\"", "\"id\"", "\"view\"", "\"zoom\"", "\"bearing\"",
        "\"camera\"", "\"duration\"",
    ].map { Array($0.utf8) }

    /// Pieces that are more often wrong than random bytes are.
    static let pieces: [[UInt8]] =
        [
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud800", "\\udc00", "-", "1.", "\u{0}", "\u{FEFF}", "\n",
            "\"type\":",
            "[[[[[[[[", "]]]]", "\u{1F600}",
        ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xED, 0xA0, 0x80]]

    /// A line that is like `seed`: with other values, or broken.
    static func mutate(_ seed: [UInt8], by random: inout SeededGenerator) -> [UInt8] {
        var line = seed
        for _ in 0...Int.random(in: 0..<3, using: &random) {
            if Int.random(in: 0..<8, using: &random) > 0 {
                replaceToken(of: &line, by: &random)
            } else {
                damage(&line, by: &random)
            }
        }
        return line
    }

    /// Puts another name or value in the place of one.
    private static func replaceToken(of line: inout [UInt8], by random: inout SeededGenerator) {
        let marks = Array("{}[],:".utf8)
        let bounds = [-1] + line.indices.filter { marks.contains(line[$0]) } + [line.count]
        let index = Int.random(in: 1..<bounds.count, using: &random)
        let range = bounds[index - 1] + 1..<bounds[index]
        guard !range.isEmpty, let token = tokens.randomElement(using: &random) else { return }
        line.replaceSubrange(range, with: token)
    }

    private static func damage(_ line: inout [UInt8], by random: inout SeededGenerator) {
        let place = Int.random(in: 0...line.count, using: &random)
        let end = min(line.count, place + Int.random(in: 0..<12, using: &random))
        switch Int.random(in: 0..<5, using: &random) {
        case 0: line.removeSubrange(place..<end)
        case 1: line.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: place)
        case 2: line.replaceSubrange(place..<end, with: pieces.randomElement(using: &random) ?? [])
        case 3: line.insert(contentsOf: line[place..<end], at: place)
        default: if place < line.count { line[place] = UInt8.random(in: 0...255, using: &random) }
        }
    }

    @Test("a value, a refusal or a violation, whatever comes", arguments: 0..<8)
    func whatever(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var values = 0
        var refusals = 0
        var violations = 0
        for _ in 0..<15_000 {
            let line = Self.mutate(Self.seeds.randomElement(using: &random) ?? [], by: &random)
            switch RequestDecoder.decode(line) {
            case .success(let envelope):
                values += 1
                // What was understood is understood again when it is written down.
                let written = Array(RequestEncoder.line(envelope).dropLast())
                #expect(
                    RequestDecoder.decode(written) == .success(envelope), "\(String(decoding: line, as: UTF8.self))")
            case .failure(let failure):
                if failure.isViolation { violations += 1 } else { refusals += 1 }
                let error = ServerMessage.error(ErrorMessage(failure))
                let answer = Array(ServerMessageEncoder.line(error).dropLast())
                if failure.message.isEmpty || answer.count > 800 || (try? ServerMessageDecoder.decode(answer)) != error
                {
                    Issue.record("\(failure)")
                }
            }
        }
        // All three are really met.
        #expect(values > 1_000 && refusals > 1_000 && violations > 1_000, "\(values) \(refusals) \(violations)")
    }

    @Test("the other end: no line of a server's ends a client", arguments: 0..<4)
    func serverLines(seed: Int) {
        var random = SeededGenerator(seed: UInt64(100 + seed))
        let seeds = ServerMessageTests.messages.map { Array(ServerMessageEncoder.line($0).dropLast()) }
        for _ in 0..<5_000 {
            let line = Self.mutate(seeds.randomElement(using: &random) ?? [], by: &random)
            _ = try? ServerMessageDecoder.decode(line)
        }
    }
}
