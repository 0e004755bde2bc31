import PuckCore
import PuckSystem
import PuckTestKit

@testable import PuckGPSD

/// A connection on a loop of its own, a fake gpsd at the other end, and all that came out.
final class Bench {
    let loop: EventLoop
    let gpsd: FakeGPSD
    private(set) var events: [GPSDEvent] = []
    /// When each came.
    private(set) var moments: [Moment] = []
    private(set) var connection: GPSDConnection?
    /// How often the loop had something to do.
    private(set) var turns = 0

    /// The longest that anything here may take, seconds.
    static let patience = 20.0

    init(device: String? = nil, timeout: Double = 30) throws {
        loop = try EventLoop()
        gpsd = try FakeGPSD()
        let configuration = GPSDConfiguration(
            host: "127.0.0.1", port: "\(gpsd.port)", device: device, timeout: timeout)
        connection = try GPSDConnection(loop: loop, configuration: configuration) { [weak self] event, moment in
            self?.events.append(event)
            self?.moments.append(moment)
        }
    }

    var reports: [Report] { events.compactMap { if case .report(let report) = $0 { report } else { nil } } }
    var states: [SourceState] { events.compactMap { if case .source(let status) = $0 { status.state } else { nil } } }
    var messages: [GPSDMessage] { events.compactMap { if case .message(let message) = $0 { message } else { nil } } }

    /// Lets the loop do what comes until `condition` holds; throws where it does not in time.
    func run(within seconds: Double = Bench.patience, until condition: () throws -> Bool) throws {
        let deadline = Deadline(seconds: seconds)
        while try !condition() {
            guard !deadline.hasPassed else { throw KitError("it took longer than \(seconds) s; so far: \(events)") }
            // What is waited for may be at the other end, which does not wake this loop.
            if try loop.runOnce(timeout: 0.01) { turns += 1 }
        }
    }

    /// Lets the loop do what comes for so long, and says how often it had something to do.
    func run(for seconds: Double) throws -> Int {
        let before = turns
        let deadline = Deadline(seconds: seconds)
        while !deadline.hasPassed { if try loop.runOnce(timeout: deadline.remaining) { turns += 1 } }
        return turns - before
    }

    /// Waits for the connection to connect, and for its command.
    func accept() throws -> FakeGPSDClient {
        var client: FakeGPSDClient?
        try run {
            client = try client ?? gpsd.accept()
            return client?.hasReceived("?WATCH=") ?? false
        }
        guard let client else { throw KitError("nobody connected") }
        return client
    }

    /// A connection that is greeted and has had a fix of `device`.
    func connected(to device: String = "/dev/a", among devices: [String]? = nil) throws -> FakeGPSDClient {
        connection?.start()
        let client = try accept()
        try client.greet(devices: devices ?? [device])
        try client.report(device, second: 0)
        try run { !reports.isEmpty }
        return client
    }

    /// Lets go of the connection.
    func drop() { connection = nil }
}
