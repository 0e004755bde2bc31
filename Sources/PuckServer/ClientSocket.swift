import PuckCore
import PuckSystem
import PuckText
import PuckWire

/// One client's socket: bytes in, lines out; lines in, bytes out. What the lines mean is the hub's, and when they are read
/// is the server's: reading waits for the client's turn.
final class ClientSocket {
    /// What a socket reports to its server.
    enum Event {
        /// It has something to be read.
        case readable
        /// A line, or the violation that ends the connection.
        case received(LineFramer.Event)
        /// What waited is about to be sent: the last chance to take a frame back.
        case willSend
        /// The peer sends no more.
        case endOfInput
        /// It is over: nothing can be sent or received any more.
        case over
    }

    /// What came of a turn.
    enum Turn {
        /// There may be more to read.
        case more
        /// All that came has been read.
        case done
    }

    let id: ClientID
    let peer: PeerCredentials
    private let connection: AcceptedConnection
    private var watch: IOWatch?
    private var framer: LineFramer
    private var queue: OutputQueue
    private var onEvent: (Event) -> Void
    /// Nothing more is read or queued; once the queue is empty, the connection is over.
    private(set) var isClosing = false
    /// The peer is gone, and hears nothing. What it sent before is still read.
    private(set) var isDeaf = false
    /// Nothing is sent or received any more.
    private var isOver = false
    /// The peer sends no more.
    private var hasEnded = false
    /// What it asks waits until it has read a large answer.
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

    /// What the kernel keeps for a client that does not read, bytes. Frames in there can't be taken back for newer ones,
    /// so it is little: some twenty of them, by the kernel's own reckoning of two bytes for each and its overhead.
    private static let sendBuffer: Int32 = 16_384

    /// Bytes that wait for the client to read.
    var waitingBytes: Int { queue.bytes }

    /// Memory that the client's reading and writing take now, bytes.
    var heldBytes: Int { queue.bytes + framer.heldBytes }

    /// Frames that the kernel took, and frames that a newer one replaced since the client did not read.
    var frames: (sent: UInt64, skipped: UInt64) { (queue.framesWritten, queue.replaced) }

    /// Sends a message, in full and in order. False if the queue is full: it can't be. A `large` one is taken though it is
    /// larger than the queue, if the client reads what it asks for.
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

    /// Takes back a frame that waits: its reader may not have it any more.
    func dropFrame() { queue.dropFrame() }

    /// Hangs up once what waits is read; with `last`, which then is all that waits.
    func close(saying last: [UInt8]? = nil) {
        guard !isClosing else { return }
        isClosing = true
        guard !isDeaf else { return abandon() }
        if let last { queue.replaceAll(with: last) }
        watch?.interest.remove(.readable)
        flush()
    }

    /// Hangs up at once, whatever waits.
    func abandon() {
        guard !isOver else { return }
        isOver = true
        isClosing = true
        watch?.cancel()
        watch = nil
        onEvent(.over)
    }

    /// Closes the socket, after its end. True if it is closed; else `closer` does it, and reports.
    func closeConnection(with closer: SocketCloser) -> Bool { connection.close(with: closer, of: peer.user) }

    /// Does not report again that there is something to be read, until that is read: its turn is waited for already.
    func pauseReports() { watch?.interest.remove(.readable) }

    private func ready(_ readiness: Readiness) {
        if readiness.contains(.writable) {
            onEvent(.willSend)
            flush()
        }
        // Both halves are gone. What the peer sent before that is read in its turn.
        if readiness.contains(.hangup) || readiness.contains(.error) { return turnDeaf() }
        if readiness.contains(.readable), !isClosing { onEvent(.readable) }
    }

    /// The peer is gone: its end would be reported again and again, so that is not waited for any more.
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

    /// How much is read in one turn. Bytes.
    private static let portion = 4_096

    /// Reads a portion and hands on its lines, until `isOver` says after one that others are to have their turn.
    func takeTurn(until isOver: () -> Bool) -> Turn {
        var (hasRead, isDrained) = (false, false)
        while !isClosing {
            while !hold(), let event = framer.next() {
                onEvent(.received(event))
                if isClosing { return .done }
                guard isOver() else { continue }
                // Who has said all goes behind nobody.
                guard isDrained, !framer.hasPartialLine, !hold() else { return .more }
                watch?.interest.insert(.readable)
                return .done
            }
            if isHeld { return .done }
            if isDrained {
                // What comes now, and an end, is reported.
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

    /// Whether a large answer is to be read first: a client may ask for the next one before it has read the last.
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

    /// Lets `body` write from the queue to the socket, and then waits for what could not be written.
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
