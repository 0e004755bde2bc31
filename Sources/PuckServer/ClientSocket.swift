import PuckCore
import PuckSystem
import PuckWire

/// One client's socket: bytes in, lines out; lines in, bytes out. What the lines mean is the hub's.
final class ClientSocket {
    /// What a socket tells its server.
    enum Event {
        /// A line, or the violation that ends the connection.
        case received(LineFramer.Event)
        /// What waited is about to be sent: the last chance to take a frame back.
        case willSend
        /// The peer sends no more.
        case endOfInput
        /// It is over: nothing can be sent or received any more.
        case over
    }

    let id: ClientID
    let peer: PeerCredentials
    private let socket: FileDescriptor
    private var watch: IOWatch?
    private var framer: LineFramer
    private var queue: OutputQueue
    private var onEvent: (Event) -> Void
    /// Nothing more is read or queued; once the queue is empty, the connection is over.
    private(set) var isClosing = false

    init(
        id: ClientID, peer: PeerCredentials, socket: consuming FileDescriptor, loop: EventLoop, limits: ServerLimits,
        onEvent: @escaping (Event) -> Void
    ) throws(SystemError) {
        self.id = id
        self.peer = peer
        self.socket = socket
        framer = LineFramer(limit: limits.lineBytes)
        queue = OutputQueue(limit: limits.queueBytes)
        self.onEvent = onEvent
        try setSendBuffer(Self.sendBuffer, of: self.socket.number)
        watch = try loop.watch(self.socket.number, for: .readable) { [weak self] in self?.ready($0) }
    }

    /// What the kernel keeps for a client that does not read, bytes. Frames in there can't be taken back for newer ones,
    /// so it is little: some twenty of them, by the kernel's own reckoning of two bytes for each and its overhead.
    private static let sendBuffer: Int32 = 16_384

    /// Bytes that wait for the client to read.
    var waitingBytes: Int { queue.bytes }

    /// Frames that the kernel took, and frames that a newer one replaced since the client did not read.
    var frames: (sent: UInt64, skipped: UInt64) { (queue.framesWritten, queue.replaced) }

    /// Sends a message, in full and in order. False where the queue is full: it can't be.
    func send(_ message: [UInt8]) -> Bool {
        guard !isClosing else { return true }
        guard queue.append(message) == .queued else { return false }
        flush()
        return true
    }

    /// Sends a frame, unless a newer one comes before the client has read so far.
    func sendFrame(_ frame: UnsafeRawBufferPointer) {
        guard !isClosing else { return }
        write { queue, send in queue.sendFrame(frame, send) }
    }

    /// Takes back a frame that waits: its reader may not have it any more.
    func dropFrame() { queue.dropFrame() }

    /// Hangs up once what waits is read; with `last`, which then is all that waits.
    func close(saying last: [UInt8]? = nil) {
        guard !isClosing else { return }
        if let last { queue.replaceAll(with: last) }
        isClosing = true
        watch?.interest.remove(.readable)
        flush()
    }

    /// Hangs up at once, whatever waits.
    func abandon() {
        guard watch != nil else { return }
        isClosing = true
        watch?.cancel()
        watch = nil
        onEvent(.over)
    }

    private func ready(_ readiness: Readiness) {
        if readiness.contains(.readable), !isClosing { receive() }
        if readiness.contains(.writable) {
            onEvent(.willSend)
            flush()
        }
        // Both halves are gone. What the peer sent before that has been read above, as far as one turn goes.
        if readiness.contains(.hangup) || readiness.contains(.error) { abandon() }
    }

    /// How much is read in one turn, so that one busy client does not keep the loop from the others. Bytes.
    private static let turn = 4_096

    private func receive() {
        switch PuckSystem.receive(from: socket.number, atMost: Self.turn, { framer.append($0) }) {
        case .bytes:
            while !isClosing, let event = framer.next() { onEvent(.received(event)) }
        case .wouldBlock:
            break
        case .closed:
            watch?.interest.remove(.readable)
            onEvent(.endOfInput)
        case .failed:
            abandon()
        }
    }

    private func flush() {
        write { queue, send in queue.drain(send) }
    }

    /// Lets `body` write from the queue to the socket, and then waits for what could not be written.
    private func write(_ body: (inout OutputQueue, (UnsafeRawBufferPointer) -> Int) -> Void) {
        var broken = false
        let number = socket.number
        body(&queue) { bytes in
            switch PuckSystem.send(bytes, to: number) {
            case .bytes(let count):
                return count
            case .wouldBlock:
                return 0
            case .closed, .failed:
                broken = true
                return 0
            }
        }
        if broken || (isClosing && queue.isEmpty) { return abandon() }
        if queue.isEmpty != (watch?.interest.contains(.writable) == false) {
            if queue.isEmpty { watch?.interest.remove(.writable) } else { watch?.interest.insert(.writable) }
        }
    }
}
