import PuckCore
import Testing

/// A wrong date costs a fix its date at most, never its place.
@Suite("Dates of receivers")
struct ReceiverDateTests {
    private static let week = 7 * 86_400.0
    private static let era = 1_024 * week
    /// What a host's clock that was never set says at the start, less the true time.
    private static let unset = 100 - Scene.start

    /// Epochs a second apart, of a receiver and a host whose dates are off by so many seconds; the fixes that came.
    private func fixes(
        seconds: Range<Int> = 0..<30, mode: FixMode = .threeDimensional, receiver: (Int) -> Double,
        host: (Int) -> Double = { _ in 0 }
    ) -> [Fix] {
        var gate = EpochGate()
        let fixes = seconds.compactMap { second -> Fix? in
            let now = Double(second)
            let epoch = Scene.epoch(now + receiver(second), arrival: now + 0.2, hostError: host(second), mode: mode)
            return try? gate.judge(epoch).get()
        }
        #expect(gate.refusals.total == 0)
        return fixes
    }

    /// Whether all came, each after the one before it and none older than its way to the host.
    private func isSteady(_ fixes: [Fix], count: Int = 30) -> Bool {
        fixes.count == count
            && zip(fixes, fixes.dropFirst()).allSatisfy { abs($1.instant.seconds(since: $0.instant) - 1) < 0.21 }
            && fixes.allSatisfy { (0...0.25).contains($0.arrival.seconds(since: $0.instant)) }
    }

    @Test("a date whole eras off is mended by a host's clock that was set", arguments: [-4, -3, -2, -1, 1, 2, 3])
    func wholeEras(_ eras: Int) {
        for mode in [FixMode.twoDimensional, .threeDimensional] {
            let fixes = fixes(mode: mode, receiver: { _ in Double(eras) * Self.era })
            #expect(isSteady(fixes))
            #expect(fixes.map(\.time) == (0..<30).map { Scene.time(Double($0)) })
        }
    }

    @Test(
        "a host an hour off, and leap seconds, are no reason not to mend", arguments: [-3_600.0, 3_600], [-18.0, 0, 18])
    func nearEnough(_ host: Double, _ leap: Double) {
        let fixes = fixes(receiver: { _ in -Self.era + leap }, host: { _ in host })
        #expect(isSteady(fixes))
        for (second, fix) in fixes.enumerated() { #expect(fix.time == Scene.time(Double(second) + leap)) }
    }

    @Test("where the host's clock was never set, a date that can't be is left out, and one that can is shown")
    func hostNeverSet() {
        let offs: [Double] = [-Self.era, -2 * Self.era, Self.era, -94_608_000, 788_400_000]
        for off in offs {
            let fixes = fixes(receiver: { _ in off }, host: { _ in Self.unset })
            #expect(isSteady(fixes))
            #expect(fixes.allSatisfy { $0.time == nil })
        }
        let right = fixes(receiver: { _ in 0 }, host: { _ in Self.unset })
        #expect(isSteady(right))
        #expect(right.map(\.time) == (0..<30).map { Scene.time(Double($0)) })
    }

    @Test("a host's clock that is set in the middle brings the date, and changes nothing else")
    func hostSetLate() {
        let fixes = fixes(receiver: { _ in -Self.era }, host: { $0 < 10 ? Self.unset : 0 })
        #expect(isSteady(fixes))
        for (second, fix) in fixes.enumerated() {
            #expect(fix.time == (second < 10 ? nil : Scene.time(Double(second))))
        }
    }

    @Test("a date that jumps to right, or to another era, in the middle changes nothing", arguments: [-2, -1, 0, 1, 2])
    func eraChanges(_ eras: Int) {
        let fixes = fixes(receiver: { $0 < 10 ? -Self.era : Double(eras) * Self.era })
        #expect(isSteady(fixes))
        #expect(fixes.map(\.time) == (0..<30).map { Scene.time(Double($0)) })
        // Also where nothing is known of the era.
        let unknown = self.fixes(receiver: { $0 < 10 ? -Self.era : Double(eras) * Self.era }, host: { _ in Self.unset })
        #expect(isSteady(unknown))
        for (second, fix) in unknown.enumerated() {
            #expect(fix.time == (second < 10 || eras != 0 ? nil : Scene.time(Double(second))))
        }
    }

    @Test(
        "a date that is neither right nor whole eras off is left out, and the place is not",
        arguments: [-2_000.0, -1_026, -1_000, -300, 50, 500, 1_000, 3_000])
    func notMended(_ weeks: Double) {
        let fixes = fixes(receiver: { _ in weeks * Self.week })
        #expect(isSteady(fixes))
        #expect(fixes.allSatisfy { $0.time == nil })
    }

    @Test("a host that was off for a week does not cost the receiver its date", arguments: [-100.0, -7, -2, 2, 7])
    func staleHost(_ days: Double) {
        let fixes = fixes(receiver: { _ in 0 }, host: { _ in days * 86_400 })
        #expect(isSteady(fixes))
        #expect(fixes.map(\.time) == (0..<30).map { Scene.time(Double($0)) })
    }

    @Test(
        "a garbled date in the middle costs its own epoch the date alone",
        arguments: [-16_790.0, -7_300, -5, 5, 400, 14_600, 25_550])
    func garbled(_ days: Double) {
        let fixes = fixes(receiver: { second in second == 12 || second == 20 ? days * 86_400 : 0 })
        #expect(isSteady(fixes))
        for (second, fix) in fixes.enumerated() {
            #expect(fix.time == (second == 12 || second == 20 ? nil : Scene.time(Double(second))))
        }
    }

    @Test("dates that are all garbled, each in its own way, stop nothing")
    func allGarbled() {
        var random = SeededGenerator(seed: 7)
        let fixes = fixes(receiver: { _ in Double.random(in: -2e9...2e9, using: &random) })
        #expect(isSteady(fixes))
    }

    @Test("a date before 1930 or after 2199 is none, and the place is taken", arguments: [-4e9, 6e9, -9e9, 7e9])
    func unreckonable(_ seconds: Double) {
        let fixes = fixes(receiver: { _ in seconds })
        #expect(isSteady(fixes))
        #expect(fixes.allSatisfy { $0.time == nil })
    }

    @Test("another receiver with another era is another matter")
    func mixedReceivers() {
        var gate = EpochGate()
        for second in 0..<40 {
            let isOld = (second / 10).isMultiple(of: 2)
            let epoch = Scene.epoch(
                Double(second) - (isOld ? Self.era : 0), arrival: Double(second) + 0.1,
                device: DeviceName(isOld ? "/dev/ttyUSB0" : "/dev/ttyACM0"))
            #expect((try? gate.judge(epoch).get())?.time == Scene.time(Double(second)))
        }
    }
}
