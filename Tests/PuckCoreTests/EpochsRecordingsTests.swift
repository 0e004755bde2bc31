import PuckCore
import Testing

@Suite("Epochs of recorded receivers", .enabled(if: !Recordings.names.isEmpty, "recordings are not at hand"))
struct EpochsRecordingsTests {
    private struct Outcome {
        var reports: [RecordedReport]
        var epochs: [Epoch] = []
        var fixes: [Fix] = []
        var assembler = EpochAssembler()
        var gate = EpochGate()

        mutating func judge(_ some: [Epoch]) {
            epochs += some
            for epoch in some { if case .success(let fix) = gate.judge(epoch) { fixes.append(fix) } }
        }
    }

    private func replay(_ name: String) throws -> Outcome {
        var outcome = Outcome(reports: try Recordings.reports(of: name))
        for recorded in outcome.reports {
            if let deadline = outcome.assembler.deadline, deadline < recorded.moment.monotonic {
                outcome.judge(outcome.assembler.advance(to: deadline))
            }
            outcome.judge(outcome.assembler.receive(recorded.report, at: recorded.moment))
        }
        if let deadline = outcome.assembler.deadline { outcome.judge(outcome.assembler.advance(to: deadline)) }
        return outcome
    }

    @Test("P9, P11 no epoch twice, none backwards, no freeze", arguments: Recordings.names)
    func recording(_ name: String) throws {
        let outcome = try replay(name)
        let (reports, epochs, fixes) = (outcome.reports, outcome.epochs, outcome.fixes)
        let (assembler, gate) = (outcome.assembler, outcome.gate)
        #expect(!reports.isEmpty)
        for (earlier, later) in zip(fixes, fixes.dropFirst()) {
            #expect(later.instant >= earlier.instant)
            #expect(earlier.time == nil || later.time != earlier.time)
        }
        for fix in fixes { #expect(fix.arrival >= fix.instant) }
        // No freeze: a fix for each time that came with a position, but for the two that a jump in time costs.
        let times = reports.compactMap { recorded -> UTC? in
            guard case .position(let report) = recorded.report, report.mode.hasFix, report.coordinate != nil else {
                return nil
            }
            return report.time
        }
        // (A date that is years off the host's clock is left out of its fix.)
        #expect(fixes.count >= distinct(times) - 2)
        // Nothing is held twice, and what is left over is counted.
        let positions = reports.count {
            if case .position = $0.report { true } else { false }
        }
        #expect(epochs.count <= positions)
        #expect(assembler.epochs == epochs.count)
        #expect(assembler.heldEpochs <= epochs.count)
        #expect(gate.refusals.total == epochs.count - fixes.count)
    }

    /// How many times there are that are not of one epoch: those within 20 ms of another are a rounding of it.
    private func distinct(_ times: [UTC]) -> Int {
        var count = 0
        var last: UTC?
        for time in times.sorted() {
            if last.map({ time.seconds(since: $0) > 0.02 }) ?? true { count += 1 }
            last = time
        }
        return count
    }

    /// What a recording must come to, where it is at hand: fixes, epochs held, and refusals by name.
    private static let expectations: [(name: String, fixes: ClosedRange<Int>, held: ClosedRange<Int>)] = [
        // One full report an epoch: hardly ever held.
        ("garmin18x-bin.log.chk", 29...29, 0...2), ("neo-m8n.log.chk", 22...22, 0...3),
        ("nmea-rtk.log.chk", 122...122, 0...2), ("ublox-zed-f9p-hp.log.chk", 28...28, 0...2),
        ("ublox-neo-m8n.log.chk", 22...22, 0...2), ("ublox-glo.log.chk", 291...291, 0...4),
        // Several reports an epoch, the first of them full.
        ("navisys-gr701w.log.chk", 55...55, 0...6), ("ublox-8-time.log.chk", 89...89, 0...2),
        ("saab-r4.log.chk", 12...12, 0...3), ("trimble-smtx-dr.log.chk", 38...38, 0...5),
        // The first of them with a speed of gpsd's own reckoning: held for the receiver's.
        ("quectel-eg25-g.log.chk", 23...25, 20...27), ("hemi.log.chk", 6...6, 5...12),
        // Measured fixes among interpolated ones of the same times, half a second late.
        ("ublox-neo-m8l.log.chk", 189...189, 0...2),
        // No time at all.
        ("sounder.log.chk", 122...122, 0...3),
        // No fix at all.
        ("bu303-nofix.log.chk", 0...0, 0...3), ("pypilot.log.chk", 0...0, 0...3),
    ]

    @Test("P11 as many fixes as the receiver made, held as seldom as it can be", arguments: expectations)
    func expectation(_ expected: (name: String, fixes: ClosedRange<Int>, held: ClosedRange<Int>)) throws {
        guard Recordings.names.contains(expected.name) else { return }
        let outcome = try replay(expected.name)
        #expect(expected.fixes ~= outcome.fixes.count)
        #expect(expected.held ~= outcome.assembler.heldEpochs)
    }
}
