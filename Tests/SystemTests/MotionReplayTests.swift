import PuckCore
import PuckTestKit
import PuckWire
import Testing

/// `puckd replay --rate motion`, evaluated by the protocol page's formula alone, against the frames of the same recording.
@Suite struct MotionReplayTests {
    private func replay(_ arguments: [String]) throws -> [JSONDocument] {
        let program = try TestProcess(builtProgram("puckd"), ["replay"] + arguments, output: .lines)
        let lines = program.lines?.all(within: 120) ?? []
        #expect(try program.waitForEnd() == .exited(0))
        return try lines.map { try JSONDocument(Array($0.utf8)) }
    }

    /// The values of a field at a time: of a plain value, or of knots of so many values each.
    private func values(_ field: JSONDocument?, _ count: Int, at time: Double) throws -> [Double] {
        let field = try #require(field)
        let knots = field.elements.map { $0.elements.compactMap(\.number) }
        guard let first = knots.first, !first.isEmpty, let last = knots.last else {
            return count == 1 ? [try #require(field.number)] : field.elements.compactMap(\.number)
        }
        if time <= first[0] { return Array(first[1...count]) }
        guard let next = knots.firstIndex(where: { $0[0] > time }) else { return Array(last[1...count]) }
        let (a, b) = (knots[next - 1], knots[next])
        let h = b[0] - a[0]
        let u = (time - a[0]) / h
        return (1...count).map { i in
            let bend = a[i + count] * (1 - u) - b[i + count] * u
            return a[i] + (b[i] - a[i]) * u * u * (3 - 2 * u) + h * u * (1 - u) * bend
        }
    }

    @Test(
        "what the motions of a golden recording draw is what its frames show",
        arguments: ["car", "bike", "walk", "boat"])
    func golden(name: String) throws {
        let file = "\(ProjectFiles.root)/Tests/golden/\(name).json"
        let motions = try replay(["--rate", "motion", "--view", "followWithCourse", file])
        let fixes = try replay(["--view", "followWithCourse", file])
        #expect(motions.count <= 2 * fixes.count)
        let starts = motions.compactMap { $0["monotonic"]?.number }
        var (latest, count) = (0, 0)
        for frame in try replay(["--rate", "120", "--view", "followWithCourse", file]) {
            let instant = try #require(frame["monotonic"]?.number)
            while latest + 1 < starts.count, starts[latest + 1] <= instant { latest += 1 }
            guard let puck = frame["puck"], starts[latest] <= instant else { continue }
            let (motion, time) = (motions[latest], instant - starts[latest])
            let drawn = try #require(motion["puck"])
            let place = try values(drawn["position"], 2, at: time)
            let shown = try values(puck["position"], 2, at: 0)
            let distance = greatCircleDistance(
                Coordinate(wrappingLongitude: place[0], clampingLatitude: place[1]),
                Coordinate(wrappingLongitude: shown[0], clampingLatitude: shown[1]))
            #expect(distance < 0.0055, "\(name) at \(instant): \(distance)")
            if let bearing = puck["bearing"]?.number {
                // In its first seconds a compass steps by as much; a motion leads it there.
                let turn = try shortestTurn(from: bearing, to: values(drawn["bearing"], 1, at: time)[0])
                #expect(abs(turn) < (time < 0.31 ? 0.25 : 0.052), "\(name) at \(instant): \(turn)")
            }
            count += 1
        }
        #expect(count > 10_000)
    }
}
