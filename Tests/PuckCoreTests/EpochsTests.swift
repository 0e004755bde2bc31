import PuckCore
import Testing

@Suite("Epochs")
struct EpochsTests {
    /// Feeds position reports, each with its arrival in seconds, letting go when the time comes.
    private func run(
        _ reports: [(arrival: Double, report: PositionReport)], with assembler: inout EpochAssembler
    ) -> [Epoch] {
        var epochs: [Epoch] = []
        for (arrival, report) in reports {
            if let deadline = assembler.deadline, deadline < Scene.instant(arrival) {
                epochs += assembler.advance(to: deadline)
            }
            epochs += assembler.receive(.position(report), at: Scene.moment(arrival))
        }
        if let deadline = assembler.deadline { epochs += assembler.advance(to: deadline) }
        return epochs
    }

    @Test("P11 a receiver that sends one full report an epoch is never held")
    func oneFullReport() {
        var assembler = EpochAssembler()
        let epochs = run((0..<20).map { (Double($0) + 0.1, Scene.tpv(Double($0))) }, with: &assembler)
        #expect(epochs.count == 20)
        #expect(assembler.heldEpochs == 0)
        #expect(assembler.cycle == 1)
    }

    @Test("P11 a receiver that never gives a course is held for the first two epochs only")
    func neverACourse() {
        var assembler = EpochAssembler()
        let epochs = run((0..<20).map { (Double($0), Scene.tpv(Double($0), course: nil)) }, with: &assembler)
        #expect(epochs.count == 20)
        #expect(assembler.heldEpochs == 2)
    }

    @Test("P11 parts of one epoch are merged, and the fullest report stands against a speed of gpsd's own reckoning")
    func merged() {
        var assembler = EpochAssembler()
        let epochs = run(
            (0..<10).flatMap { i -> [(Double, PositionReport)] in
                let t = Double(i)
                return [
                    (t + 0.10, Scene.tpv(t, speed: 0, course: nil)),
                    (t + 0.13, Scene.tpv(t, altitude: nil, speed: 14, course: 80)),
                    (t + 0.14, Scene.tpv(t, speed: 14, course: 81)),
                ]
            }, with: &assembler)
        #expect(epochs.count == 10)
        #expect(epochs.allSatisfy { $0.speed == 14 && $0.course == Direction(80) && $0.altitudeEllipsoid == 500 })
        #expect(epochs.allSatisfy { $0.arrival.monotonic.seconds(since: Scene.instant(0)) < 9.11 })
        #expect(assembler.lateReports == 10)
    }

    @Test("P11 what comes after a quarter of a cycle is late, counted, and no second epoch")
    func late() {
        var assembler = EpochAssembler()
        let epochs = run(
            (0..<10).flatMap { i -> [(Double, PositionReport)] in
                [(Double(i), Scene.tpv(Double(i), course: nil)), (Double(i) + 0.4, Scene.tpv(Double(i)))]
            }, with: &assembler)
        #expect(epochs.count == 10)
        #expect(assembler.lateReports == 10)
        #expect(assembler.heldEpochs <= 2)
        // Its speed is gpsd's reckoning: the receiver's is still to come.
        #expect(epochs.suffix(4).allSatisfy { $0.speed == nil })
    }
}
