import PuckCore
import PuckSystem
import PuckTestKit
import PuckWire
import Testing

/// `puckd replay`, the program itself.
@Suite struct ReplayTests {
    /// A car that drives north at 20 m/s, as `gpspipe -w -uu` writes it: a fix a second, 0.2 s late.
    private func recording(seconds: Int = 60) -> String {
        let begin = ManualClock.defaultStart.utc.nanoseconds / 1_000_000_000
        let plane = LocalPlane(origin: Coordinate(wrappingLongitude: 7, clampingLatitude: 51))
        return (0..<seconds).map { second in
            let time = begin + Int64(second)
            let at = plane.unproject(east: 0, north: 20 * Double(second))
            return Recording.fix(at: UTC(nanoseconds: time * 1_000_000_000), at, speed: 20, course: 0)
        }.joined()
    }

    private func replay(_ arguments: [String]) throws -> [String] {
        let program = try TestProcess(builtProgram("puckd"), ["replay"] + arguments, output: .lines)
        let lines = program.lines?.all(within: 30) ?? []
        #expect(try program.waitForEnd() == .exited(0))
        return lines
    }

    @Test("the same recording gives the same bytes, whatever is asked for")
    func sameBytes() throws {
        let directory = try TestDirectory()
        // Long enough for the first epoch of approximate location.
        let file = try directory.write(recording(seconds: 120), to: "drive.json")
        for options in [[], ["--rate", "60", "--view", "followWithCourse"], ["--accuracy", "approximate", "--stamp"]] {
            let lines = try replay(options + [file])
            #expect(!lines.isEmpty)
            #expect(try replay(options + [file]) == lines)
        }
    }

    @Test("P1 at 60 a second from 1 Hz no frame steps back or too far, and it is where the car is, not where it was")
    func steady() throws {
        let directory = try TestDirectory()
        let file = try directory.write(recording(), to: "drive.json")
        let frames = try replay(["--rate", "60", file]).compactMap { line -> Frame? in
            if case .frame(let frame) = try PuckdClient.decode(line) { frame } else { nil }
        }
        let settled = frames.filter { $0.moment.utc.seconds(since: ManualClock.defaultStart.utc) > 10 }
        #expect(settled.count > 48 * 60)
        for (a, b) in zip(settled, settled.dropFirst()) {
            let (p, q) = (try #require(a.puck?.coordinate), try #require(b.puck?.coordinate))
            let time = b.moment.monotonic.seconds(since: a.moment.monotonic)
            let step = LocalPlane(origin: p).project(q).north
            #expect(step >= 0 && step <= 1.5 * 20 * time + 0.001)
        }
        for frame in settled {
            let puck = try #require(frame.puck)
            let truth = 20 * frame.moment.utc.seconds(since: ManualClock.defaultStart.utc)
            let north = LocalPlane(origin: Coordinate(wrappingLongitude: 7, clampingLatitude: 51))
                .project(puck.coordinate).north
            #expect(abs(truth - north) < 0.1 * 20, "at \(frame.moment.utc.seconds)")
        }
    }

    @Test("a recording of one fix gives its frame; one that says no time is told from one that says no position")
    func leastRecordings() throws {
        let directory = try TestDirectory()
        let fix = recording().split(separator: "\n").first.map { "\($0)\n" } ?? ""
        #expect(try replay([directory.write(fix, to: "one")]).count == 1)
        let timeless = #"{"class":"TPV","device":"/dev/x","mode":3,"lat":51,"lon":7}"# + "\n"
        let program = try TestProcess(
            builtProgram("puckd"), ["replay", directory.write(timeless, to: "timeless")], output: .discard)
        #expect(try program.waitForEnd() == .exited(4))
    }

    @Test("times that no clock can count are no end of a replay")
    func extremeTimes() throws {
        let directory = try TestDirectory()
        for name in ["stamp-of-2262", "stamp-of-2286", "century", "to-and-fro"] {
            let input = "\(ProjectFiles.root)/Tests/fuzz/corpus/replay/\(name)"
            _ = try replay(["--rate", "120", "--view", "follow", "--stamp", input])
        }
        // A stamp of no year that gpsd has is no arrival: the fixes are taken by their own times.
        let lines = recording().split(separator: "\n").map { "9999999999.5: \($0.drop { $0 != "{" })\n" }
        let times = try replay([directory.write(lines.joined(), to: "stamps")]).compactMap { line in
            if case .frame(let frame) = try PuckdClient.decode(line) { frame.moment.utc } else { nil }
        }
        #expect(times.count == 60)
        #expect(times.first == ManualClock.defaultStart.utc)
    }

    @Test("what can't be replayed is said, with a code of its own")
    func refusals() throws {
        let directory = try TestDirectory()
        let empty = try directory.write("no JSON here\n", to: "empty")
        for (arguments, code) in [
            (["/nonexistent"], Int32(1)), ([empty], 4), ([], 2), (["--rate", "0", empty], 2), (["--fast", empty], 2),
        ] {
            let program = try TestProcess(builtProgram("puckd"), ["replay"] + arguments, output: .discard)
            #expect(try program.waitForEnd() == .exited(code))
        }
    }
}
