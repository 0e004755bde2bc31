import PuckCore
import Testing

@Suite("Epochs")
struct EpochsTests {
    /// Feeds reports, each with its arrival in seconds, letting go when the time comes.
    private func run(_ reports: [(arrival: Double, report: Report)], with assembler: inout EpochAssembler) -> [Epoch] {
        var epochs: [Epoch] = []
        for (arrival, report) in reports {
            if let deadline = assembler.deadline, deadline < Scene.instant(arrival) {
                epochs += assembler.advance(to: deadline)
            }
            epochs += assembler.receive(report, at: Scene.moment(arrival))
        }
        if let deadline = assembler.deadline { epochs += assembler.advance(to: deadline) }
        return epochs
    }
    private func run(
        _ reports: [(arrival: Double, report: PositionReport)], with assembler: inout EpochAssembler
    ) -> [Epoch] {
        run(reports.map { ($0.arrival, Report.position($0.report)) }, with: &assembler)
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
        #expect(epochs.enumerated().allSatisfy { $1.arrival == Scene.moment(Double($0) + 0.1) })
        #expect(assembler.lateReports == 10)
    }

    @Test("P11 a less full report adds what was missing, and changes nothing")
    func lessFull() {
        var assembler = EpochAssembler()
        let epochs = run(
            [(0, Scene.tpv(0, altitude: nil, speed: 14)), (0.1, Scene.tpv(0, speed: 3, course: nil, eph: nil))],
            with: &assembler)
        #expect(epochs.map(\.speed) == [14])
        #expect(epochs.map(\.altitudeEllipsoid) == [500])
    }

