import PuckCore
import Testing

@Suite("Gate")
struct GateTests {
    private func reason(_ result: Result<Fix, RefusalReason>) -> RefusalReason? {
        if case .failure(let reason) = result { reason } else { nil }
    }
    private func passes(_ result: Result<Fix, RefusalReason>) -> Bool { reason(result) == nil }

    @Test("P9 mode alone says whether there is a fix", arguments: [FixMode.unseen, .none])
    func noFix(_ mode: FixMode) {
        var gate = EpochGate()
        #expect(reason(gate.judge(Scene.epoch(0, mode: mode))) == .noFix)
        #expect(gate.refusals[.noFix] == 1)
        #expect(gate.refusals.total == 1)
    }

    @Test("P9 a fix without a position is refused by name")
    func noPosition() {
        var gate = EpochGate()
        #expect(reason(gate.judge(Scene.epoch(0, latitude: nil))) == .noPosition)
        #expect(passes(gate.judge(Scene.epoch(0))))
    }

    @Test("P9 exactly (0, 0) is refused, unless the fix before it was near")
    func nullIsland() {
        var gate = EpochGate()
        #expect(reason(gate.judge(Scene.epoch(0, latitude: 0, longitude: 0))) == .nullIsland)
        #expect(passes(gate.judge(Scene.epoch(1))))
        #expect(reason(gate.judge(Scene.epoch(2, latitude: 0, longitude: 0))) == .nullIsland)
        gate.reset()
        #expect(passes(gate.judge(Scene.epoch(3, latitude: 0.0001, longitude: -0.0001))))
        #expect(passes(gate.judge(Scene.epoch(4, latitude: 0, longitude: 0))))
        #expect(passes(gate.judge(Scene.epoch(5, latitude: 0, longitude: 0))))
        #expect(gate.refusals[.nullIsland] == 2)
        // Either alone is a place.
        #expect(passes(gate.judge(Scene.epoch(6, latitude: 0, longitude: 30))))
        #expect(passes(gate.judge(Scene.epoch(7, latitude: 51, longitude: 0))))
    }

    private static let week = 7 * 86_400.0

    private func fix(_ result: Result<Fix, RefusalReason>) -> Fix? { try? result.get() }

    @Test("P9 a recording of any other date is taken", arguments: [-1.0, -300, -1000, -1022, -1026, -2000, 50])
    func oldRecording(_ weeks: Double) {
        var gate = EpochGate()
        for i in 0..<5 {
            #expect(passes(gate.judge(Scene.epoch(weeks * Self.week + Double(i), arrival: Double(i)))))
        }
    }

    @Test("no time, however odd, stops the gate", arguments: [Int64.min, Int64.max, 0, -1])
    func oddTimes(_ nanoseconds: Int64) {
        var assembler = EpochAssembler()
        var gate = EpochGate()
        for (i, time) in [Scene.time(0), UTC(nanoseconds: nanoseconds), Scene.time(2)].enumerated() {
            var report = Scene.tpv(0)
            report.time = time
            for epoch in assembler.receive(.position(report), at: Scene.moment(Double(i))) {
                #expect(fix(gate.judge(epoch))?.time == (i == 1 ? nil : Scene.time(Double(i))))
            }
        }
        #expect(gate.refusals.total == 0)
    }

