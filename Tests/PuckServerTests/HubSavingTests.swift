import PuckCore
import PuckWire
import Testing

@testable import PuckServer

/// What is said to be done only once it is on the disk.
@Suite struct HubSavingTests {
    private static let bind = #"{"type":"accuracy","id":1,"mode":"approximate","scope":"system"}"#
    private static let release = #"{"type":"accuracy","id":2,"mode":"precise","scope":"system"}"#

    private func answers(_ bench: HubBench, _ id: ClientID) -> [String] {
        (bench.lines[id] ?? []).filter { $0.contains(#""type":"ok""#) || $0.contains(#""type":"error""#) }
    }

    private func accuracy(_ bench: HubBench, _ id: ClientID) -> AccuracyMode? {
        bench.authorizations(to: id).last?.accuracy
    }

    @Test("a bind holds at once, and is answered once it is on the disk")
    func bind() {
        var bench = HubBench()
        bench.isDiskSlow = true
        let (root, id) = (bench.connect(HubBench.root), bench.connect())
        bench.send(Self.bind, from: root)
        #expect(accuracy(bench, id) == .approximate)
        #expect(answers(bench, root).isEmpty)
        bench.run(5)
        #expect(answers(bench, root).isEmpty)
        bench.finishSaves()
        #expect(answers(bench, root) == [#"{"type":"ok","id":1}"#])
        #expect(bench.kept == [.systemAccuracy(.approximate)])
    }

    @Test("a bind that can't be saved is an error that says so; it holds all the same until a restart")
    func bindFails() throws {
        var bench = HubBench()
        bench.diskFailure = "write state: No space left on device"
        let (root, id) = (bench.connect(HubBench.root), bench.connect())
        for count in 1...2 {
            bench.send(Self.bind, from: root)
            // Asked again, it is tried again: it isn't done because it is in force.
            #expect(bench.errors(to: root).count == count)
        }
        let error = try #require(bench.errors(to: root).last)
        #expect(error.code == .notSaved && error.id == .number("1"))
        #expect(error.message.contains("No space left on device") && error.message.contains("try again"))
        #expect(accuracy(bench, id) == .approximate)
        #expect(bench.kept.isEmpty)
        bench.diskFailure = nil
        bench.send(Self.bind, from: root)
        #expect(answers(bench, root).last == #"{"type":"ok","id":1}"#)
        bench.restart(after: 1, seed: 2)
        let again = bench.connect()
        #expect(accuracy(bench, again) == .approximate)
    }

    @Test("a release that can't be saved releases nobody")
    func releaseFails() throws {
        var bench = HubBench()
        let (root, id) = (bench.connect(HubBench.root), bench.connect())
        bench.send(Self.bind, from: root)
        bench.diskFailure = "remove state: Read-only file system"
        bench.send(Self.release, from: root)
        #expect(accuracy(bench, id) == .approximate)
        #expect(bench.errors(to: root).map(\.code) == [.notSaved])
        bench.diskFailure = nil
        bench.isDiskSlow = true
        bench.send(Self.release, from: root)
        #expect(accuracy(bench, id) == .approximate)
        bench.finishSaves()
        #expect(accuracy(bench, id) == .precise)
        #expect(answers(bench, root).last == #"{"type":"ok","id":2}"#)
    }

    @Test("of requests that wait for the disk together, no release opens what a later bind has closed")
    func together() {
        for (requests, expected) in [
            ([Self.bind, Self.release, Self.bind], AccuracyMode.approximate), ([Self.bind, Self.release], .precise),
        ] {
            var bench = HubBench()
            bench.isDiskSlow = true
            let (root, id) = (bench.connect(HubBench.root), bench.connect())
            for request in requests { bench.send(request, from: root) }
            bench.finishSaves()
            #expect(answers(bench, root).count == requests.count)
            let changes: [AccuracyMode] = [.precise, .approximate] + (expected == .precise ? [.precise] : [])
            #expect(bench.authorizations(to: id).map(\.accuracy) == changes)
            // One that is in force and on the disk takes no disk.
            bench.send(expected == .precise ? Self.release : Self.bind, from: root)
            #expect(bench.waitingSaves.isEmpty)
            #expect(answers(bench, root).count == requests.count + 1)
        }
    }

    @Test("a disk that hangs is an error after ten seconds, and so many requests wait for it at most")
    func hangs() {
        var bench = HubBench()
        bench.isDiskSlow = true
        let root = bench.connect(HubBench.root)
        for _ in 0..<20 { bench.send(Self.bind, from: root) }
        #expect(bench.errors(to: root).map(\.code) == .init(repeating: .tooMany, count: 12))
        bench.run(11)
        #expect(bench.errors(to: root).map(\.code).suffix(8) == .init(repeating: .notSaved, count: 8))
        bench.finishSaves()
        // Each was answered once.
        #expect(answers(bench, root).count == 20)
    }

    @Test("an admin that is gone by then is not looked for; the switch is done, and on record")
    func adminGone() {
        var bench = HubBench()
        let (root, id) = (bench.connect(HubBench.root), bench.connect())
        bench.send(Self.bind, from: root)
        bench.isDiskSlow = true
        bench.send(Self.release, from: root)
        bench.disconnect(root)
        bench.finishSaves()
        #expect(accuracy(bench, id) == .precise)
        #expect(bench.records.filter { $0.event == .systemSwitched }.map(\.reason) == ["approximate", "precise"])
    }

    @Test("a start in doubt about the switch saves it first, and answers nobody for it")
    func start() {
        let bench = HubBench()
        var hub = Hub(
            settings: bench.hub.settings, positioning: bench.hub.positioning, systemAccuracy: .approximate,
            isKept: false, at: bench.now)
        #expect(hub.drainActions() == [.save(.systemAccuracy(.approximate))])
        #expect(!hub.isSystemAccuracyKept)
        hub.saved(.systemAccuracy(.approximate), failure: nil, at: bench.now)
        #expect(hub.isSystemAccuracyKept && hub.drainActions().isEmpty)
    }

    @Test("with a full disk no approximate client is sent a point, and from a disk that fills none that is new")
    func fullDisk() {
        var bench = HubBench()
        bench.diskFailure = "no room"
        let id = bench.connect(HubBench.stranger)
        bench.send(#"{"type":"subscribe"}"#, from: id)
        for minute in 0..<100 {
            bench.fix(east: Double(minute) * 6_000, speed: 100)
            bench.run(60)
        }
        #expect(bench.pucks(to: id).isEmpty)
        bench.diskFailure = nil
        for minute in 100..<160 {
            bench.fix(east: Double(minute) * 6_000, speed: 100)
            bench.run(60)
        }
        let before = Set(bench.pucks(to: id).map(\.coordinate))
        #expect(!before.isEmpty)
        bench.diskFailure = "no room"
        bench.clear()
        for minute in 160..<300 {
            bench.fix(east: Double(minute) * 6_000, speed: 100)
            bench.run(60)
        }
        #expect(Set(bench.pucks(to: id).map(\.coordinate)).isSubset(of: before))
        #expect(bench.pucks(to: id).map(\.state) == [.stale])
    }
}
