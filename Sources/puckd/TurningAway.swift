import PuckCore
import PuckSystem
import PuckWire

/// Reports an invalid configuration to the clients on the service manager's socket, and then ends.
///
/// If puckd ended without accepting the waiting connections, the service manager would start it again and again, and
/// then close the socket. puckd would then stay unavailable even after the configuration is repaired. See
/// TriggerLimitIntervalSec= in systemd.socket(5): 20 starts in 2 s.
final class TurningAway {
    private let loop: EventLoop
    private var acceptor: Acceptor?
    private var end: LoopTimer?
    private var hasClients = false

    /// The time in seconds to look for waiting clients.
    private static let glance = 0.1
    /// The time in seconds to turn clients away after the first one. It limits how often clients can start the service.
    private static let stay = 5.0

    /// Turns clients away for some seconds. Returns at once if the service manager passed no socket.
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
            // A new connection has room for a line, and a client that has gone needs none.
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
