import PuckCore

/// Damages lines in the ways that lines are damaged: bytes lost, doubled, changed; parts of others put in.
struct Mutator {
    private var random: SeededGenerator
    private let seeds: [[UInt8]]
    private let fragments: [[UInt8]]

    init(seed: UInt64, of seeds: [String]) {
        random = SeededGenerator(seed: seed)
        self.seeds = seeds.map { Array($0.utf8) }
        fragments = Mutator.words.map { Array($0.utf8) }
    }

    mutating func next() -> [UInt8] {
        var line = seeds.randomElement(using: &random) ?? []
        for _ in 0..<Int.random(in: 1...4, using: &random) { damage(&line) }
        return line
    }

    private mutating func damage(_ line: inout [UInt8]) {
        let from = Int.random(in: 0...line.count, using: &random)
        let to = min(line.count, from + Int.random(in: 0...12, using: &random))
        switch Int.random(in: 0..<7, using: &random) {
        case 0: line.removeSubrange(from..<to)
        case 1: line.insert(contentsOf: line[from..<to], at: from)
        case 2: line.replaceSubrange(from..<to, with: fragments.randomElement(using: &random) ?? [])
        case 3: line.insert(contentsOf: fragments.randomElement(using: &random) ?? [], at: from)
        case 4: line.removeLast(line.count - from)
        case 5:
            for index in from..<to { line[index] = UInt8.random(in: 0...255, using: &random) }
        default:
            let other = seeds.randomElement(using: &random) ?? []
            let start = Int.random(in: 0...other.count, using: &random)
            line.replaceSubrange(from..., with: other[start...])
        }
    }

    /// What libgps and JSON readers stumble over.
    private static let words = [
        "\"class\":", "\"class\":\"TPV\"", "\"class\":\"SKY\",", "{\"class\":\"DEVICES\"", "{", "}", "[", "]", ",", ":",
        "\"", "\\", "\\u0000", "\\ud800", "null", "nan", "inf", "-", "1e400", "1e2147483648", "-1e-400", "1e9999", "0",
        "360",
        "-0.0", "99999999999999999999999999", "\0", "\n", "\u{FFFD}", "{\"class\":\"SKY\"}", "\"lat\":91,",
        "\"mode\":3,",
        "\"satellites\":[{\"PRN\":1}],", "\"lon\":[1],", "\"device\":{},", "true", "1.", ".5", "e5", "\"\":0,",
    ]
}
