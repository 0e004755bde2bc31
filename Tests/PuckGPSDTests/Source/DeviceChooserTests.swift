import PuckCore
import Testing

@testable import PuckGPSD

@Suite("The choice of a receiver")
struct DeviceChooserTests {
    private let a = DeviceName("/dev/ttyACM0")
    private let b = DeviceName("/dev/ttyUSB0")

    private func open(_ name: DeviceName) -> DeviceInfo { DeviceInfo(name: name, activation: .active) }
    private func instant(_ seconds: Double) -> Instant { at(seconds).monotonic }

    private func fix(_ name: DeviceName, _ seconds: Double, mode: FixMode = .threeDimensional) -> Report {
        .position(PositionReport(device: name, time: at(seconds).utc, mode: mode))
    }

    private func expectTaken(_ chooser: inout DeviceChooser, _ report: Report, _ seconds: Double) {
        let isTaken = chooser.takes(report, at: instant(seconds))
        #expect(isTaken)
    }

    /// What is taken of reports that come once a second in turn, A's half a second before B's.
    private func taken(
        _ chooser: inout DeviceChooser, from start: Int, to end: Int, a modeA: FixMode?, b modeB: FixMode?
    ) -> [DeviceName] {
        var taken: [DeviceName] = []
        for second in start..<end {
            let now = Double(second)
            if let modeA, chooser.takes(fix(a, now, mode: modeA), at: instant(now)) { taken.append(a) }
            if let modeB, chooser.takes(fix(b, now + 0.5, mode: modeB), at: instant(now + 0.5)) { taken.append(b) }
        }
        return taken
    }

    @Test("one receiver more than are kept track of is told apart from those that are")
    func tooMany() {
        var chooser = DeviceChooser()
        let now = Instant(seconds: 1)
        func info(_ number: Int) -> DeviceInfo { DeviceInfo(name: DeviceName("/dev/\(number)"), activation: .active) }
        var kept = (0..<257).map { chooser.update(info($0), at: now) }
        kept.append(chooser.update(info(7), at: now))
        #expect(kept == [Bool](repeating: true, count: 256) + [false, true])
        #expect(chooser.known.count == 256)
    }

    @Test("P12 two receivers never interleave")
    func neverInterleaved() {
        var chooser = DeviceChooser()
        chooser.list([open(a), open(b)], at: instant(0))
        let taken = taken(&chooser, from: 0, to: 600, a: .threeDimensional, b: .threeDimensional)
        #expect(taken == Array(repeating: a, count: 600))
    }

    @Test("libgps trap 17: the configured receiver is used, though the other speaks first")
    func configuredIsWaitedFor() {
        var chooser = DeviceChooser(configured: [b])
        chooser.list([open(a), open(b)], at: instant(0))
        let taken = taken(&chooser, from: 0, to: 60, a: .threeDimensional, b: .threeDimensional)
        #expect(taken == Array(repeating: b, count: 60))
    }

    @Test("libgps trap 17: after silence the other takes its place, and gives it back once it returns")
    func fallback() {
        var chooser = DeviceChooser(configured: [b])
        chooser.list([open(a), open(b)], at: instant(0))
        #expect(Set(taken(&chooser, from: 0, to: 20, a: .threeDimensional, b: .threeDimensional)) == [b])
        let silent = taken(&chooser, from: 20, to: 40, a: .threeDimensional, b: nil)
        // B was last heard at 19.5; A is taken from 25 on.
        #expect(silent == Array(repeating: a, count: 15))
        // A speaks at 40, then B, and from there on B alone.
        let back = taken(&chooser, from: 40, to: 60, a: .threeDimensional, b: .threeDimensional)
        #expect(back == [a] + Array(repeating: b, count: 20))
    }

    @Test("a configured receiver that returns without a fix does not take the place of one that has it")
    func returnsWithoutFix() {
        var chooser = DeviceChooser(configured: [b])
        chooser.list([open(a), DeviceInfo(name: b, activation: .unopened)], at: instant(0))
        #expect(Set(taken(&chooser, from: 0, to: 10, a: .threeDimensional, b: nil)) == [a])
        chooser.update(open(b), at: instant(10))
        #expect(Set(taken(&chooser, from: 10, to: 40, a: .threeDimensional, b: FixMode.none)) == [a])
        #expect(taken(&chooser, from: 40, to: 42, a: .threeDimensional, b: .twoDimensional) == [a, b, b])
    }

