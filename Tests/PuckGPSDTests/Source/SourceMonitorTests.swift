import PuckCore
import Testing

@testable import PuckGPSD

/// A source as a test drives it: what it is told, and every change that comes of it, by whoever brought it about.
private struct Source {
    var monitor: SourceMonitor
    var changes: [(state: SourceState, seconds: Double)] = []
    var rhythm = Rhythm()
    let receiver = DeviceInfo(name: DeviceName("/dev/ttyACM0"), driver: "u-blox", activation: .active)

    init(timeout: Double = 30) { monitor = SourceMonitor(timeout: timeout, at: at(0)) }

    var states: [SourceState] { changes.map(\.state) }

    mutating func note(_ status: SourceStatus?, _ seconds: Double) {
        if let status { changes.append((status.state, seconds)) }
    }

    /// Lets the clock run to `seconds`, at no other instants than those it was asked for.
    mutating func wait(until seconds: Double) {
        while let deadline = monitor.deadline, deadline <= at(seconds).monotonic {
            let now = deadline.seconds(since: at(0).monotonic)
            note(monitor.advance(to: at(now)), now)
        }
    }

    mutating func connect(at seconds: Double, device: DeviceInfo?) {
        wait(until: seconds)
        note(monitor.connected(at: at(seconds)), seconds)
        use(device, at: seconds)
    }

    mutating func use(_ device: DeviceInfo?, at seconds: Double) {
        wait(until: seconds)
        note(monitor.use(device, hasReceiver: device != nil, at: at(seconds)), seconds)
    }

    mutating func hear(_ mode: FixMode, at seconds: Double) {
        wait(until: seconds)
        rhythm.heard(at(seconds).utc, at: at(seconds).monotonic)
        let report = Report.position(PositionReport(device: receiver.name, time: at(seconds).utc, mode: mode))
        note(monitor.heard(report, silence: rhythm.silence, at: at(seconds)), seconds)
    }

    /// A connected receiver that had a fix each second from 0 to 10.
    static func withFix(timeout: Double = 30) -> Source {
        var source = Source(timeout: timeout)
        source.connect(at: 0, device: source.receiver)
        for second in 0...10 { source.hear(.threeDimensional, at: Double(second)) }
        source.changes = []
        return source
    }
}

@Suite("The state of the source")
struct SourceMonitorTests {
    @Test("it begins without a daemon, and a fix is the first change")
    func beginning() {
        var source = Source()
        #expect(source.monitor.status.state == .noDaemon)
        #expect(source.monitor.deadline == nil)
        source.connect(at: 1, device: source.receiver)
        source.hear(.none, at: 1.5)
        source.hear(.threeDimensional, at: 2.5)
        #expect(source.states == [.fix])
        #expect(source.monitor.status.device == source.receiver.name)
        #expect(source.monitor.status.driver == "u-blox")
        #expect(source.monitor.status.fix == .threeDimensional)
        #expect(source.monitor.status.since == at(2.5))
        #expect(source.monitor.status.reason == nil)
    }

