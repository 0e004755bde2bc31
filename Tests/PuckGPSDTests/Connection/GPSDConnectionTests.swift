import Glibc
import PuckCore
import PuckSystem
import PuckTestKit
import Testing

@testable import PuckGPSD

@Suite("The connection to gpsd")
struct GPSDConnectionTests {
    @Test("it asks to be told of every receiver, in units, by one command that gpsd gets whole")
    func command() throws {
        let bench = try Bench()
        let client = try bench.connected()
        #expect(client.lines == [#"?WATCH={"enable":true,"json":true,"scaled":false};"#])
        #expect(bench.states == [.fix])
        #expect(bench.messages.count == 3)
        #expect(bench.connection?.counters.lines == 4)
    }

    /// What is told of a gpsd that can't be reached.
    private func reason(host: String, port: String) throws -> String? {
        let loop = try EventLoop()
        var reasons: [String?] = []
        let connection = try GPSDConnection(loop: loop, configuration: GPSDConfiguration(host: host, port: port)) {
            event, _ in
            if case .source(let status) = event, status.state == .noDaemon { reasons.append(status.reason) }
        }
        connection.start()
        let deadline = Deadline(seconds: Bench.patience)
        while reasons.isEmpty, !deadline.hasPassed { _ = try loop.runOnce(timeout: 0.05) }
        return reasons.first ?? nil
    }