    @Test("P11 an epoch is taken once")
    func repeated() {
        var gate = EpochGate()
        #expect(passes(gate.judge(Scene.epoch(0))))
        #expect(reason(gate.judge(Scene.epoch(0, arrival: 0.4))) == .repeated)
        #expect(passes(gate.judge(Scene.epoch(1))))
        for i in 1..<20 { #expect(reason(gate.judge(Scene.epoch(1, arrival: Double(i)))) == .repeated) }
    }

    @Test("P10 a straggler is refused, and stragglers among the others always are")
    func straggler() {
        var gate = EpochGate()
        for i in 0..<50 {
            let now = Double(i) / 10
            #expect(passes(gate.judge(Scene.epoch(now))))
            if i % 3 == 2 { #expect(reason(gate.judge(Scene.epoch(now - 0.45, arrival: now))) == .backwards) }
        }
    }

    @Test(
        "P10 a receiver's clock that is set back is followed after three epochs at most",
        arguments: [-1.0, -2.0, -3.0, -18.0, -3_600.0, -630_720_000.0], [0.1, 1.0, 10.0])
    func setBack(_ step: Double, _ cycle: Double) {
        var gate = EpochGate()
        var taken: [Fix] = []
        for i in 0..<40 {
            let now = Double(i) * cycle
            // The host's clock is 2 min off, so that it confirms neither.
            let result = gate.judge(
                Scene.epoch(now + (i >= 20 ? step : 0), arrival: now, hostError: 120))
            if case .success(let fix) = result { taken.append(fix) }
        }
        for (earlier, later) in zip(taken, taken.dropFirst()) {
            // A date that is years off is not shown.
            #expect(later.time != earlier.time || later.time == nil)
            #expect(later.instant > earlier.instant)
            #expect(later.arrival >= later.instant)
            #expect(later.arrival.seconds(since: earlier.arrival) < 4.01 * cycle)
            // It goes on in the present: no false age.
            #expect(later.arrival.seconds(since: later.instant) < max(3, cycle))
        }
    }

    @Test(
        "P10 where the host's clock confirms the new time it is followed at once",
        arguments: [3_600.0, 77_760_000.0])
    func confirmed(_ error: Double) {
        var gate = EpochGate()
        #expect(passes(gate.judge(Scene.epoch(error, arrival: 0))))
        #expect(passes(gate.judge(Scene.epoch(1, arrival: 1))))
        #expect(passes(gate.judge(Scene.epoch(2, arrival: 2))))
    }

    @Test("P10 one date far ahead does not take the receiver there, and costs no place; a date that stays does")
    func farAhead() {
        var gate = EpochGate()
        // 100 days, by a host that is as far off: neither date is known to be wrong.
        let ahead = 86_400.0 * 100
        #expect(fix(gate.judge(Scene.epoch(0)))?.time == Scene.time(0))
        let stray = fix(gate.judge(Scene.epoch(ahead, arrival: 1, hostError: ahead / 2)))
        #expect(stray != nil && stray?.time == nil)
        #expect(fix(gate.judge(Scene.epoch(2)))?.time == Scene.time(2))
        let fixes = (3..<10).map {
            fix(gate.judge(Scene.epoch(ahead + Double($0), arrival: Double($0), hostError: ahead / 2)))
        }
        for (second, fix) in zip(3..<10, fixes) {
            #expect(fix?.arrival == Scene.instant(Double(second)))
            #expect(fix?.time == (second < 5 ? nil : Scene.time(ahead + Double(second))))
        }
        for (earlier, later) in zip(fixes, fixes.dropFirst()) { #expect(later?.instant != earlier?.instant) }
    }

    @Test("P10 steps of ± 1 h of the host's clock change nothing", arguments: [3_600.0, -3_600])
    func hostSteps(_ step: Double) {
        var gate = EpochGate()
        var fixes: [Fix] = []
        for i in 0..<60 {
            let now = Double(i)
            let result = gate.judge(
                Scene.epoch(now, arrival: now + 0.15, hostError: i >= 20 && i < 40 ? step : 0))
            if case .success(let fix) = result { fixes.append(fix) }
        }
        #expect(fixes.count == 60)
        for (i, fix) in fixes.enumerated() {
            #expect(abs(fix.instant.seconds(since: Scene.instant(Double(i)))) < 1e-6)
            #expect(abs(fix.arrival.seconds(since: fix.instant) - 0.15) < 1e-6)
        }
    }

    @Test("a receiver without time works by arrival")
    func timeless() {
        var gate = EpochGate()
        for i in 0..<10 {
            guard case .success(let fix) = gate.judge(Scene.epoch(nil, arrival: Double(i))) else {
                Issue.record("refused")
                return
            }
            #expect(fix.time == nil)
            #expect(fix.instant == Scene.instant(Double(i)))
        }
    }

    @Test("P12 another receiver starts a timeline of its own")
    func anotherDevice() {
        var gate = EpochGate()
        #expect(passes(gate.judge(Scene.epoch(100, arrival: 0))))
        #expect(passes(gate.judge(Scene.epoch(50, arrival: 1, device: DeviceName("/dev/ttyUSB1")))))
        #expect(reason(gate.judge(Scene.epoch(50, arrival: 2, device: DeviceName("/dev/ttyUSB1")))) == .repeated)
    }

    @Test("values that can't be are left out, and the fix is kept")
    func impossibleValues() {
        var gate = EpochGate()
        for (i, value) in [Double.nan, .infinity, -.infinity, -1e9, 1e9].enumerated() {
            var epoch = Scene.epoch(Double(i))
            epoch.speed = value
            epoch.altitudeEllipsoid = value
            epoch.altitudeMSL = value
            epoch.eph = value
            epoch.epv = value
            epoch.latitudeSigma = value
            epoch.longitudeSigma = value
            epoch.altitudeSigma = value
            epoch.hdop = 1.2
            guard case .success(let fix) = gate.judge(epoch) else {
                Issue.record("refused \(value)")
                continue
            }
            #expect(fix.speed == nil)
            #expect(fix.altitudeEllipsoid == nil)
            #expect(fix.altitudeMSL == nil)
            #expect(fix.altitudeAccuracy == nil)
            #expect(fix.accuracy.map { abs($0 - 22.8) < 1e-9 } == true)
        }
    }

    @Test("the best figure of horizontal accuracy is taken, best first")
    func accuracy() {
        var epoch = Scene.epoch(0)
        #expect(HorizontalAccuracy(of: epoch) == nil)
        epoch.hdop = 1
        #expect(HorizontalAccuracy(of: epoch)?.source == .hdop)
        epoch.epx = 3
        epoch.epy = 4
        #expect(HorizontalAccuracy(of: epoch)?.source == .axes)
        #expect(HorizontalAccuracy(of: epoch)?.radius == 5)
        epoch.eph = 7
        #expect(HorizontalAccuracy(of: epoch)?.source == .eph)
        #expect(HorizontalAccuracy(of: epoch)?.radius == 7)
        epoch.latitudeSigma = 1
        epoch.longitudeSigma = 1
        let circular = HorizontalAccuracy(of: epoch)
        #expect(circular?.source == .noise)
        #expect(circular.map { abs($0.radius - 2.4477) < 0.01 } == true)
        epoch.longitudeSigma = 0
        #expect(HorizontalAccuracy(of: epoch).map { abs($0.radius - 1.96) < 1e-9 } == true)
        epoch.latitudeSigma = 0.001
        #expect(HorizontalAccuracy(of: epoch)?.radius == HorizontalAccuracy.defaultFloor)
        #expect(HorizontalAccuracy(of: epoch, floor: 1)?.radius == 1)
    }
}
