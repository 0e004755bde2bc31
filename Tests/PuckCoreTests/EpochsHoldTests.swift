import PuckCore
import Testing

/// How long epochs are held, for receivers of many kinds.
@Suite("Epochs: holding")
struct EpochsHoldTests {
    /// A receiver: what it sends in one epoch, each with its delay after the epoch in cycles.
    struct Habit: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var parts: [(delay: Double, lacks: Set<Part>)]
    }
    enum Part: Sendable { case time, altitude, speed, course, error }

    static let habits = [
        Habit(testDescription: "one full report", parts: [(0.1, [])]),
        Habit(testDescription: "one report without a course", parts: [(0.1, [.course])]),
        Habit(testDescription: "position alone", parts: [(0.1, [.altitude, .speed, .course, .error])]),
        Habit(testDescription: "the full one last", parts: [(0.1, [.course]), (0.12, [.altitude]), (0.15, [])]),
        Habit(testDescription: "the full one first", parts: [(0.1, []), (0.15, [.course]), (0.3, [])]),
        Habit(testDescription: "the full one after a quarter", parts: [(0.1, [.course, .error]), (0.5, [])]),
        Habit(testDescription: "the time last", parts: [(0.1, [.time]), (0.15, [])]),
    ]

    private func report(_ seconds: Double, lacking: Set<Part>) -> PositionReport {
        Scene.tpv(
            lacking.contains(.time) ? nil : seconds, latitude: 48 + seconds * 1e-4,
            altitude: lacking.contains(.altitude) ? nil : 500, speed: lacking.contains(.speed) ? nil : 10,
            course: lacking.contains(.course) ? nil : 90, eph: lacking.contains(.error) ? nil : 5)
    }

    /// An epoch and when it was let go, in seconds.
    private struct Released {
        let epoch: Epoch
        let at: Double
        var held: Double { Scene.instant(at).seconds(since: epoch.arrival.monotonic) }
    }

    private func run(
        _ reports: [(arrival: Double, report: PositionReport)], with assembler: inout EpochAssembler
    ) -> [Released] {
        var released: [Released] = []
        func note(_ epochs: [Epoch], at instant: Instant) {
            released += epochs.map { Released(epoch: $0, at: instant.seconds(since: Scene.instant(0))) }
        }
        for (arrival, report) in reports {
            if let deadline = assembler.deadline, deadline < Scene.instant(arrival) {
                note(assembler.advance(to: deadline), at: deadline)
            }
            note(assembler.receive(.position(report), at: Scene.moment(arrival)), at: Scene.instant(arrival))
        }
        if let deadline = assembler.deadline { note(assembler.advance(to: deadline), at: deadline) }
        return released
    }

    @Test("P11 one epoch for each time at every rate, held for a quarter of a cycle at most", arguments: habits)
    func everyRate(_ habit: Habit) {
        for cycle in [0.05, 0.1, 0.2, 1, 2, 10] {
            var assembler = EpochAssembler()
            let released = run(
                (0..<40).flatMap { i in
                    habit.parts.map { ((Double(i) + $0.delay) * cycle, report(Double(i) * cycle, lacking: $0.lacks)) }
                }, with: &assembler)
            // Before its cycle is known, some late parts of a slow receiver are taken for epochs.
            #expect(40...44 ~= released.count, "cycle \(cycle)")
            #expect(assembler.cycle.map { abs($0 - cycle) < 1e-6 } == true)
            let settled = released.suffix(30)
            #expect(Set(settled.map(\.epoch.time)).count == 30)
            #expect(settled.allSatisfy { $0.held <= cycle * 0.25 + 1e-6 }, "cycle \(cycle)")
            // What comes within the quarter is in it; and once the habit is known nothing is held in vain.
            let prompt = habit.parts.filter { $0.delay - habit.parts[0].delay <= 0.25 }
            let brings = { (part: Part) in prompt.contains { !$0.lacks.contains(part) } }
            #expect(settled.allSatisfy { ($0.epoch.course != nil) == brings(.course) })
            #expect(settled.allSatisfy { ($0.epoch.eph != nil) == brings(.error) })
            #expect(settled.allSatisfy { $0.epoch.time != nil })
            let needed = prompt.map(\.delay).first { delay in
                prompt.filter { $0.delay <= delay }.contains { $0.lacks.isSubset(of: prompt.last?.lacks ?? []) }
            }
            let first = habit.parts[0].delay
            #expect(settled.allSatisfy { $0.held <= ((needed ?? first) - first) * cycle + 1e-6 }, "cycle \(cycle)")
        }
    }

    @Test("P11 a receiver that changes its rate is followed", arguments: [(1.0, 0.1), (0.1, 1.0), (0.2, 5.0)])
    func changesRate(_ rates: (Double, Double)) {
        var assembler = EpochAssembler()
        var now = 0.0
        var reports: [(Double, PositionReport)] = []
        for cycle in [rates.0, rates.1] {
            for _ in 0..<20 {
                reports.append((now, report(now, lacking: [])))
                now += cycle
            }
        }
        let released = run(reports, with: &assembler)
        #expect(released.count == 40)
        #expect(assembler.cycle.map { abs($0 - rates.1) < 1e-6 } == true)
        #expect(released[30].epoch.cycle.map { abs($0 - rates.1) < 1e-6 } == true)
    }

    @Test("P11 gaps, stragglers and jitter do not change the cycle that was learnt")
    func robustCycle() {
        var assembler = EpochAssembler()
        var random = SeededGenerator(seed: 5)
        let times = (0..<200).map(Double.init).filter {
            $0.truncatingRemainder(dividingBy: 7) != 3 && !(60...110 ~= $0)
        }
        let released = run(
            times.map { ($0 + 0.1 + Double.random(in: 0..<0.4, using: &random), report($0, lacking: [])) },
            with: &assembler)
        #expect(released.count == times.count)
        #expect(released.dropFirst(4).allSatisfy { $0.epoch.cycle == 1 })
    }

    @Test("P11 a habit that is given up costs three quarters of a cycle in all, and one taken up is noticed")
    func habitsChange() {
        var assembler = EpochAssembler()
        func epochs(_ range: Range<Int>, _ parts: [(delay: Double, lacks: Set<Part>)]) -> [Released] {
            run(
                range.flatMap { i in parts.map { (Double(i) + $0.delay, report(Double(i), lacking: $0.lacks)) } },
                with: &assembler)
        }
        let two = epochs(0..<20, [(0.1, [.course]), (0.2, [])])
        #expect(two.allSatisfy { $0.epoch.course != nil || $0.at < 2 })
        let one = epochs(20..<40, [(0.1, [.course])])
        #expect(one.filter { $0.held > 0.01 }.count <= 3)
        let again = epochs(40..<60, [(0.1, [.course]), (0.2, [])])
        #expect(again.dropFirst(3).allSatisfy { $0.epoch.course != nil })
    }

    @Test("a speed that gpsd reckoned itself is not told for the receiver's; standing still, the receiver's own is")
    func reckonedSpeed() {
        var assembler = EpochAssembler()
        // As a PinePhone's modem does it: GNS with a speed of gpsd's reckoning, then VTG and RMC with the receiver's.
        func epoch(_ i: Int, moving: Bool) -> [(Double, PositionReport)] {
            let t = Double(i)
            return [
                (t + 0.1, Scene.tpv(t, speed: 14, course: nil)),
                (t + 0.12, Scene.tpv(t, speed: moving ? 3 : 0, course: moving ? 120 : nil)),
            ]
        }
        let released = run((0..<40).flatMap { epoch($0, moving: $0 < 20) }, with: &assembler)
        #expect(released.prefix(20).dropFirst(2).allSatisfy { $0.epoch.speed == 3 })
        #expect(released.count == 40)
        #expect(released.dropFirst(20).prefix(3).allSatisfy { $0.epoch.speed == 0 })
    }
}