    @Test("P11 what was learnt is kept while there is no fix: the first epoch with one again is whole")
    func regain() {
        var assembler = EpochAssembler()
        func epoch(_ i: Int) -> [(Double, PositionReport)] {
            let t = Double(i)
            return [(t, Scene.tpv(t, speed: 0, course: nil)), (t + 0.1, Scene.tpv(t, speed: 14))]
        }
        _ = run((0..<10).flatMap(epoch), with: &assembler)
        _ = run((10..<40).map { (Double($0), Scene.noFix(Double($0))) }, with: &assembler)
        let epochs = run((40..<43).flatMap(epoch), with: &assembler)
        #expect(epochs.map(\.speed) == [14, 14, 14])
        #expect(epochs.allSatisfy { $0.course != nil })
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

    @Test("P11 times that a receiver rounds differently from sentence to sentence are one epoch")
    func roundedTimes() {
        var assembler = EpochAssembler()
        let epochs = run(
            (0..<10).flatMap { i -> [(Double, PositionReport)] in
                let t = Double(i)
                return [
                    (t, Scene.tpv(t + 0.003, altitude: nil, course: nil)), (t + 0.02, Scene.tpv(t)),
                    (t + 0.5, Scene.tpv(t - 0.005)),
                ]
            }, with: &assembler)
        #expect(epochs.count == 10)
        #expect(epochs.dropFirst().allSatisfy { $0.course != nil })
    }

    @Test("P11 the first of the next epoch may come among the last of this one")
    func interleaved() {
        var assembler = EpochAssembler()
        // As a SiRFstarV does it: 14, 15, 14 and, a second later, 15, 16, 15.
        let epochs = run(
            (0..<10).flatMap { i -> [(Double, PositionReport)] in
                let t = Double(i)
                return [(t, Scene.tpv(t)), (t + 0.01, Scene.tpv(t + 1)), (t + 0.02, Scene.tpv(t))]
            }, with: &assembler)
        let times = epochs.compactMap(\.time)
        #expect(times.count == epochs.count)
        var gate = EpochGate()
        let fixes = epochs.compactMap { try? gate.judge($0).get() }
        #expect(Set(fixes.map(\.time)).count == 11)
        #expect(fixes.count == 11)
    }

    @Test("a mode without a fix inside an epoch that has one says nothing")
    func noFixInside() {
        var assembler = EpochAssembler()
        // As a Saab R4 starts: a position, a mode without a fix, then the rest.
        let epochs = run(
            [
                (0, Scene.tpv(0, mode: .twoDimensional, speed: nil, course: nil)), (0.01, Scene.noFix(0)),
                (0.02, Scene.tpv(0, mode: .twoDimensional)), (0.3, Scene.noFix(0)), (0.35, Scene.noFix(nil)),
            ], with: &assembler)
        #expect(epochs.first?.mode == .twoDimensional)
        #expect(epochs.first?.speed == 10)
        #expect(epochs.filter(\.hasFix).count == 1)
    }

    @Test("a fix that is lost is told within a cycle, also where the receiver's time stands still")
    func lostFix() {
        for frozen in [true, false] {
            var assembler = EpochAssembler()
            var epochs = run((0..<10).map { (Double($0), Scene.tpv(Double($0))) }, with: &assembler)
            epochs = run((10..<20).map { (Double($0), Scene.noFix(frozen ? 9 : Double($0))) }, with: &assembler)
            #expect(epochs.count == 10)
            #expect(epochs.allSatisfy { !$0.hasFix })
            // The first two are held for the fix that might still come; none for longer than a quarter.
            #expect(assembler.heldEpochs <= 2)
            epochs = run([(20, Scene.tpv(frozen ? 10 : 20))], with: &assembler)
            #expect(epochs.count == 1 && epochs[0].hasFix)
        }
    }

    @Test("a fix that comes right after its epoch was let go without one is not lost")
    func fixAfterNoFix() {
        var assembler = EpochAssembler()
        _ = run((0..<10).map { (Double($0), Scene.noFix(nil)) }, with: &assembler)
        let epochs = run([(10, Scene.noFix(10)), (10.02, Scene.tpv(10)), (10.04, Scene.noFix(10))], with: &assembler)
        #expect(epochs.map(\.hasFix) == [false, true])
    }

    @Test("reports without a time are merged where they come together and agree")
    func timeless() {
        var assembler = EpochAssembler()
        // As a Skytraq wakes: some without a time, then the same with it.
        var epochs = run(
            [
                (0, Scene.tpv(nil, speed: nil, course: nil)), (0.01, Scene.tpv(nil, speed: nil, course: nil)),
                (0.02, Scene.tpv(0)), (0.03, Scene.tpv(0)),
            ], with: &assembler)
        #expect(epochs.count == 1)
        #expect(epochs.first?.time == Scene.time(0))
        // As a depth sounder goes on: never one with a time, moving, at any rate.
        for cycle in [2.0, 0.1] {
            assembler = EpochAssembler()
            epochs = run(
                (0..<30).map { (Double($0) * cycle, Scene.tpv(nil, latitude: 48 + Double($0) * 1e-4)) },
                with: &assembler)
            #expect(epochs.count == 30)
            #expect(assembler.cycle.map { abs($0 - cycle) < 1e-6 } == true)
            #expect(assembler.heldEpochs <= 3)
        }
    }

    @Test("figures of the sky are of the newest report, whether it came before or after")
    func skyAndNoise() {
        func sky(_ hdop: Double) -> Report { .sky(SkyReport(device: Scene.device, hdop: hdop)) }
        func noise(_ sigma: Double) -> Report {
            .noise(NoiseReport(device: Scene.device, latitudeSigma: sigma, longitudeSigma: sigma, altitudeSigma: sigma))
        }
        var assembler = EpochAssembler()
        let epochs = run(
            [
                (0, .position(Scene.tpv(0))), (0.1, sky(1)), (0.1, noise(2)), (1, .position(Scene.tpv(1))),
                (1.9, sky(1.5)), (2, .position(Scene.tpv(2))), (9, .position(Scene.tpv(9))),
            ], with: &assembler)
        #expect(epochs.map(\.hdop) == [nil, 1, 1.5, nil])
        #expect(epochs.map(\.latitudeSigma) == [nil, 2, 2, nil])
        #expect(epochs.map(\.altitudeSigma) == [nil, 2, 2, nil])
    }

    @Test("P12 a report of another receiver starts anew, and nothing of the two is merged")
    func anotherDevice() {
        var assembler = EpochAssembler()
        let other = DeviceName("/dev/ttyUSB1")
        let epochs = run(
            [
                (0, Scene.tpv(0, course: nil)), (0.01, Scene.tpv(0, speed: 3, course: 200, device: other)),
                (1, Scene.tpv(1, device: other)),
            ], with: &assembler)
        #expect(epochs.map(\.device) == [other, other])
        #expect(epochs.map(\.course) == [Direction(200), Direction(90)])
    }

    @Test("P10 a step of the receiver's clock of any size loses no epoch to the assembler for long")
    func clockSteps() {
        for step in [-86_400.0, -3_600, -18, -3, -1, 1, 18, 3_600] {
            for cycle in [0.1, 1.0, 10] {
                var assembler = EpochAssembler()
                var gate = EpochGate()
                var newest = 0.0
                for i in 0..<60 {
                    let now = Double(i) * cycle
                    for epoch in run([(now, Scene.tpv(now + (i < 30 ? 0 : step)))], with: &assembler) {
                        guard case .success(let fix) = gate.judge(epoch) else { continue }
                        #expect(fix.arrival.seconds(since: Scene.instant(newest)) < max(4.01 * cycle, 1.2))
                        newest = fix.arrival.seconds(since: Scene.instant(0))
                    }
                }
                #expect(newest > 58.5 * cycle)
            }
        }
    }
}
