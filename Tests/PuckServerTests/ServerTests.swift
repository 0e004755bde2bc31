import Glibc
import PuckCore
import PuckSystem
import PuckTestKit
import PuckWire
import Testing

@testable import PuckServer

/// The server on real sockets, with clients that mean it ill, or are in a hurry.
@Suite struct ServerTests {
    @Test("requests of clients that connect, write and close at once are all carried out")
    func hasty() throws {
        let bench = try ServerBench()
        for _ in 0..<40 { try bench.sendAndClose(#"{"type":"requestPrecise","purpose":"x"}"#) }
        try bench.settle()
        #expect(bench.refusals == 40)
        #expect(bench.server.sockets.isEmpty && bench.server.perUser.isEmpty)
    }

    @Test("so are those behind a request that takes several turns to read, in their order")
    func hastyAndLong() throws {
        let bench = try ServerBench()
        let positions = (0..<1_500).map { "[\($0 % 90),\($0 % 80)]" }.joined(separator: ",")
        let overview =
            #"{"type":"overview","geometry":{"type":"LineString","coordinates":[\#(positions)]}}"#
        #expect(overview.utf8.count > 8_192)
        try bench.sendAndClose(overview + "\n" + #"{"type":"requestPrecise","purpose":"x"}"#)
        try bench.settle()
        #expect(bench.refusals == 1)
    }

    @Test("who of a full house, larger than all that else may wait, is answered whole")
    func fullHouse() throws {
        let bench = try ServerBench(limits: ServerLimits(queueBytes: 16_384))
        var clients: [LineClient] = []
        for _ in 0..<200 { clients.append(try bench.connect()) }
        try bench.settle()
        let admin = try bench.connect()
        try admin.send(#"{"type":"who","id":1}"#)
        var answer: String?
        while answer == nil {
            try bench.settle()
            answer = try? admin.lines.first(within: 0.05) { $0.contains(#""id":1"#) }
        }
        #expect(try #require(answer).utf8.count > 16_384)
        guard case .ok(_, .connections(let connections)) = try ServerMessageDecoder.decode(Array((answer ?? "").utf8))
        else { Issue.record("\(answer ?? "")"); return }
        #expect(connections.count == 201)
    }

    @Test(
        "descriptors that take a minute to close hold up nothing: read, left unread, or turned away",
        arguments: Way.allCases)
    func descriptors(way: Way) throws {
        let bench = try ServerBench(
            limits: ServerLimits(clients: way == .turnedAway ? 1 : 100), refusingDescriptors: false)
        let first = way == .turnedAway ? try bench.connect() : nil
        try bench.settle()
        let begin = Clocks.now.monotonic
        for _ in 0..<3 {
            let socket = try connectUnix(bench.path)
            let bytes = Array((way == .behindAFatalLine ? "no json\n" : "x").utf8)
            if way == .behindAFatalLine { _ = bytes.withUnsafeBytes { PuckSystem.send($0, to: socket.number) } }
            #expect(try SlowToClose().handOver(on: socket.number, with: bytes) == 0)
        }
        try bench.settle()
        // What is closed on other threads is the user's own until it is.
        #expect(Clocks.now.monotonic.seconds(since: begin) < 5)
        let left = first == nil ? 0 : 1
        while bench.server.perUser[getuid()] ?? 0 > left { #expect(try bench.loop.runOnce(timeout: 20)) }
        #expect(Clocks.now.monotonic.seconds(since: begin) < 40)
    }

    /// How a descriptor comes to be closed.
    enum Way: CaseIterable {
        /// It comes with what is read.
        case read
        /// It waits behind a line for which the client is hung up on.
        case behindAFatalLine
        /// Its connection is not served.
        case turnedAway
    }

    @Test("half lines without end of one user are bounded together")
    func halfLines() throws {
        let limits = ServerLimits(queueBytes: 16_384)
        let bench = try ServerBench(limits: limits)
        var clients: [LineClient] = []
        for _ in 0..<40 {
            let client = try bench.connect()
            try bench.settle()
            var left = 60_000
            while left > 0 {
                try? client.send([UInt8](repeating: UInt8(ascii: " "), count: 4_000), within: 0)
                left -= 4_000
                try bench.settle()
            }
            clients.append(client)
        }
        let held = bench.server.heldBytes(of: getuid())
        #expect(held <= limits.bytesPerUser + 70_000)
        #expect(bench.overloaded > 0)
    }

    @Test("the frames of a precise client are of one length, moving or not, and hold the same as before")
    func widths() throws {
        let bench = try ServerBench()
        let client = try bench.connect()
        try client.send(#"{"type":"subscribe","rate":"fix"}"#)
        try bench.settle()
        var lengths: Set<Int> = []
        for step in 0..<40 {
            bench.fix(north: step < 20 ? 0 : Double(step - 19) * 10, speed: step < 20 ? 0 : 10)
            try bench.settle()
        }
        var frames = 0
        while let line = try? client.lines.first(within: 0.1, where: { $0.contains(#""frame""#) }) {
            frames += 1
            lengths.insert(line.utf8.count)
            _ = try ServerMessageDecoder.decode(Array(line.utf8))
        }
        #expect(frames > 20)
        #expect(lengths.count == 1, "\(lengths)")
    }
}

/// A server of a test's own, driven by hand.
private final class ServerBench {
    let directory: TestDirectory
    let loop: EventLoop
    let server: Server
    private(set) var refusals = 0
    private(set) var overloaded = 0
    private var time: Double = 0
    private let begin: Moment
    var path: String { directory.file("s") }

    init(limits: ServerLimits = ServerLimits(), refusingDescriptors: Bool = true) throws {
        directory = try TestDirectory()
        loop = try EventLoop()
        begin = loop.now
        let socket = try ListeningSocket(
            path: directory.file("s"), mode: 0o600, refusingDescriptors: refusingDescriptors)
        let everyone = Access(accuracy: .precise, roles: Set(Role.allCases))
        let hub = Hub(
            settings: HubSettings(
                server: "puckd test", versions: [], policy: AccessPolicy(rules: [.init(.anyone, everyone)]),
                limits: limits),
            positioning: Positioning(
                settings: Pipeline.Settings(),
                coarsener: Coarsener(radius: .standard, state: nil, at: begin, random: SeededGenerator(seed: 1))),
            at: begin)
        let counter = Counter()
        server = try Server(loop: loop, socket: socket, hub: hub, limits: limits) { event in
            switch event {
            case .record(let record): if record.event == .refused { counter.owner?.refusals += 1 }
            case .overloaded: counter.owner?.overloaded += 1
            default: break
            }
        }
        counter.owner = self
    }

    private final class Counter { weak var owner: ServerBench? }

    func connect() throws -> LineClient { try LineClient(path: path) }

    /// Sends a line on a connection that is closed with this function.
    func sendAndClose(_ line: String) throws {
        let socket = try connectUnix(path)
        let bytes = Array((line + "\n").utf8)
        #expect(bytes.withUnsafeBytes { PuckSystem.send($0, to: socket.number) } == .bytes(bytes.count))
    }

    func settle() throws { while try loop.runOnce(timeout: 0) {} }

    func fix(north: Double, speed: Double) {
        time += 1
        let moment = begin.advanced(by: time)
        var report = PositionReport(device: DeviceName("/dev/ttyACM0"), time: moment.utc, mode: .threeDimensional)
        report.coordinate = LocalPlane(origin: Coordinate(wrappingLongitude: 8.5, clampingLatitude: 47.4)).unproject(
            east: 0, north: north)
        report.altitudeEllipsoid = 450
        report.speed = speed
        report.course = speed > 0 ? Direction(0) : nil
        report.eph = 5
        server.receive(.position(report), at: moment)
    }
}
