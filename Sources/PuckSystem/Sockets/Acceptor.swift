import CLinux
import Glibc
import PuckCore

/// Accepts the connections of a listening socket as they come, also when the process runs out of descriptors.
///
/// Then a waiting connection would keep the loop awake without end. So one descriptor is kept in reserve: it is given
/// up for as long as it takes to accept a connection, tell it why, and close it. Where even that fails, accepting
/// rests for a second.
public final class Acceptor {
    private let socket: ListeningSocket
    private let farewell: [UInt8]
    private let onConnection: (AcceptedConnection) -> Void
    private let close: (AcceptedConnection) -> Void
    private let onProblem: (Problem) -> Void
    /// What is given up to turn somebody away; nil where it could not be had again yet.
    var reserve: FileDescriptor?
    private var watch: IOWatch?
    private var resumption: LoopTimer?

    /// What went wrong with accepting.
    public enum Problem: Hashable, Sendable {
        /// A connection was turned away, since there are no descriptors left for it.
        case turnedAway(SystemError)
        /// Accepting rests for a second.
        case resting(SystemError)
    }

    /// How many connections are accepted before other events have their turn.
    private static let burst = 16
    /// How long accepting rests where not even turning away works, in seconds.
    private static let rest = 1.0

    /// Accepts on `socket` until `cancel()` or the end of this object. `farewell` is sent to connections that are
    /// turned away, which `close` then closes.
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

    /// Accepts no more. The listening socket stays open for as long as its owner keeps it.
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
                // A lack of descriptors is told also where nobody waits: the kernel looks for a descriptor first.
                guard error.isExhaustion, let turnedAway = turnAway() else { return pause(loop, error) }
                guard turnedAway else { return }
                onProblem(.turnedAway(error))
            }
        }
    }

    /// Accepts one connection with the reserved descriptor, and closes it. False where none waits, nil where it does
    /// not work.
    private func turnAway() -> Bool? {
        // One that was turned away may have been closed only after the reserve was to be had again.
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

    /// Accepts again after a rest.
    func resume() {
        if reserve == nil { reserve = try? Acceptor.openReserve() }
        watch?.interest = .readable
    }

    private static func openReserve() throws(SystemError) -> FileDescriptor {
        FileDescriptor(owning: try systemCall("open /dev/null") { open("/dev/null", O_RDONLY | O_CLOEXEC) })
    }
}

extension SystemError {
    /// Whether it tells of a lack of descriptors or memory. (accept(2))
    fileprivate var isExhaustion: Bool { [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) }
}
