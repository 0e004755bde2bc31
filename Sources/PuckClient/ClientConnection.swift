import PuckSystem
import PuckWire

/// One connection to the daemon: lines in, lines out.
final class ClientConnection {
    /// What it tells.
    enum Event {
        /// A line, or what is too long to be one.
        case received(LineFramer.Event)
        /// The daemon has closed it, or it failed. The last that it tells.
        case over(SystemError?)
    }

    private let socket: FileDescriptor
    private var watch: IOWatch?
    private var framer = LineFramer(limit: PuckClient.longestLine)
    /// What the socket has not taken yet. It is bounded by the requests that may wait for their answers.
    private var unsent: [UInt8] = []
    private let onEvent: (Event) -> Void

    /// How much is read in one turn, bytes.
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

    /// Hears and says no more.
    func cancel() {
        watch?.cancel()
        watch = nil
    }

    private func ready(_ readiness: Readiness) {
        if readiness.contains(.writable) { flush() }
        // What was said before the end is read first: a last word among it.
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
        // What the daemon said last may still be there to be read, and the end after it.
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