    @Test("why gpsd can't be reached is told in words: a closed port, an unknown name, a port that is none")
    func unreachable() throws {
        // A port that was just free.
        let port = "\(try { try FakeGPSD() }().port)"
        #expect(
            try reason(host: "127.0.0.1", port: port)
                == "can't connect to gpsd at 127.0.0.1:\(port): connection refused: nothing listens there")
        let unknown = try #require(try reason(host: "gpsd.invalid", port: "2947"))
        #expect(unknown.hasPrefix("can't connect to gpsd at gpsd.invalid:2947: "))
        #expect(unknown.contains("unknown host name") || unknown.contains("name service does not answer"))
        #expect(try reason(host: "127.0.0.1", port: "no-such-service")?.contains("unknown port") == true)
    }

    @Test("libgps trap 4: a device configured by a long link under /dev/serial/by-id is found")
    func longLink() throws {
        let directory = try TestDirectory()
        let path = try directory.write("", to: "ttyACM0")
        let link = directory.file(
            "usb-u-blox_AG_-_www.u-blox.com_u-blox_GNSS_receiver-" + String(repeating: "0", count: 80))
        #expect(symlink(path, link) == 0)
        #expect(link.utf8.count > 127)
        let bench = try Bench(device: link)
        bench.connection?.start()
        let client = try bench.accept()
        try client.greet(devices: ["/dev/other", path])
        for second in 0..<10 {
            try client.report("/dev/other", second: second)
            try client.report(path, second: second)
            try bench.run { bench.connection?.counters.lines == 3 + 2 * (second + 1) }
        }
        #expect(bench.reports.count == 10)
        #expect(Set(bench.reports.map(\.device)) == [DeviceName(path)])
    }

    @Test("S4 a configured link that leads elsewhere after a re-plug is followed")
    func movedLink() throws {
        let directory = try TestDirectory()
        let first = try directory.write("", to: "ttyACM0")
        let second = try directory.write("", to: "ttyACM1")
        let link = directory.file("receiver")
        #expect(symlink(first, link) == 0)
        let bench = try Bench(device: link)
        let client = try bench.connected(to: first)
        try client.send("{\"class\":\"DEVICE\",\"path\":\"\(first)\",\"activated\":0}\r\n")
        try bench.run { bench.states == [.fix, .noDevice] }
        #expect(unlink(link) == 0)
        #expect(symlink(second, link) == 0)
        try client.send("{\"class\":\"DEVICE\",\"path\":\"\(second)\",\"activated\":\"2026-06-01T12:00:05.000Z\"}\r\n")
        try client.report("/dev/other", second: 6)
        try client.report(second, second: 6)
        try bench.run { bench.states == [.fix, .noDevice, .fix] }
        #expect(bench.reports.map(\.device) == [DeviceName(first), DeviceName(second)])
    }

    @Test("S1 libgps trap 2: half a line left hanging wakes nobody")
    func halfLine() throws {
        let bench = try Bench()
        let client = try bench.connected()
        let line = FakeGPSDClient.position("/dev/a", second: 1)
        try client.send(String(line.prefix(40)))
        _ = try bench.run(for: 0.2)
        let before = threadSeconds()
        let turns = try bench.run(for: 2)
        // The clock may tell once that the receiver is silent; a spin would be a million turns.
        #expect(turns <= 2)
        #expect(threadSeconds() - before < 0.02, "1 % of 2 s")
        try client.send(String(line.dropFirst(40)))
        try bench.run { bench.reports.count == 2 }
    }

    /// Processor time of this thread alone: other tests run beside it.
    private func threadSeconds() -> Double {
        var time = timespec()
        guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return .nan }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test("libgps trap 10: unknown classes and garbage do not end the connection")
    func noStorm() throws {
        let bench = try Bench()
        let client = try bench.connected()
        for number in 0..<200 {
            try client.send("{\"class\":\"FUTURE\(number)\",\"x\":{}}\r\ngarbage \(number)\r\n")
        }
        try client.report("/dev/a", second: 1)
        try bench.run { bench.reports.count == 2 }
        #expect(try bench.gpsd.accept() == nil)
        client.look()
        #expect(!client.isClosed)
        #expect(bench.connection?.counters.ignored == 200)
        #expect(bench.connection?.counters.malformed == 200)
        #expect(bench.states == [.fix])
    }

    @Test("libgps trap 14: a line of 30 KB is read, one of 100 KB left out, and the next is good again")
    func longLines() throws {
        let bench = try Bench()
        let client = try bench.connected()
        for (number, size) in [30_000, 100_000, 5_000_000].enumerated() {
            let text = Array("{\"class\":\"ERROR\",\"message\":\"\(String(repeating: "x", count: size))\"}\r\n".utf8)
            var rest = text[...]
            try bench.run {
                rest = rest.dropFirst(try client.offer(Array(rest)))
                return rest.isEmpty
            }
            try client.report("/dev/a", second: number + 1)
            try bench.run { bench.reports.count == number + 2 }
        }
        #expect(bench.messages.filter { if case .error = $0 { true } else { false } }.count == 1)
        #expect(bench.connection?.counters.overlong == 2)
    }

    @Test("libgps trap 1: six receivers in DEVICES")
    func sixDevices() throws {
        let bench = try Bench()
        let devices = (0..<6).map { "/dev/ttyUSB\($0)" }
        _ = try bench.connected(to: "/dev/ttyUSB4", among: devices)
        #expect(bench.connection?.status.device == DeviceName("/dev/ttyUSB4"))
    }

    @Test("libgps trap 19: what has piled up is drained, and the newest is what comes out")
    func backlog() throws {
        let bench = try Bench()
        let client = try bench.connected()
        // Nobody reads: the kernel takes what it has room for.
        var sent = 0
        var partly: ArraySlice<UInt8> = []
        while sent < 20_000, partly.isEmpty {
            sent += 1
            let line = Array(FakeGPSDClient.position("/dev/a", second: sent).utf8)
            partly = line.dropFirst(try client.offer(line))
        }
        #expect(sent > 100)
        let last = sent
        try bench.run {
            partly = partly.dropFirst(try client.offer(Array(partly)))
            return bench.reports.last?.time == UTC(seconds: 1_780_315_200 + Double(last))
        }
        #expect(bench.reports.count < 1 + last / 10)
        #expect(bench.connection?.counters.lines == 4 + last)
    }

    @Test("S2 gpsd gone and back: one change to no-daemon, quick attempts, one change back")
    func restart() throws {
        let bench = try Bench()
        let client = try bench.connected()
        bench.gpsd.stopListening()
        client.close()
        try bench.run { bench.states == [.fix, .noDaemon] }
        // It goes on trying, and says so once.
        _ = try bench.run(for: 1)
        #expect(bench.states == [.fix, .noDaemon])
        #expect(bench.connection?.status.reason?.contains("can't connect to gpsd at 127.0.0.1") == true)
        try bench.gpsd.listenAgain()
        let back = bench.loop.now.monotonic
        let again = try bench.accept()
        #expect(bench.loop.now.monotonic.seconds(since: back) < 3)
        try again.greet(devices: ["/dev/a"])
        try again.report("/dev/a", second: 100, mode: 0)
        try again.report("/dev/a", second: 100)
        try bench.run { bench.states.count == 3 }
        #expect(bench.states == [.fix, .noDaemon, .fix])
    }

    @Test("S2 gpsd absent at the start is waited for")
    func absent() throws {
        let bench = try Bench()
        bench.gpsd.stopListening()
        bench.connection?.start()
        _ = try bench.run(for: 0.5)
        #expect(bench.connection?.status.state == .noDaemon)
        try bench.gpsd.listenAgain()
        let client = try bench.accept()
        try client.greet(devices: [])
        try bench.run(within: 5) { bench.states == [.noDaemon, .noDevice] }
    }

    @Test("a gpsd that closes each connection at once is not stormed")
    func closedAtOnce() throws {
        let bench = try Bench()
        bench.connection?.start()
        var accepted = 0
        let deadline = Deadline(seconds: 3)
        try bench.run {
            if try bench.gpsd.accept() != nil { accepted += 1 }
            return deadline.hasPassed
        }
        // 0.25, 0.5, 1, 2 s apart, or half of that at least.
        #expect((2...6).contains(accepted), "\(accepted)")
        #expect(bench.states == [.noDaemon])
    }

    @Test("libgps trap 13: while it connects, the loop goes on; what is given up is closed, and says nothing")
    func blockedConnect() throws {
        // A socket that accepts nobody, with its queue full: the next one to connect waits for seconds.
        let listener = FileDescriptor(owning: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener.number, $0, length) == 0 && listen(listener.number, 0) == 0
                    && getsockname(listener.number, $0, &length) == 0
            }
        }
        try #require(isListening)
        let port = UInt16(bigEndian: address.sin_port)
        let occupant = try PuckSystem.connectLoopback(port: port)

        let loop = try EventLoop()
        var events: [GPSDEvent] = []
        var ticks = 0
        let connection = try GPSDConnection(
            loop: loop, configuration: GPSDConfiguration(host: "127.0.0.1", port: "\(port)")
        ) { event, _ in events.append(event) }
        var timer: LoopTimer?
        timer = try loop.timer { now in
            ticks += 1
            timer?.arm(at: now.monotonic.advanced(by: 0.01))
        }
        timer?.arm(at: loop.now.monotonic)
        connection.start()
        let deadline = Deadline(seconds: 10)
        while ticks < 20, !deadline.hasPassed { _ = try loop.runOnce(timeout: deadline.remaining) }
        #expect(ticks == 20)
        #expect(events.isEmpty)
        connection.stop()
        #expect(connection.status.state == .noDaemon)
        timer?.cancel()
        withExtendedLifetime(occupant.number) {}
    }

    @Test("a connection that is given up while it opens is closed")
    func givenUp() throws {
        let bench = try Bench()
        bench.connection?.start()
        bench.connection?.stop()
        var client: FakeGPSDClient?
        try bench.run {
            client = try client ?? bench.gpsd.accept()
            client?.look()
            return client?.isClosed ?? false
        }
        #expect(bench.states.isEmpty)
        #expect(bench.messages.isEmpty)
    }

    @Test("libgps trap 20: stopped, it leaves gpsd, and starts again where it is told to")
    func stopAndStart() throws {
        let bench = try Bench()
        let client = try bench.connected()
        bench.connection?.stop()
        try bench.run {
            client.look()
            return client.isClosed
        }
        #expect(bench.states == [.fix, .noDaemon])
        #expect(bench.connection?.status.reason == "stopped")
        _ = try bench.run(for: 0.6)
        #expect(try bench.gpsd.accept() == nil)
        bench.connection?.start()
        let again = try bench.accept()
        try again.greet(devices: ["/dev/a"])
        try again.report("/dev/a", second: 9)
        try bench.run { bench.states == [.fix, .noDaemon, .fix] }
    }

    @Test("let go of, it closes")
    func letGo() throws {
        let bench = try Bench()
        let client = try bench.connected()
        bench.drop()
        try bench.run {
            client.look()
            return client.isClosed
        }
    }

    @Test("S3 libgps trap 16: a receiver whose path is gone is no-device, though gpsd says nothing")
    func pathGone() throws {
        let directory = try TestDirectory()
        let path = try directory.write("", to: "ttyACM0")
        let bench = try Bench()
        let client = try bench.connected(to: path)
        for second in 1...6 {
            try client.report(path, second: second)
            try bench.run { bench.reports.count == second + 1 }
            _ = try bench.run(for: 0.04)
        }
        #expect(unlink(path) == 0)
        try bench.run(within: 5) { bench.states.last == .noDevice }
        #expect(bench.states == [.fix, .stale, .noDevice])
    }

    @Test(
        "S3 a receiver that is silent while its path stands is stale, then lost, and gpsd is asked for a sign of life")
    func silent() throws {
        let directory = try TestDirectory()
        let path = try directory.write("", to: "ttyACM0")
        let bench = try Bench(timeout: 1.5)
        let client = try bench.connected(to: path)
        for second in 1...6 {
            try client.report(path, second: second)
            try bench.run { bench.reports.count == second + 1 }
            _ = try bench.run(for: 0.04)
        }
        try bench.run(within: 5) { client.hasReceived("?VERSION;") }
        #expect(bench.states == [.fix, .stale, .lost])
        // It answers, and is asked again; then it does not, and is left.
        try client.send(#"{"class":"VERSION","release":"3.25"}"# + "\r\n")
        try bench.run(within: 10) { client.lines.filter { $0 == "?VERSION;" }.count == 2 }
        #expect(bench.states == [.fix, .stale, .lost])
        let again = try bench.accept()
        #expect(bench.states == [.fix, .stale, .lost, .noDaemon])
        #expect(bench.connection?.status.reason == "gpsd does not answer")
        // It is closed by whom it could hold up, beside the loop.
        try bench.run(within: 5) {
            client.look()
            return client.isClosed
        }
        withExtendedLifetime(again) {}
    }
}
