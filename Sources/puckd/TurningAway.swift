import PuckCore
import PuckSystem
import PuckWire

/// What puckd does on the service manager's socket if its configuration is wrong: it tells the clients why, and ends.
///
/// A connection that nobody accepts would start the service again at once, and again, until the service manager gave up
/// the socket itself: then puckd would stay away even after the configuration is repaired. (systemd.socket(5),
/// TriggerLimitIntervalSec=: 20 starts in 2 s)
final class TurningAway {
    private let loop: EventLoop
    private var acceptor: Acceptor?
    private var end: LoopTimer?
    private var hasClients = false

    /// How long to look for clients that wait already, seconds.
    private static let glance = 0.1
    /// How long to turn clients away once there are some, seconds. It bounds how often they can start the service.
    private static let stay = 5.0

    /// Turns clients away for some seconds; returns at once if no service manager handed over a socket.
    static func run() throws(SystemError) {
        guard let socket = try ListeningSocket.fromServiceManager() else { return }
        let turning = try TurningAway(socket)
        _ = try turning.loop.run()
    }

    private init(_ socket: ListeningSocket) throws(SystemError) {
        loop = try EventLoop()
        let farewell = ServerMessageEncoder.line(
            .error(
                ErrorMessage(
                    code: .shuttingDown,
                    message:
                        "puckd cannot start, because its configuration is wrong; run: puckd --check-config",
                    isFatal: true)))
        let begin = loop.now.monotonic
        end = try loop.timer { [loop] _ in loop.exit(ExitCode.configuration) }
        end?.arm(at: begin.advanced(by: Self.glance))
        acceptor = try Acceptor(on: loop, socket: socket, farewell: farewell, onProblem: { _ in }) {
            [weak self] connection in
            // A new connection has room for a line; a client that is gone needs none.
            _ = farewell.withUnsafeBytes { PuckSystem.send($0, to: connection.number) }
            self?.stay(since: begin)
        }
    }

    private func stay(since begin: Instant) {
        guard !hasClients else { return }
        hasClients = true
        end?.arm(at: begin.advanced(by: Self.stay))
    }
}
