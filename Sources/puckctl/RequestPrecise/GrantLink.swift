import PuckClient
import PuckSystem

/// One connection to puckd that asks for a purpose first, and then is a program's: bytes go through it both ways as
/// they are. What was said of the asking is taken out, so that the program sees a connection like any other.
final class GrantLink {
    /// What comes of a link.
    enum Event {
        /// Its grant is in force.
        case granted
        /// puckd refused it; what may be asked for, as `hello` lists it. The link goes on without a grant.
        case refused(ErrorMessage, [Hello.Purpose])
        /// The grant is over, though the link is not.
        case ended(AuthorizationReason)
        /// Nothing goes through any more.
        case over
    }

    private static let requestID = RequestID.string("puckctl request-precise")
    /// More than this is not read ahead of a side that does not read, bytes: puckd, which then replaces frames by newer
    /// ones, is to notice.
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

    /// Connects to puckd at `path`, and asks for `purpose`.
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

    /// Gives the link to a program that has connected.
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
            // Else its end would be told again and again, while the program reads what is left.
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

    /// Sends what can be sent, ends what has ended, and watches for what is to be done next.
    private func pump() {
        guard onEvent != nil else { return }
        // A server that takes no more may have said why: that is read to its end.
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

    /// False where the other side is gone.
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

    // MARK: What puckd says

    private static let authorization = Array(#"{"type":"authorization""#.utf8)

    /// Takes note of what a line says of the grant. False where it answers what the program did not ask.
    private func isForProgram(_ line: [UInt8]) -> Bool {
        // After the answer only one kind of message is about the grant, and frames need not be read for it.
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
