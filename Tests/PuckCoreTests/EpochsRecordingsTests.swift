import PuckCore
import Testing

@Suite("Epochs of recorded receivers", .enabled(if: !Recordings.names.isEmpty, "recordings are not at hand"))
struct EpochsRecordingsTests {
    @Test("P9, P11 no epoch twice, none backwards, no freeze", arguments: Recordings.names)
    func recording(_ name: String) throws {
        var assembler = EpochAssembler()
        var gate = EpochGate()
        var fixes: [Fix] = []
        var epochs: [Epoch] = []
        let reports = try Recordings.reports(of: name)
        #expect(!reports.isEmpty)
        func judge(_ some: [Epoch]) {
            epochs += some
            for epoch in some { if case .success(let fix) = gate.judge(epoch) { fixes.append(fix) } }
        }
        for recorded in reports {
            if let deadline = assembler.deadline, deadline < recorded.moment.monotonic {
                judge(assembler.advance(to: deadline))
            }
            judge(assembler.receive(recorded.report, at: recorded.moment))
        }
        if let deadline = assembler.deadline { judge(assembler.advance(to: deadline)) }

        for (earlier, later) in zip(fixes, fixes.dropFirst()) {
            #expect(later.instant >= earlier.instant)
            #expect(earlier.time == nil || later.time != earlier.time)
            #expect(later.arrival.seconds(since: earlier.arrival) < 30)
        }
        for fix in fixes { #expect(fix.arrival >= fix.instant) }
    }
}
