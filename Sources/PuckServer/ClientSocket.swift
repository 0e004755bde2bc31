import PuckCore
import PuckSystem
import PuckText
import PuckWire

/// One client's socket. It turns received bytes into lines, and lines to send into bytes. The hub interprets the
/// lines; the server decides when they are read: reading waits for the client's turn.
final class ClientSocket {
    /// An event for the server.
    enum Event {
        /// There is input to read.
        case readable
        /// A line, or the violation that ends the connection.
        case received(LineFramer.Event)
        /// Waiting output is about to be sent: the last chance to withdraw a frame.
        case willSend
        /// The peer has closed its sending half.
        case endOfInput
        /// The connection has ended: nothing can be sent or received any more.
        case over
    }

    /// The result of a turn.
    enum Turn {
        /// There may be more input.
        case more
        /// All input has been read.
        case done
    }

    let id: ClientID
    let peer: PeerCredentials
    private let connection: AcceptedConnection
    private var watch: IOWatch?
    private var framer: LineFramer
    private var queue: OutputQueue
    private var delivery = MotionDelivery()
    private var onEvent: (Event) -> Void
    /// Nothing more is read or queued. Once the queue is empty, the connection ends.
    private(set) var isClosing = false
    /// The peer has disconnected and receives nothing. Its earlier input is still read.
    private(set) var isDeaf = false
    /// Nothing is sent or received any more.
    private var isOver = false
    /// The peer has closed its sending half.
    private var hasEnded = false
    /// Requests wait until the client has read a large answer.
    private var isHeld = false

    init(
        id: ClientID, peer: PeerCredentials, connection: AcceptedConnection, loop: EventLoop, limits: ServerLimits,
        onEvent: @escaping (Event) -> Void
    ) throws(SystemError) {
        self.id = id
        self.peer = peer
        self.connection = connection
        framer = LineFramer(limit: limits.lineBytes)
        queue = OutputQueue(limit: limits.queueBytes)
        self.onEvent = onEvent
        try setSendBuffer(Self.sendBuffer, of: connection.number)
        watch = try loop.watch(connection.number, for: .readable, urgency: .later) { [weak self] in self?.ready($0) }
    }

    /// The kernel's buffer for a client that does not read, bytes. A newer frame cannot replace a frame in this
    /// buffer, so it is small: some twenty frames, with the kernel's factor of two and its overhead.
    private static let sendBuffer: Int32 = 16_384

    /// Bytes that wait for the client to read.
    var waitingBytes: Int { queue.bytes }

    /// Memory that the client's input and output use now, bytes.
    var heldBytes: Int { queue.bytes + framer.heldBytes }

    /// Frames that the kernel accepted, and frames that a newer one replaced because the client did not read.
    var frames: (sent: UInt64, skipped: UInt64) { (queue.framesWritten, queue.replaced) }

    /// Sends a message. Messages are never dropped or reordered. False if the queue is full. A `large` message may
    /// exceed the queue's limit, if the client reads its earlier answers.
    func send(_ message: [UInt8], large: Bool = false) -> Bool {
        guard !isClosing, !isDeaf else { return true }
        guard (large ? queue.appendLarge(message) : queue.append(message)) == .queued else { return false }
        flush()
        return true
    }

    /// Sends a frame, unless a newer one comes before the client has read so far.
    func sendFrame(_ frame: UnsafeRawBufferPointer) {
        guard !isClosing, !isDeaf else { return }
        write { queue, send in queue.sendFrame(frame, send) }
    }

    /// Sends a motion, unless a newer one comes before the client has read so far.
    func sendMotion(_ motion: MotionLine, numbered sequence: UInt64) {
        guard !isClosing, !isDeaf else { return }
        let line = delivery.line(of: motion, numbered: sequence, in: &queue)
        line.withUnsafeBytes { bytes in write { queue, send in queue.sendFrame(bytes, send) } }
        delivery.settle(queue)
    }

    /// Takes back a frame or a motion that waits: its reader may not have it any more.
    func dropFrame() {
        queue.dropFrame()
        delivery = MotionDelivery()
    }

