import CLinux
import Glibc
import PuckCore

/// Accepts connections on a listening socket, even if the process has no descriptors left.
///
/// Without descriptors, a waiting connection would wake the loop again and again. So the acceptor keeps one descriptor
/// in reserve. It gives the reserve up to accept the connection, send it the reason, and close it. If even that fails,
/// it stops accepting for one second.
public final class Acceptor {
    private let socket: ListeningSocket
    private let farewell: [UInt8]
    private let onConnection: (AcceptedConnection) -> Void
    private let close: (AcceptedConnection) -> Void
    private let onProblem: (Problem) -> Void
    /// The descriptor in reserve; nil if it could not be reopened yet.
    var reserve: FileDescriptor?
    private var watch: IOWatch?
    private var resumption: LoopTimer?

    /// A problem with accepting.
    public enum Problem: Hashable, Sendable {
        /// A connection was turned away, because no descriptors are left.
        case turnedAway(SystemError)
        /// Accepting has stopped for one second.
        case resting(SystemError)
    }

    /// The largest number of connections to accept before other events get their turn.
    private static let burst = 16
    /// The pause in seconds if connections cannot even be turned away.
    private static let rest = 1.0

    /// Accepts connections on `socket` until `cancel()` or the end of this object. `farewell` is sent to connections
    /// that are turned away, and then `close` closes them. `onProblem` and `onConnection` are called on the loop's
    /// thread.
    public init(
        on loop: EventLoop, socket: ListeningSocket, farewell: [UInt8] = [], urgency: Urgency = .first,
        onProblem: @escaping (Problem) -> Void, close: @escaping (AcceptedConnection) -> Void = { _ in },
        onConnection: @escaping (AcceptedConnection) -> Void
    ) throws(SystemError) {
        self.socket = socket
        self.farewell = farewell
        self.onConnection = onConnection
        self.onProblem = onProblem
        self.close = close
        reserve = try Acceptor.openReserve()
        resumption = try loop.timer { [weak self] _ in self?.resume() }
        watch = try loop.watch(socket.descriptor, for: .readable, urgency: urgency) { [weak self] _ in
            self?.acceptBurst(loop)
        }
    }

    /// Stops accepting. The listening socket stays open until its owner closes it.
    public func cancel() {
        watch?.cancel()
        resumption?.cancel()
    }

    private func acceptBurst(_ loop: EventLoop) {
        for _ in 0..<Acceptor.burst {
            do throws(SystemError) {
                guard let connection = try socket.accept() else { return }
                onConnection(AcceptedConnection(connection))
            } catch {
                // accept(2) reports a lack of descriptors even if no connection is waiting, because the kernel
                // allocates the descriptor first.
                guard error.isExhaustion, let turnedAway = turnAway() else { return pause(loop, error) }
                guard turnedAway else { return }
                onProblem(.turnedAway(error))
            }
        }
    }

    /// Accepts one connection with the reserved descriptor, and closes it. Returns false if no connection is waiting,
    /// and nil if this fails.
    private func turnAway() -> Bool? {
        // The reserve may be missing because the last connection turned away was closed only later. Try again to open
        // it.
        if reserve == nil { reserve = try? Acceptor.openReserve() }
        guard reserve != nil else { return nil }
        reserve = nil
        defer { reserve = try? Acceptor.openReserve() }
        do throws(SystemError) {
            guard let connection = try socket.accept() else { return false }
            let turnedAway = AcceptedConnection(connection)
            _ = farewell.withUnsafeBytes { send($0, to: turnedAway.number) }
            close(turnedAway)
            return true
        } catch {
            return nil
        }
    }

    private func pause(_ loop: EventLoop, _ error: SystemError) {
        onProblem(.resting(error))
        watch?.interest = []
        resumption?.arm(at: loop.now.monotonic.advanced(by: Acceptor.rest))
    }

    /// Starts accepting again after a pause.
    func resume() {
        if reserve == nil { reserve = try? Acceptor.openReserve() }
        watch?.interest = .readable
    }

    private static func openReserve() throws(SystemError) -> FileDescriptor {
        FileDescriptor(owning: try systemCall("open /dev/null") { open("/dev/null", O_RDONLY | O_CLOEXEC) })
    }
}

extension SystemError {
    /// Whether the error is a lack of descriptors or memory. See accept(2).
    fileprivate var isExhaustion: Bool { [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) }
}
