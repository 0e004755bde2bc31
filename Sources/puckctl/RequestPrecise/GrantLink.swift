import PuckClient
import PuckSystem
import PuckText

/// A connection to puckd that requests a grant and then serves a program. It forwards bytes in both directions
/// unchanged, without the answer to its own request, so that the program sees an ordinary connection.
final class GrantLink {
    /// An event of a link.
    enum Event {
        /// The grant is in force.
        case granted
        /// puckd refused the grant. The purposes are those that `hello` lists. The link continues without a grant.
        case refused(ErrorMessage, [Hello.Purpose])
        /// The grant has ended, but the link continues.
        case ended(AuthorizationReason)
        /// The link is closed.
        case over
    }

    private static let requestID = RequestID.string("puckctl request-precise")
    /// The maximum number of bytes to read ahead for a side that does not read. puckd must notice a slow reader, to
    /// replace old frames by newer ones.
    private static let limit = 65_536

    private let server: FileDescriptor
    private var program: FileDescriptor?
    private var serverWatch: IOWatch?
    private var programWatch: IOWatch?
    private var toServer: [UInt8]
    private var toProgram: [UInt8] = []
    private var framer = LineFramer(limit: 4 * 1_024 * 1_024)
    private var purposes: [Hello.Purpose] = []
    private var isAnswered = false
    private var serverHasEnded = false
    private var programHasEnded = false
    private let loop: EventLoop
    private var onEvent: ((Event) -> Void)?

    /// Connects to puckd at `path` and requests `purpose`.
    init(
        to path: String, purpose: String, loop: EventLoop, onEvent: @escaping (Event) -> Void
    ) throws(SystemError) {
        server = try connectUnix(path)
        self.loop = loop
        self.onEvent = onEvent
        toServer = RequestEncoder.line(Envelope(id: Self.requestID, .requestPrecise(purpose: purpose)))
        serverWatch = try loop.watch(server.number, for: [.readable, .writable]) { [weak self] in
            self?.serverIsReady($0)
        }
    }

    /// Connects a program to the link.
    func serve(_ program: consuming FileDescriptor) throws(SystemError) {
        let number = program.number
        self.program = consume program
        programWatch = try loop.watch(number, for: [.readable, .writable]) { [weak self] in self?.programIsReady($0) }
    }

    /// Closes both sides.
    func close() {
        serverWatch?.cancel()
        programWatch?.cancel()
        onEvent?(.over)
        onEvent = nil
    }

    // MARK: Bytes

    private func serverIsReady(_ readiness: Readiness) {
        if readiness.contains(.readable) { receiveFromServer() }
        if readiness.contains(.error) { return close() }
        pump()
    }

    private func programIsReady(_ readiness: Readiness) {
        if readiness.contains(.readable) { receiveFromProgram() }
        if readiness.contains(.hangup) || readiness.contains(.error) { return close() }
        pump()
    }

    private func receiveFromServer() {
        switch receive(from: server.number, atMost: Self.limit, { framer.append($0) }) {
        case .bytes:
            while let event = framer.next() {
                guard case .line(let line) = event else { return close() }
                if isForProgram(line) { toProgram += line + [UInt8(ascii: "\n")] }
            }
        case .wouldBlock: break
        case .closed, .failed:
            serverHasEnded = true
            // Otherwise the end would be reported again and again while the program reads the rest.
            serverWatch?.cancel()
        }
    }

    private func receiveFromProgram() {
        guard let number = program?.number else { return }
        switch receive(from: number, atMost: Self.limit, { toServer += $0 }) {
        case .bytes, .wouldBlock: break
        case .closed, .failed: programHasEnded = true
        }
    }

    /// Sends what can be sent, closes what has ended, and updates what to watch for.
    private func pump() {
        guard onEvent != nil else { return }
        // If the server receives no more, it may have sent a reason. Read that to the end.
        if serverHasEnded || !Self.send(&toServer, to: server.number) { toServer = [] }
        if let number = program?.number, !Self.send(&toProgram, to: number) { return close() }
        if serverHasEnded, toProgram.isEmpty || program == nil { return close() }
        if programHasEnded, toServer.isEmpty, programWatch?.interest.contains(.readable) == true {
            endSending(on: server.number)
        }
        serverWatch?.interest = Self.interest(reads: !serverHasEnded && toProgram.count < Self.limit, writes: toServer)
        programWatch?.interest = Self.interest(
            reads: !programHasEnded && toServer.count < Self.limit, writes: toProgram)
    }

    private static func interest(reads: Bool, writes: [UInt8]) -> Readiness {
        var interest: Readiness = []
        if reads { interest.insert(.readable) }
        if !writes.isEmpty { interest.insert(.writable) }
        return interest
    }

    /// Returns false if the other side is gone.
    private static func send(_ bytes: inout [UInt8], to socket: Int32) -> Bool {
        while !bytes.isEmpty {
            switch bytes.withUnsafeBytes({ PuckSystem.send($0, to: socket) }) {
            case .bytes(let count): bytes.removeFirst(count)
            case .wouldBlock: return true
            case .closed, .failed: return false
            }
        }
        return true
    }

    // MARK: Messages from puckd

    private static let authorization = Array(#"{"type":"authorization""#.utf8)

    /// Reads what a line says about the grant. Returns false if it answers the link's own request.
    private func isForProgram(_ line: [UInt8]) -> Bool {
        // After the answer only `authorization` messages are about the grant, so other lines need not be parsed.
        guard !isAnswered || line.starts(with: Self.authorization) else { return true }
        switch try? ServerMessageDecoder.decode(line) {
        case .hello(let hello): purposes = hello.purposes
        case .ok(Self.requestID, _):
            isAnswered = true
            onEvent?(.granted)
            return false
        case .error(let error) where error.id == Self.requestID:
            isAnswered = true
            onEvent?(.refused(error, purposes))
            return false
        case .authorization(let authorization)
        where isAnswered && [.expired, .ended, .system].contains(authorization.reason):
            onEvent?(.ended(authorization.reason))
        default: break
        }
        return true
    }
}
