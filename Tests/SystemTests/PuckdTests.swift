import PuckCore
import PuckSystem
import PuckTestKit
import PuckWire
import Testing

/// puckd on a real gpsd that reads a simulated receiver.
@Suite struct PuckdTests {
    @Test("the way from the receiver to a client: a puck, near the truth, of the present")
    func wholeWay() throws {
        let way = try Way(.boat())
        let client = try way.subscriber()
        try client.source(.fix)
        for _ in 0..<20 {
            let puck = try client.puck { $0.state == .live && ($0.speed ?? 0) > 0 }
            let truth = way.receiver.truth(at: try #require(puck.fixTime))
            // The puck is predicted to the moment of the frame: as far ahead of the fix as it is old.
            let ahead = truth.speed * (try #require(puck.age))
            let accuracy = try #require(puck.accuracy)
            #expect(greatCircleDistance(puck.coordinate, truth.coordinate) < 1 + ahead + accuracy)
            #expect(try #require(puck.age) < 2)
        }
        #expect(try way.puckd.terminate() == .exited(0))
    }

    @Test("S2 gpsd killed and started again: clients stay, one change to no-daemon, one back")
    func gpsdKilled() throws {
        let way = try Way(.park())
        let client = try way.subscriber()
        _ = try client.puck()
        way.gpsd.kill()
        try client.source(.noDaemon, within: 5)
        try way.gpsd.restart()
        let back = Clocks.now.monotonic
        let next = try client.message { message in
            if case .source(let source) = message { source.state != .noDevice } else { false }
        }
        guard case .source(let source) = next else { throw KitError("no source") }
        #expect(source.state == .fix || source.state == .noData || source.state == .noFix)
        _ = try client.puck { $0.state == .live }
        // A busy test machine is given more than the five seconds that recovery takes.
        #expect(Clocks.now.monotonic.seconds(since: back) < 10)
    }

    @Test("S1 half a line left hanging costs no processor time, and clients are answered meanwhile")
    func halfALine() throws {
        let way = try ScriptedWay()
        try way.fix()
        try way.connection.send(#"{"class":"TPV","device":"/dev/ttyS9","mode":3,"lat":51."#)
        let (before, begun) = (try way.puckd.processorSeconds(), Clocks.now.monotonic)
        // Five seconds in which nothing but this half line is there: what comes is the clock's doing.
        _ = way.client.client.lines.all(within: 5)
        let used = try way.puckd.processorSeconds() - before
        // Under one per cent, and the two hundredths that the kernel's reckoning may be off by.
        #expect(used <= 0.01 * Clocks.now.monotonic.seconds(since: begun) + 0.02)
        try way.client.send(#"{"type":"ping","id":1}"#)
        _ = try way.client.message { if case .ok(.number("1"), .pong) = $0 { true } else { false } }
    }

    @Test("S2 gpsd absent at boot: puckd answers, and waits for it")
    func gpsdAbsent() throws {
        let way = try Way(.park(), gpsdAbsent: true)
        let client = try way.puckd.connect()
        try client.send(#"{"type":"ping","id":1}"#)
        _ = try client.message { if case .ok(.number("1"), .pong) = $0 { true } else { false } }
        try client.subscribe()
        try client.source(.noDaemon)
        try way.gpsd.restart()
        _ = try client.puck()
    }

    @Test("S3 silent, and without sky view: different answers")
    func silentAndBlind() throws {
        let way = try Way(.park())
        let client = try way.subscriber()
        try client.source(.fix)
        way.receiver.change { $0.hearsSatellites = false }
        try client.source(.noFix, within: 8)
        way.receiver.change { $0.hearsSatellites = true }
        try client.source(.fix, within: 8)
        way.receiver.change { $0.isSilent = true }
        try client.source(.stale, within: 8)
        way.receiver.change { $0.isSilent = false }
        try client.source(.fix, within: 8)
    }

    @Test("S4 re-plugged under another name, it recovers by itself")
    func replugged() throws {
        let way = try Way(.park())
        let client = try way.subscriber()
        _ = try client.puck()
        try way.receiver.unplug()
        try way.gpsd.remove(way.device)
        try client.source(.noDevice)
        let new = try way.receiver.plug()
        try way.gpsd.add(new)
        let source = try client.source(.fix)
        #expect(source.device == DeviceName(new))
        _ = try client.puck { $0.state == .live }
    }

    @Test("S5 two hundred clients, of which twenty never read: the others get every epoch, memory is bounded")
    func manyClients() throws {
        // So slow that a busy machine reads 180 clients in the meantime: the kernel keeps some twenty frames for each.
        let way = try Way(.boat(), rate: 4)
        let first = try way.subscriber()
        _ = try first.puck()
        let before = try way.puckd.privateBytes()
        let deaf = try (0..<20).map { _ in try LineClient(path: way.puckd.socket) }
        for client in deaf { try client.send(#"{"type":"subscribe","rate":120}"#) }
        let readers = try (0..<180).map { _ in try way.puckd.connect() }
        for client in readers { try client.subscribe() }
        // Twenty epochs at 4 Hz: each one more than the last, in number and in fix.
        var last = [(sequence: UInt64, fix: UTC)?](repeating: nil, count: readers.count)
        for _ in 0..<20 {
            for (i, client) in readers.enumerated() {
                let message = try client.message { if case .frame(let frame) = $0 { frame.puck != nil } else { false } }
                guard case .frame(let frame) = message, let fix = frame.puck?.fixTime else { throw KitError("no fix") }
                if let last = last[i] {
                    #expect(frame.sequence == last.sequence + 1)
                    // The first frame of a stream shows the fix at hand once more when it is the newest.
                    #expect(last.sequence == 1 || fix > last.fix)
                    #expect(fix.seconds(since: last.fix) < 0.3)
                }
                last[i] = (frame.sequence, fix)
            }
        }
        let grown = try way.puckd.privateBytes() - before
        // Each may have its queue's bound waiting, at most; a frame or two is what it comes to.
        #expect(grown < 200 * 65_536, "\(grown) bytes for 200 clients")
        // Who reads again gets the newest, not what waited.
        let late = try #require(deaf.first)
        let lines = late.lines.all(within: 0.5)
        let newest = try #require(
            try lines.reversed().lazy.compactMap { line -> Frame? in
                if case .frame(let frame) = try PuckdClient.decode(line) { frame } else { nil }
            }.first)
        #expect(Clocks.now.monotonic.seconds(since: newest.moment.monotonic) < 2)
    }

    @Test("SIGTERM says good-bye; SIGHUP reads the configuration again; a second puckd on the socket is an error")
    func signals() throws {
        let puckd = try PuckdBench(gpsdPort: try freePort())
        let client = try puckd.connect()
        let second = try TestProcess(
            builtProgram("puckd"), ["--config", puckd.directory.file("puckd.conf")],
            output: .file(puckd.directory.file("second")))
        #expect(try second.waitForEnd() == .exited(1))
        puckd.signal(.hangUp)
        #expect(Deadline.poll(seconds: 10) { puckd.log.contains("configuration reloaded") })
        puckd.signal(.terminate)
        _ = try client.message { message in
            if case .error(let error) = message { error.code == .shuttingDown && error.isFatal } else { false }
        }
    }

    @Test("the switch to approximate accuracy survives a restart; where it could not be kept, puckd does not start")
    func keptSwitch() throws {
        let puckd = try PuckdBench(gpsdPort: try freePort())
        let client = try puckd.connect()
        try client.send(#"{"type":"accuracy","mode":"approximate","scope":"system","id":1}"#)
        _ = try client.message { if case .ok(.number("1"), _) = $0 { true } else { false } }
        #expect(try puckd.terminate() == .exited(0))
        let file = puckd.directory.file("puckd.conf")
        let again = try TestProcess(
            builtProgram("puckd"), ["--config", file], output: .file(puckd.directory.file("again")))
        let told = try LineClient(path: puckd.socket).lines.first(within: 10) {
            $0.contains(#""type":"authorization""#)
        }
        #expect(told.contains(#""reason":"system""#) && told.contains(#""accuracy":"approximate""#))
        #expect(try again.terminate() == .exited(0))

        let broken = try puckd.directory.write("[approximate]\nstate-directory = /proc/none\n", to: "broken.conf")
        let refused = try TestProcess(builtProgram("puckd"), ["--config", broken], output: .discard)
        #expect(try refused.waitForEnd() == .exited(1))
    }

    @Test("what SIGKILL leaves of the socket is replaced")
    func staleSocket() throws {
        let puckd = try PuckdBench(gpsdPort: try freePort())
        _ = try puckd.connect()
        puckd.signal(.kill)
        #expect(Deadline.poll(seconds: 10) { !puckd.isRunning })
        let again = try TestProcess(
            builtProgram("puckd"), ["--config", puckd.directory.file("puckd.conf")],
            output: .file(puckd.directory.file("again")))
        _ = try puckd.connect()
        #expect(try again.terminate() == .exited(0))
    }

    @Test("puckctl watches, asks, and says what is wrong")
    func puckctl() throws {
        let way = try Way(.boat())
        _ = try way.puckd.connect()
        func run(_ arguments: [String]) throws -> (ending: PuckSystem.ExitStatus, lines: [String]) {
            let program = try TestProcess(
                builtProgram("puckctl"), ["--socket", way.puckd.socket] + arguments, output: .lines)
            let lines = program.lines?.all(within: 20) ?? []
            return (try program.waitForEnd(), lines)
        }
        let watched = try run(["watch", "--count", "3"])
        #expect(watched.ending == .exited(0))
        #expect(watched.lines.count { $0.contains("°N") || $0.contains("°S") } == 3)
        let raw = try run(["watch", "--json", "--count", "2"])
        #expect(try raw.lines.count { if case .frame = try PuckdClient.decode($0) { true } else { false } } == 2)
        #expect(try run(["ping"]).ending == .exited(0))
        #expect(try run(["status"]).lines.contains { $0.hasPrefix("source") })
        // Nobody watches that view.
        #expect(try run(["track", "next", "--view", "nobody"]).ending == .exited(1))
        #expect(try run(["walk"]).ending == .exited(2))
        let alone = try TestProcess(builtProgram("puckctl"), ["--socket", "/nonexistent", "ping"], output: .discard)
        #expect(try alone.waitForEnd() == .exited(3))
    }
}
