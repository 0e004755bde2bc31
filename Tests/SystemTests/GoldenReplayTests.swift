import PuckCore
import PuckTestKit
import Testing

/// Simulated recordings, replayed, against the frames that were found good. What changes a figure on purpose writes them
/// anew (docs/quality.md), and its diff shows what changed.
@Suite struct GoldenReplayTests {
    /// How far a figure may be off: mathematical libraries differ in their last bits.
    private static func tolerance(of name: String, approximate: Bool) -> Double {
        switch name {
        // A millimetre. An approximate position is a point of a public lattice, and exact.
        case "position", "center": approximate ? 0 : 1e-8
        // Microseconds, by a clock that is exact in replays.
        case "monotonic": 0
        // Two units of the last digit.
        default: 0.002
        }
    }

    @Test("a replay is what it was", arguments: ["car", "walk", "boat", "bike", "trip"])
    func golden(name: String) throws {
        let lines = try ProjectFiles.read("Tests/golden/\(name).frames").split(separator: UInt8(ascii: "\n"))
        let options = String(decoding: try #require(lines.first), as: UTF8.self).split(separator: " ").map(String.init)
        let expected = try lines.dropFirst().map { try JSONDocument(Array($0)) }
        #expect(expected.count > 10)

        let recording = "\(ProjectFiles.root)/Tests/golden/\(name).json"
        let program = try TestProcess(builtProgram("puckd"), ["replay"] + options + [recording], output: .lines)
        let frames = try (program.lines?.all(within: 60) ?? []).map { try JSONDocument(Array($0.utf8)) }
        #expect(try program.waitForEnd() == .exited(0))

        let kept = Self.kept(of: frames)
        #expect(kept.count == expected.count)
        for (frame, before) in zip(kept, expected) {
            let found = differences(frame, before, approximate: options.contains("approximate"))
            #expect(found.isEmpty, "at \(before["time"]?.string ?? "?"): \(found)")
            if !found.isEmpty { break }
        }
    }

    /// Every 60th frame, or all where they are few, and those of a discontinuity: as write-golden-results.sh keeps them.
    private static func kept(of frames: [JSONDocument]) -> [JSONDocument] {
        let every = frames.count >= 600 ? 60 : 1
        return frames.enumerated().filter { $0 % every == 0 || $1["puck"]?["discontinuity"] != nil }.map(\.element)
    }

    /// What differs, by name: what is there in one only, and what is further off than its tolerance.
    private func differences(
        _ a: JSONDocument, _ b: JSONDocument, named name: String = "frame", approximate: Bool
    ) -> [String] {
        switch (a, b) {
        case (.object(let x), .object(let y)):
            let names = Set(x.keys).union(y.keys).sorted()
            return names.flatMap { key -> [String] in
                guard let p = x[key], let q = y[key] else { return ["\(name).\(key) is in one only"] }
                return differences(p, q, named: key, approximate: approximate)
            }
        case (.array(let x), .array(let y)):
            guard x.count == y.count else { return ["\(name): \(x.count), not \(y.count)"] }
            return zip(x, y).flatMap { differences($0, $1, named: name, approximate: approximate) }
        case (.number(let x), .number(let y)):
            let limit = Self.tolerance(of: name, approximate: approximate)
            let isNear = abs(x - y) <= limit || abs(abs(x - y) - 360) <= limit
            return isNear ? [] : ["\(name): \(x), not \(y)"]
        default:
            return a == b ? [] : ["\(name): \(a), not \(b)"]
        }
    }
}
