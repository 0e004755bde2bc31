import PuckCore
import PuckTestKit
import PuckSystem
import Testing

/// The whole way: a simulated receiver that writes at its pace, a gpsd that reads it, and puckd.
struct Way {
    let receiver: PseudoTerminalReceiver
    let device: String
    let gpsd: GPSDProcess
    let puckd: PuckdBench

    /// With `gpsdAbsent`, gpsd is stopped when puckd starts; `configuration` are more lines of puckd's.
    init(_ route: Route, rate: Int = 10, gpsdAbsent: Bool = false, configuration: String = "") throws {
        receiver = try PseudoTerminalReceiver(
            ReceiverModel(route: route, rate: rate, noise: .none, begin: Clocks.now.utc))
        device = try #require(receiver.device)
        gpsd = try GPSDProcess(devices: [device])
        try receiver.start()
        if gpsdAbsent { try gpsd.stop() }
        puckd = try PuckdBench(gpsdPort: gpsd.port, configuration: configuration)
    }

    func subscriber() throws -> PuckdClient {
        let client = try puckd.connect()
        try client.subscribe()
        return client
    }
}

/// The way with a gpsd that says what a test makes it say: it has told of a receiver, /dev/ttyS9, and `client` has
/// subscribed.
struct ScriptedWay {
    let gpsd: FakeGPSD
    let puckd: PuckdBench
    let connection: FakeGPSDClient
    let client: PuckdClient

    init() throws {
        gpsd = try FakeGPSD()
        puckd = try PuckdBench(gpsdPort: gpsd.port)
        connection = try gpsd.accept(within: 10)
        try connection.greet(devices: ["/dev/ttyS9"])
        client = try puckd.connect()
        try client.subscribe()
    }

    /// A fix that is told, and reaches the client.
    func fix() throws {
        try connection.report("/dev/ttyS9", second: 1)
        _ = try client.puck()
    }
}
