import Glibc
import PuckCore
import PuckSystem
import PuckTestKit
import Testing

/// The simulated receiver as a real gpsd understands it. gpsd has to be installed: without it these tests fail.
@Suite struct SimulatedReceiverTests {
    /// A receiver that writes at its pace, and a gpsd that reads it.
    private final class Bench {
        let receiver: PseudoTerminalReceiver
        let gpsd: GPSDProcess
        let client: LineClient

        init(_ route: Route, rate: Int = 10, _ change: (inout ReceiverModel) -> Void = { _ in }) throws {
            receiver = try PseudoTerminalReceiver(
                ReceiverModel(route: route, rate: rate, noise: .none, begin: Clocks.now.utc))
            receiver.change(change)
            let device = try #require(receiver.device)
            gpsd = try GPSDProcess(devices: [device])
            try gpsd.waitUntilOpen(device)
            client = try gpsd.watch()
            try receiver.start()
        }

        func fix(from client: LineClient? = nil) throws -> GPSDReport {
            try (client ?? self.client).lines.report { $0.class == "TPV" && $0.mode == 3 && $0.altMSL != nil }
        }
    }

    @Test("gpsd tells the simulated truth: place, speed, course, altitude, time")
    func truth() throws {
        // Two roundings to the fifth decimal of a minute, in metres.
        let roundingError = 0.03
        let bench = try Bench(.boat())
        for _ in 0..<20 {
            let tpv = try bench.fix()
            let truth = bench.receiver.truth(at: try #require(tpv.utc))
            #expect(greatCircleDistance(try #require(tpv.coordinate), truth.coordinate) < roundingError)
            #expect(abs(try #require(tpv.speed) - truth.speed) < 0.01)
            #expect(abs(shortestTurn(from: try #require(tpv.track), to: truth.course.degrees)) < 0.1)
            #expect(tpv.altMSL == 400)
            #expect(tpv.device == bench.receiver.device)
        }
    }

    @Test("without satellites gpsd says mode 1, and with them again mode 3")
    func lossOfFix() throws {
        let bench = try Bench(.park())
        _ = try bench.fix()
        bench.receiver.change { $0.hearsSatellites = false }
        let lost = try bench.client.lines.report { $0.class == "TPV" && $0.mode == 1 }
        #expect(lost.lat == nil)
        bench.receiver.change { $0.hearsSatellites = true }
        _ = try bench.fix()
    }

    @Test("a silent receiver makes gpsd silent")
    func silence() throws {
        let bench = try Bench(.park())
        _ = try bench.fix()
        bench.receiver.change { $0.isSilent = true }
        // What was on its way arrives; ten periods later nothing does.
        _ = bench.client.lines.all(within: 0.5)
        #expect(bench.client.lines.all(within: 1) == [])
    }

    @Test("the compass comes out as a heading beside the course", arguments: [true, false])
    func heading(dualAntenna: Bool) throws {
        let bench = try Bench(.boat()) {
            $0.saysErrorEstimate = false
            $0.compass = dualAntenna ? .dualAntenna(offset: 8) : .compass(offset: 8)
        }
        let course = try #require(try bench.fix().track)
        let heading = try #require(try bench.client.lines.report { $0.heading != nil }.heading)
        // The boat turns half a degree a second.
        #expect(abs(shortestTurn(from: course + 8, to: heading)) < 2)
    }

    @Test("unplugged and plugged in elsewhere, it is read under its new name once gpsd is told")
    func replug() throws {
        let bench = try Bench(.park())
        _ = try bench.fix()
        let old = try #require(bench.receiver.device)
        try bench.receiver.unplug()
        #expect(bench.receiver.device == nil)
        #expect(access(old, F_OK) != 0)
        try bench.gpsd.remove(old)
        let new = try bench.receiver.plug()
        #expect(new != old)
        try bench.gpsd.add(new)
        _ = try bench.client.lines.report { $0.class == "TPV" && $0.mode == 3 && $0.device == new }
    }

    @Test("gpsd killed: its clients are cut off; started again it serves the same port")
    func restart() throws {
        let bench = try Bench(.park())
        _ = try bench.fix()
        bench.gpsd.kill()
        #expect(!bench.gpsd.isRunning)
        _ = bench.client.lines.all(within: 5)
        #expect(bench.client.lines.isAtEnd)
        try bench.gpsd.restart()
        let again = try bench.gpsd.watch()
        _ = try bench.fix(from: again)
    }

    @Test("two of them do not see each other")
    func apart() throws {
        let (one, other) = (try Bench(.park()), try Bench(.boat()))
        #expect(one.gpsd.port != other.gpsd.port)
        #expect(try one.fix().device == one.receiver.device)
        #expect(try other.fix().device == other.receiver.device)
    }

    @Test("the program prints its device, and ends with SIGTERM")
    func program() throws {
        let program = try TestProcess(
            builtProgram("receiver-simulator"), ["--rate", "10", "--route", "park", "--print-device"], output: .lines)
        let lines = try #require(program.lines)
        let device = try #require(lines.next(within: 10))
        #expect(device.hasPrefix("/dev/pts/"))
        let gpsd = try GPSDProcess(devices: [device])
        _ = try gpsd.watch().lines.report { $0.class == "TPV" && $0.mode == 3 }
        #expect(try program.terminate() == .exited(0))
        #expect(access(device, F_OK) != 0)
    }

    @Test(
        "the program refuses what it does not know",
        arguments: [
            ["--rate", "21"], ["--rate", "x"], ["--rate"], ["--route", "moon"], ["--seed", "-1"], ["--fast"],
        ])
    func refusal(arguments: [String]) throws {
        let program = try TestProcess(builtProgram("receiver-simulator"), arguments, output: .discard)
        #expect(try program.waitForEnd() == .exited(2))
    }
}