    /// Closes the connection once the waiting output has been read; with `last`, only that remains to be read.
    func close(saying last: [UInt8]? = nil) {
        guard !isClosing else { return }
        isClosing = true
        guard !isDeaf else { return abandon() }
        if let last { queue.replaceAll(with: last) }
        watch?.interest.remove(.readable)
        flush()
    }

    /// Closes the connection at once, whatever waits.
    func abandon() {
        guard !isOver else { return }
        isOver = true
        isClosing = true
        watch?.cancel()
        watch = nil
        onEvent(.over)
    }

    /// Closes the socket after the end of the connection. True if it is closed; otherwise `closer` closes it later,
    /// and reports.
    func closeConnection(with closer: SocketCloser) -> Bool { connection.close(with: closer, of: peer.user) }

    /// Stops reports of input until the input is read: the client already waits for its turn.
    func pauseReports() { watch?.interest.remove(.readable) }

    private func ready(_ readiness: Readiness) {
        if readiness.contains(.writable) {
            onEvent(.willSend)
            flush()
        }
        // Both halves are closed. Input from before is read in its turn.
        if readiness.contains(.hangup) || readiness.contains(.error) { return turnDeaf() }
        if readiness.contains(.readable), !isClosing { onEvent(.readable) }
    }

    /// The peer has disconnected. The kernel would report that again and again, so the socket is no longer watched
    /// for it.
    private func turnDeaf() {
        guard !isDeaf else { return }
        isDeaf = true
        queue.removeAll()
        isHeld = false
        watch?.cancel()
        watch = nil
        if isClosing || hasEnded { abandon() } else { onEvent(.readable) }
    }

    // MARK: Reading

    /// The amount of input read in one turn, bytes.
    private static let portion = 4_096

    /// Reads some input and passes on its lines, until `isOver` ends the turn after a line.
    func takeTurn(until isOver: () -> Bool) -> Turn {
        var (hasRead, isDrained) = (false, false)
        while !isClosing {
            while !hold(), let event = framer.next() {
                onEvent(.received(event))
                if isClosing { return .done }
                guard isOver() else { continue }
                // A client that has sent everything does not wait behind others.
                guard isDrained, !framer.hasPartialLine, !hold() else { return .more }
                watch?.interest.insert(.readable)
                return .done
            }
            if isHeld { return .done }
            if isDrained {
                // Further input, or the end, will be reported.
                if !isClosing { watch?.interest.insert(.readable) }
                return .done
            }
            if hasRead { return .more }
            hasRead = true
            switch connection.receive(atMost: Self.portion, { framer.append($0) }) {
            case .bytes(let count):
                isDrained = count < Self.portion && !isDeaf
            case .wouldBlock:
                watch?.interest.insert(.readable)
                return .done
            case .closed:
                end()
                return .done
            case .failed:
                abandon()
                return .done
            }
        }
        return .done
    }

    /// Whether the client must first read a large answer: otherwise it could ask for the next before it has read the
    /// last.
    private func hold() -> Bool {
        isHeld = queue.holdsLarge
        if isHeld { watch?.interest.remove(.readable) }
        return isHeld
    }

    private func end() {
        hasEnded = true
        watch?.interest.remove(.readable)
        if isDeaf { abandon() } else { onEvent(.endOfInput) }
    }

    // MARK: Writing

    private func flush() {
        write { queue, send in queue.drain(send) }
    }

    /// Lets `body` write from the queue to the socket, and then waits until the rest can be written.
    private func write(_ body: (inout OutputQueue, (UnsafeRawBufferPointer) -> Int) -> Void) {
        guard !isOver else { return }
        var broken = false
        let number = connection.number
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
        if broken { return turnDeaf() }
        if isHeld, !queue.holdsLarge, !isClosing {
            isHeld = false
            onEvent(.readable)
        }
        if isClosing && queue.isEmpty { return abandon() }
        if queue.isEmpty != (watch?.interest.contains(.writable) == false) {
            if queue.isEmpty { watch?.interest.remove(.writable) } else { watch?.interest.insert(.writable) }
        }
    }
}