    @Test("a configured receiver that gpsd does not have is not waited for; one that says nothing, for 5 s")
    func configuredIsAbsent() {
        var absent = DeviceChooser(configured: [b])
        absent.list([open(a)], at: instant(0))
        expectTaken(&absent, fix(a, 0), 0)
        var silent = DeviceChooser(configured: [b])
        silent.list([open(a), open(b)], at: instant(0))
        #expect(taken(&silent, from: 0, to: 8, a: .threeDimensional, b: nil) == Array(repeating: a, count: 3))
    }

    @Test("a compass gives way to a receiver that looks for a fix, and not the other way round")
    func compass() {
        var chooser = DeviceChooser()
        #expect(taken(&chooser, from: 0, to: 1, a: .unseen, b: nil) == [a])
        #expect(taken(&chooser, from: 1, to: 5, a: .unseen, b: FixMode.none) == [a, b, b, b, b])
        #expect(taken(&chooser, from: 5, to: 7, a: .unseen, b: .threeDimensional) == [b, b])
        // A short loss of the fix is no reason to change, though A had one now; a long one is.
        #expect(Set(taken(&chooser, from: 7, to: 15, a: .threeDimensional, b: FixMode.none)) == [b])
        #expect(taken(&chooser, from: 15, to: 30, a: .threeDimensional, b: FixMode.none).last == a)
    }

    @Test("a slow receiver is not silent between its reports")
    func slowReceiver() {
        var chooser = DeviceChooser(configured: [a])
        chooser.list([open(a), open(b)], at: instant(0))
        var taken: [DeviceName] = []
        for second in 0..<200 {
            let now = Double(second)
            if second % 10 == 0, chooser.takes(fix(a, now), at: instant(now)) { taken.append(a) }
            if chooser.takes(fix(b, now + 0.5), at: instant(now + 0.5)) { taken.append(b) }
        }
        // While its rhythm is not known, the other may step in; from then on it does not.
        #expect(Set(taken.suffix(14)) == [a])
    }

    @Test("libgps trap 16: a receiver that is closed gives way at once")
    func closed() {
        var chooser = DeviceChooser()
        chooser.list([open(a), open(b)], at: instant(0))
        #expect(taken(&chooser, from: 0, to: 3, a: .threeDimensional, b: .threeDimensional) == [a, a, a])
        chooser.update(DeviceInfo(name: a, activation: .closed), at: instant(3))
        #expect(chooser.chosen?.name == b)
        #expect(chooser.hasReceiver)
        chooser.update(DeviceInfo(name: b, activation: .closed), at: instant(3))
        #expect(chooser.chosen == nil)
        #expect(!chooser.hasReceiver)
    }

    @Test("S4 re-plugged under another name, it is used under that")
    func replugged() {
        var chooser = DeviceChooser()
        chooser.list([open(a)], at: instant(0))
        #expect(chooser.awaited?.name == a)
        expectTaken(&chooser, fix(a, 0), 0)
        chooser.update(DeviceInfo(name: a, activation: .closed), at: instant(1))
        let again = DeviceName("/dev/ttyACM1")
        chooser.update(open(again), at: instant(3))
        #expect(chooser.awaited?.name == again)
        expectTaken(&chooser, fix(again, 4), 4)
        #expect(chooser.chosen?.name == again)
    }

    @Test("S4 a configured link that leads to another name is followed")
    func linkMoves() {
        var chooser = DeviceChooser(configured: [a])
        chooser.list([open(a), open(b)], at: instant(0))
        #expect(Set(taken(&chooser, from: 0, to: 3, a: .threeDimensional, b: .threeDimensional)) == [a])
        chooser.prefer([b])
        #expect(taken(&chooser, from: 3, to: 5, a: .threeDimensional, b: .threeDimensional) == [a, b, b])
    }

    @Test("a list leaves out what is gone, and a name that only speaks becomes known")
    func lists() {
        var chooser = DeviceChooser()
        expectTaken(&chooser, fix(a, 0), 0)
        #expect(chooser.hasReceiver)
        chooser.list([open(b)], at: instant(1))
        #expect(chooser.known == [b])
        #expect(chooser.chosen == nil)
    }

    @Test("no number of names fills the memory")
    func bounded() {
        var chooser = DeviceChooser()
        for number in 0..<10_000 { _ = chooser.takes(fix(DeviceName("/dev/\(number)"), 0), at: instant(0)) }
        #expect(chooser.known.count <= 256)
        expectTaken(&chooser, fix(DeviceName("/dev/0"), 1), 1)
    }
}
