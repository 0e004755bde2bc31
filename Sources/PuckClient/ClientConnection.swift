import PuckSystem
import PuckText
import PuckWire

/// A connection to the daemon that receives and sends lines.
final class ClientConnection {
    /// An event of the connection.
    enum Event {
        /// A line was received, or a line that is too long.
        case received(LineFramer.Event)
        /// The daemon closed the connection, or the connection failed. This is the last event.
        case over(SystemError?)
    }

    private let socket: FileDescriptor
    private var watch: IOWatch?
    private var framer = LineFramer(limit: PuckClient.longestLine)
    /// Bytes that the socket has not accepted yet. The limit on requests that wait for answers also limits their
    /// number.
    private var unsent: [UInt8] = []
    private let onEvent: (Event) -> Void

    /// The maximum number of bytes to read at once.
    private static let turn = 65_536

    init(to path: String, on loop: EventLoop, onEvent: @escaping (Event) -> Void) throws(SystemError) {
        socket = try connectUnix(path)
        self.onEvent = onEvent
        watch = try loop.watch(socket.number, for: .readable) { [weak self] in self?.ready($0) }
    }

    func send(_ line: [UInt8]) {
        unsent += line
        flush()
    }

    /// Stops receiving and sending.
    func cancel() {
        watch?.cancel()
        watch = nil
    }

    private func ready(_ readiness: Readiness) {
        if readiness.contains(.writable) { flush() }
        // Read what the daemon sent before the end, such as its reason for closing.
        if !readiness.isDisjoint(with: [.readable, .hangup, .error]) { receive() }
    }

    private func receive() {
        switch PuckSystem.receive(from: socket.number, atMost: Self.turn, { framer.append($0) }) {
        case .bytes: while watch != nil, let event = framer.next() { onEvent(.received(event)) }
        case .wouldBlock: break
        case .closed: end(nil)
        case .failed(let error): end(error)
        }
    }

    private func flush() {
        switch unsent.withUnsafeBytes({ $0.isEmpty ? .wouldBlock : PuckSystem.send($0, to: socket.number) }) {
        case .bytes(let count): unsent.removeFirst(count)
        case .wouldBlock: break
        // Keep reading: the daemon's last message may still be in the socket, followed by the end.
        case .closed: unsent = []
        case .failed(let error): return end(error)
        }
        if unsent.isEmpty { watch?.interest.remove(.writable) } else { watch?.interest.insert(.writable) }
    }

    private func end(_ error: SystemError?) {
        cancel()
        onEvent(.over(error))
    }
}
