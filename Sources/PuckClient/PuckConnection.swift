import PuckCore
import PuckSystem
import PuckWire

/// One line that the server sent: as it came, and as it is understood.
public struct Received: Hashable, Sendable {
    /// The line, without its newline.
    public var line: [UInt8]
    /// What it says; nil where this client does not know its type.
    public var message: ServerMessage?
}

/// Why a connection can't go on.
public enum ConnectionError: Error, Hashable, Sendable {
    /// A system call failed.
    case system(SystemError)
    /// The server closed the connection.
    case closed
    /// The server said something that is no message of this protocol; what was expected.
    case protocolViolation(String)
    /// The server did not answer within the time given.
    case timedOut
}

/// A connection to puckd for programs that do one thing at a time: each call waits for what it is about.
public final class PuckConnection {
    private let socket: FileDescriptor
    private var framer = LineFramer(limit: PuckConnection.longestLine)
    /// What came while an answer was waited for.
    private var waiting: [Received] = []
    private var lastID = 0

    /// The longest line that the server may send, bytes: `who` of thousands of clients is its longest.
    static let longestLine = 4 * 1_024 * 1_024
    private static let chunk = 65_536

    /// Connects to the Unix socket at `path`.
    public init(path: String) throws(SystemError) { socket = try connectUnix(path) }

    /// Takes over a connected socket.
    init(adopting socket: consuming FileDescriptor) { self.socket = socket }

    /// Sends a request, waiting for the server to read.
    public func send(_ envelope: Envelope) throws(ConnectionError) {
        let line = RequestEncoder.line(envelope)
        var sent = 0
        while sent < line.count {
            switch line[sent...].withUnsafeBytes({ PuckSystem.send($0, to: socket.number) }) {
            case .bytes(let count): sent += count
            case .wouldBlock: _ = try wait(for: .writable, timeout: nil)
            case .closed: throw .closed
            case .failed(let error): throw .system(error)
            }
        }
    }

    /// The next message, waiting for it up to `timeout` seconds (nil: for ever); nil where the time is up.
    public func next(timeout: Double? = nil) throws(ConnectionError) -> Received? {
        if !waiting.isEmpty { return waiting.removeFirst() }
        return try receive(until: timeout.map { Clocks.now.monotonic.advanced(by: $0) })
    }

    /// Sends a request and waits for its answer, `timeout` seconds at most. What else comes meanwhile is kept for
    /// `next`. A refusal is an answer too.
    public func ask(
        _ request: Request, timeout: Double = 5
    ) throws(ConnectionError) -> (line: [UInt8], result: Result<Answer, ErrorMessage>) {
        lastID += 1
        let id = RequestID(lastID)
        try send(Envelope(id: id, request))
        let end = Clocks.now.monotonic.advanced(by: timeout)
        while let received = try receive(until: end) {
            switch received.message {
            case .ok(id, let answer): return (received.line, .success(answer))
            case .error(let error) where error.id == id || error.isFatal: return (received.line, .failure(error))
            default: waiting.append(received)
            }
        }
        throw .timedOut
    }

    private func receive(until end: Instant?) throws(ConnectionError) -> Received? {
        while true {
            switch framer.next() {
            case .line(let line): return try understand(line)
            case .tooLong: throw .protocolViolation("a line of at most \(Self.longestLine) bytes")
            case nil: break
            }
            let left = end.map { $0.seconds(since: Clocks.now.monotonic) }
            guard try wait(for: .readable, timeout: left) else { return nil }
            try read()
        }
    }

    private func read() throws(ConnectionError) {
        let transfer = withUnsafeTemporaryAllocation(byteCount: Self.chunk, alignment: 1) { buffer in
            let transfer = PuckSystem.receive(from: socket.number, into: buffer)
            if case .bytes(let count) = transfer { framer.append(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
            return transfer
        }
        switch transfer {
        case .bytes, .wouldBlock: return
        case .closed: throw .closed
        case .failed(let error): throw .system(error)
        }
    }

    private func understand(_ line: [UInt8]) throws(ConnectionError) -> Received {
        do throws(ServerMessageDecoder.Failure) {
            return Received(line: line, message: try ServerMessageDecoder.decode(line))
        } catch {
            throw .protocolViolation(error.message)
        }
    }

    /// Whether the socket is ready within the time.
    private func wait(for interest: Readiness, timeout: Double?) throws(ConnectionError) -> Bool {
        do throws(SystemError) {
            return try waitUntilReady(socket.number, for: interest, timeout: timeout) != nil
        } catch {
            throw .system(error)
        }
    }
}