    @Test("satellites are told as they change, every 2 s at most, also without a fix")
    func satellites() {
        var source = Source()
        source.connect(at: 0, device: source.receiver)
        source.hear(.none, at: 0.5)
        source.wait(until: 10)
        source.changes = []
        // Ten changes a second for a minute.
        var told: [Int?] = []
        for step in 0..<600 {
            let seconds = 10 + Double(step) / 10
            source.wait(until: seconds)
            let sky = SkyReport(device: source.receiver.name, used: 0, visible: step)
            let status = source.monitor.heard(.sky(sky), silence: 5, at: at(seconds))
            source.note(status, seconds)
            if let status { told.append(status.satellitesVisible) }
        }
        #expect(source.states.allSatisfy { $0 == .noFix })
        #expect((29...31).contains(source.changes.count))
        for (a, b) in zip(source.changes, source.changes.dropFirst()) { #expect(b.seconds - a.seconds >= 1.999) }
        #expect(told.first == 0)
        // The last of them is told by the clock, and after that nothing.
        source.wait(until: 73)
        #expect(source.monitor.status.satellitesVisible == 599)
        #expect(source.changes.last.map { $0.seconds > 69 && $0.seconds <= 72 } == true)
        let count = source.changes.count
        for step in 0..<10 {
            let sky = SkyReport(device: source.receiver.name, used: 0, visible: 599)
            source.note(source.monitor.heard(.sky(sky), silence: 5, at: at(73 + Double(step))), 73 + Double(step))
        }
        #expect(source.changes.count == count)
    }

    @Test("how a fix came about is told, though not each report of an epoch says it")
    func fixStatus() {
        var source = Source.withFix()
        func hear(_ status: FixStatus, _ seconds: Double) {
            source.wait(until: seconds)
            var report = PositionReport(device: source.receiver.name, time: at(seconds).utc, mode: .threeDimensional)
            report.status = status
            source.note(source.monitor.heard(.position(report), silence: 2, at: at(seconds)), seconds)
        }
        for second in 11..<40 {
            hear(.normal, Double(second))
            hear(.deadReckoning, Double(second) + 0.1)
        }
        #expect(source.monitor.status.fixStatus == .deadReckoning)
        #expect(source.changes.count == 1)
        for second in 40..<60 { hear(.normal, Double(second)) }
        #expect(source.monitor.status.fixStatus == nil)
        #expect(source.states == [.fix, .fix])
    }

    @Test("why gpsd can't be reached is told once for each reason")
    func reasons() {
        var source = Source()
        for (second, reason) in [
            (0.0, "refused"), (1, "refused"), (3, "no answer"), (61, "no answer"), (90, "no answer"),
        ] {
            source.note(source.monitor.disconnected(reason: reason, at: at(second)), second)
            #expect(source.monitor.status.reason == reason)
        }
        // The first at once; another only when gpsd is away for so long that it is no restart.
        #expect(source.changes.map(\.seconds) == [0, 61])
        #expect(source.monitor.status.since == at(0))
    }

    @Test("S3 without a receiver: no-device, within 5 s")
    func noDevice() {
        var source = Source()
        source.connect(at: 0, device: nil)
        source.wait(until: 3_600)
        #expect(source.states == [.noDevice])
        #expect(source.changes[0].seconds <= 5)
    }

    @Test("S3 unplugged: no-device, at once")
    func unplugged() {
        var source = Source.withFix()
        source.use(nil, at: 10.5)
        source.wait(until: 3_600)
        #expect(source.states == [.noDevice])
        #expect(source.monitor.status.device == nil)
    }

    @Test("S3 a receiver that says nothing: no-data, within 5 s")
    func noData() {
        var source = Source()
        source.connect(at: 0, device: source.receiver)
        source.wait(until: 3_600)
        #expect(source.states == [.noData])
        #expect(source.changes[0].seconds <= 5)
        #expect(source.monitor.status.device == source.receiver.name)
    }

    @Test("S3 without sky view from the start: no-fix, within 5 s")
    func noFixAtFirst() {
        var source = Source()
        source.connect(at: 0, device: source.receiver)
        for second in 0...60 { source.hear(.none, at: Double(second)) }
        #expect(source.states == [.noFix])
        #expect(source.changes[0].seconds <= 5)
        #expect(source.monitor.status.fix == FixMode.none)
    }

    @Test("S3 the sky view lost: no-fix, within two cycles")
    func noFixLater() {
        var source = Source.withFix()
        for second in 11...60 { source.hear(.none, at: Double(second)) }
        #expect(source.states == [.noFix])
        #expect(source.changes[0].seconds <= 12)
    }

    @Test("libgps trap 6: a receiver that falls silent is stale after two cycles, by the clock alone")
    func silent() {
        var source = Source.withFix()
        source.wait(until: 3_600)
        #expect(source.states == [.stale, .lost])
        #expect(source.changes.map(\.seconds) == [12, 40])
        #expect(source.monitor.deadline == nil)
        #expect(source.monitor.status.fix == .threeDimensional)
    }

    @Test("S3 two cycles are the receiver's own", arguments: [0.1, 0.2, 1, 2, 5])
    func ownCycle(_ period: Double) {
        var source = Source(timeout: 60)
        source.connect(at: 0, device: source.receiver)
        for epoch in 0...20 { source.hear(.threeDimensional, at: Double(epoch) * period) }
        // A 5 s receiver may seem silent once, before its rhythm is known.
        if period < 5 { #expect(source.states == [.fix]) }
        source.changes = []
        source.wait(until: 20 * period + 200)
        #expect(source.states == [.stale, .lost])
        #expect(abs(source.changes[0].seconds - 20 * period - max(1, 2 * period)) < 1e-6)
        #expect(abs(source.changes[1].seconds - 20 * period - 60) < 1e-6)
    }

    @Test("a silence that ends is one change back")
    func silenceEnds() {
        var source = Source.withFix()
        source.wait(until: 20)
        source.hear(.threeDimensional, at: 20)
        source.hear(.threeDimensional, at: 21)
        #expect(source.states == [.stale, .fix])
        source.wait(until: 100)
        source.hear(.none, at: 100)
        #expect(source.states == [.stale, .fix, .stale, .lost, .noFix])
    }

    @Test("S2 gpsd killed and back: one change to no-daemon, one back")
    func restart() {
        var source = Source.withFix()
        source.note(source.monitor.disconnected(reason: "gpsd closed the connection", at: at(10.4)), 10.4)
        for attempt in 0..<40 {
            let seconds = 11 + Double(attempt)
            source.note(source.monitor.disconnected(reason: "connection refused", at: at(seconds)), seconds)
        }
        #expect(source.states == [.noDaemon])
        #expect(source.monitor.status.reason == "connection refused")
        #expect(source.monitor.status.since == at(10.4))
        source.connect(at: 60, device: nil)
        source.use(source.receiver, at: 60.3)
        source.hear(.unseen, at: 60.9)
        source.hear(.none, at: 61)
        source.hear(.twoDimensional, at: 61.5)
        source.hear(.threeDimensional, at: 62.5)
        #expect(source.states == [.noDaemon, .fix])
    }

    @Test("an epoch's partial reports, some with a fix and some without, are no changes")
    func partialReports() {
        var source = Source.withFix()
        for second in 11...60 {
            source.hear(.none, at: Double(second))
            source.hear(.unseen, at: Double(second) + 0.01)
            source.hear(.threeDimensional, at: Double(second) + 0.02)
        }
        #expect(source.states.isEmpty)
    }

    @Test("a fix that becomes 2D for good is one change, one that flaps is none")
    func dimensions() {
        var flapping = Source.withFix()
        for second in 11...120 {
            flapping.hear(second % 4 == 0 ? .threeDimensional : .twoDimensional, at: Double(second))
        }
        #expect(flapping.states.isEmpty)
        var settled = Source.withFix()
        for second in 11...60 { settled.hear(.twoDimensional, at: Double(second)) }
        #expect(settled.states == [.fix])
        #expect(settled.monitor.status.fix == .twoDimensional)
        for second in 61...120 { settled.hear(.threeDimensional, at: Double(second)) }
        #expect(settled.states == [.fix, .fix])
        #expect(settled.monitor.status.since == at(0), "it has been a fix all along")
    }

    @Test("P10 steps of the host's UTC clock are nothing to it")
    func clockSteps() {
        var source = Source.withFix()
        for second in 11...60 {
            let now = at(Double(second))
            let stepped = Moment(monotonic: now.monotonic, utc: now.utc.advanced(by: second % 2 == 0 ? 3_600 : -3_600))
            let report = Report.position(
                PositionReport(device: source.receiver.name, time: now.utc, mode: .threeDimensional))
            source.note(source.monitor.heard(report, silence: 2, at: stepped), Double(second))
            source.note(source.monitor.advance(to: stepped), Double(second))
        }
        #expect(source.states.isEmpty)
    }

    @Test("another receiver is told with its first fix, and starts anew")
    func otherReceiver() {
        var source = Source.withFix()
        let sky = SkyReport(device: source.receiver.name, used: 7, visible: 12)
        source.note(source.monitor.heard(.sky(sky), silence: 2, at: at(10)), 10)
        #expect(source.monitor.status.satellitesUsed == 7)
        #expect(source.monitor.status.satellitesVisible == 12)
        #expect(source.states == [.fix], "satellites are told")
        source.changes = []
        let other = DeviceInfo(name: DeviceName("/dev/ttyUSB0"), activation: .active)
        source.use(other, at: 10.5)
        #expect(source.states.isEmpty)
        source.hear(.threeDimensional, at: 11)
        #expect(source.states == [.fix])
        #expect(source.monitor.status.device == other.name)
        #expect(source.monitor.status.driver == nil)
        #expect(source.monitor.status.satellitesUsed == nil)
    }

    @Test("no order of events makes it turn on its own")
    func noSpin() {
        var random = SeededGenerator(seed: 7)
        var source = Source()
        var seconds = 0.0
        for _ in 0..<20_000 {
            seconds += Double.random(in: 0...3, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: source.connect(at: seconds, device: source.receiver)
            case 1:
                source.wait(until: seconds)
                source.note(source.monitor.disconnected(reason: "x", at: at(seconds)), seconds)
            case 2: source.use(Bool.random(using: &random) ? source.receiver : nil, at: seconds)
            default: source.hear(FixMode(rawValue: Int.random(in: 0...3, using: &random)) ?? .none, at: seconds)
            }
            // A deadline that is not past its own advance would hang `wait`.
            if let deadline = source.monitor.deadline { #expect(deadline > at(seconds).monotonic) }
        }
        #expect(source.changes.count > 100)
        for (before, after) in zip(source.changes, source.changes.dropFirst()) {
            #expect(before.seconds <= after.seconds)
        }
    }
}
