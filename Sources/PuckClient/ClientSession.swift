import PuckCore
import PuckText
import PuckWire

/// The decisions of a client: when to connect, what to restore, which answer belongs to which request, and what to send
/// to the readers. This is a value without I/O: events and times go in, and actions come out (`drainActions`).
struct ClientSession {
    /// An action for the caller to carry out, in order.
    enum Action: Hashable {
        /// Connect, and report success or failure at once.
        case connect
        /// Send a line.
        case send([UInt8])
        /// Drop the connection.
        case hangUp
        /// Send an update to the readers.
        case publish(Update)
        /// Answer a request.
        case answer(UInt64, Result<Reply, ClientError>)
        /// End the readers' sequences.
        case end
    }

    private enum Link {
        /// No connection has been requested yet.
        case unused
        case waiting(until: Instant)
        /// Connected, but `hello` has not arrived yet.
        case greeting(until: Instant)
        case open
        case ended(ClientError)
    }

    private struct Pending {
        var ticket: UInt64
        var request: Request
        /// The deadline for the answer; nil for a request of the session itself, which has none.
        var deadline: Instant?
        var isSent = false
    }

    /// The maximum time in seconds until the daemon's `hello`.
    static let greetingTimeout = 5.0
    /// The maximum number of requests that wait for answers.
    static let mostRequests = 1_024
    /// Tickets from this number on belong to the session itself, which uses them to restore state.
    private static let firstOwnTicket: UInt64 = 1 << 62

    private let reconnects: Bool
    private let chance: @Sendable () -> Double
    private var link = Link.unused
    private var backoff = Backoff()
    private var restored = RestoredState()
    /// The steering to restore, until the first message about the watched view shows its current state.
    private var steering: RestoredState.Steering?
    private var pending: [Pending] = []
    private var ownTickets = ClientSession.firstOwnTicket
    /// The reason why there is no connection, and the daemon's last fatal error.
    private var lastError = ClientError.timedOut
    private var lastWord: ErrorMessage?
    private var actions: [Action] = []

    /// Creates a session that is not connected. `chance` returns random numbers from 0 to 1, which spread the
    /// reconnection attempts of many clients.
    init(reconnects: Bool, chance: @escaping @Sendable () -> Double) {
        self.reconnects = reconnects
        self.chance = chance
    }

    /// Returns the actions since the last call, in order, and removes them.
    mutating func drainActions() -> [Action] {
        defer { actions = [] }
        return actions
    }

    /// The time at which to call `advance`, unless another event comes first; nil if there is none.
    var deadline: Instant? {
        var all = pending.compactMap(\.deadline)
        switch link {
        case .waiting(let until), .greeting(let until): all.append(until)
        case .unused, .open, .ended: break
        }
        return all.min()
    }

    // MARK: Calls from the program

    /// Connects, unless a connection was already requested.
    mutating func begin() {
        if case .unused = link { actions.append(.connect) }
    }

    /// Adds a request, which must be answered within `timeout` seconds.
    mutating func ask(_ request: Request, ticket: UInt64, timeout: Double, at instant: Instant) {
        if case .ended(let error) = link { return actions.append(.answer(ticket, .failure(error))) }
        guard pending.count < Self.mostRequests else {
            return actions.append(.answer(ticket, .failure(.tooManyRequests)))
        }
        pending.append(Pending(ticket: ticket, request: request, deadline: instant.advanced(by: timeout)))
        begin()
        sendWaiting()
    }

    /// Gives up on a request.
    mutating func cancel(_ ticket: UInt64) { answer(ticket, .failure(.cancelled)) }

    /// Closes the session for good.
    mutating func close() {
        if case .ended = link { return }
        actions.append(.hangUp)
        end(.closed)
    }

    // MARK: Events from the daemon

    /// Records that a connection was made.
    mutating func connected(at instant: Instant) {
        lastWord = nil
        link = .greeting(until: instant.advanced(by: Self.greetingTimeout))
    }

    /// Processes a line, or a line that is too long.
    mutating func received(_ line: LineFramer.Event, at instant: Instant) {
        guard case .line(let bytes) = line else {
            return lose(.protocolViolation("expected a line of at most \(PuckClient.longestLine) bytes"), at: instant)
        }
        do throws(ServerMessageDecoder.Failure) {
            receive(try ServerMessageDecoder.decode(bytes), bytes, at: instant)
        } catch {
            lose(.protocolViolation(error.message), at: instant)
        }
    }

    /// Records that the connection or the attempt failed with `error`, or that the daemon closed it (nil).
    mutating func lost(_ error: ClientError?, at instant: Instant) {
        let error = error ?? .disconnected(lastWord)
        lastError = error
        steering = nil
        pending.removeAll { $0.ticket >= Self.firstOwnTicket }
        for request in pending where request.isSent { answer(request.ticket, .failure(error)) }
        guard reconnects else { return end(error) }
        let wait = backoff.next(random: chance())
        link = .waiting(until: instant.advanced(by: wait))
        publish(.disconnected(error, retryIn: wait))
    }

    /// Carries out what is due at `instant`.
    mutating func advance(to instant: Instant) {
        switch link {
        case .waiting(let until) where until <= instant: actions.append(.connect)
        case .greeting(let until) where until <= instant: lose(.timedOut, at: instant)
        case .unused, .waiting, .greeting, .open, .ended: break
        }
        for request in pending where request.deadline.map({ $0 <= instant }) == true {
            answer(request.ticket, .failure(request.isSent ? .timedOut : lastError))
        }
    }

    // MARK: Messages

    private mutating func receive(_ message: ServerMessage?, _ line: [UInt8], at instant: Instant) {
        if case .greeting = link {
            switch message {
            case .hello(let hello): return greeted(hello, line, at: instant)
            case .error(let error) where error.isFatal: break
            default: return lose(.protocolViolation("expected hello first"), at: instant)
            }
        }
        switch message {
        case .ok(let id, let answer): answered(id, .success(Reply(answer: answer, line: line)))
        case .error(let error):
            if error.isFatal { lastWord = error }
            answered(error.id, .failure(.refused(error)))
        case .frame(let frame): actions.append(.publish(Update(content: .frame(frame), line: line)))
        case .source(let source): publish(.source(source), line)
        case .authorization(let authorization): publish(.authorization(authorization), line)
        case .view(let view):
            publish(.view(view), line)
            restoreSteering(seeing: view)
            restored.record(view)
        case .hello, nil: actions.append(.publish(Update(content: .unknown, line: line)))
        }
    }

    private mutating func greeted(_ hello: Hello, _ line: [UInt8], at instant: Instant) {
        guard hello.protocol == protocolVersion else {
            return lose(.protocolViolation("expected version \(protocolVersion) of the protocol"), at: instant)
        }
        link = .open
        backoff.reset()
        publish(.connected(hello), line)
        steering = restored.steering
        restore(restored.opening)
        sendWaiting()
    }

    /// On the first message about the watched view, restores the steering if no client is steering the view now.
    private mutating func restoreSteering(seeing message: ViewMessage) {
        guard let steering, restored.isWatched(message) else { return }
        self.steering = nil
        if message.mode == .none, message.status == .idle { restore(restored.requests(steering: steering)) }
    }

    private mutating func restore(_ requests: [Request]) {
        for request in requests {
            ownTickets += 1
            // Restore state before the program's waiting requests.
            let first = pending.firstIndex { !$0.isSent } ?? pending.endIndex
            pending.insert(Pending(ticket: ownTickets, request: request, deadline: nil), at: first)
            sendWaiting(only: ownTickets)
        }
    }

    private mutating func sendWaiting(only ticket: UInt64? = nil) {
        guard case .open = link else { return }
        for i in pending.indices where !pending[i].isSent && (ticket == nil || pending[i].ticket == ticket) {
            pending[i].isSent = true
            let envelope = Envelope(id: .number(String(pending[i].ticket)), pending[i].request)
            actions.append(.send(RequestEncoder.line(envelope)))
        }
    }

    private mutating func answered(_ id: RequestID?, _ result: Result<Reply, ClientError>) {
        guard case .number(let text) = id, let ticket = UInt64(text),
            let request = pending.first(where: { $0.ticket == ticket && $0.isSent })?.request
        else { return }
        if case .success = result { restored.record(request) }
        if ticket >= Self.firstOwnTicket, case .failure(.refused(let error)) = result {
            publish(.notRestored(request, error))
        }
        answer(ticket, result)
    }

    private mutating func answer(_ ticket: UInt64, _ result: Result<Reply, ClientError>) {
        guard let i = pending.firstIndex(where: { $0.ticket == ticket }) else { return }
        pending.remove(at: i)
        if ticket < Self.firstOwnTicket { actions.append(.answer(ticket, result)) }
    }

    private mutating func publish(_ event: ClientEvent, _ line: [UInt8]? = nil) {
        actions.append(.publish(Update(content: .event(event), line: line)))
    }

    private mutating func lose(_ error: ClientError, at instant: Instant) {
        actions.append(.hangUp)
        lost(error, at: instant)
    }

    private mutating func end(_ error: ClientError) {
        for request in pending { answer(request.ticket, .failure(error)) }
        link = .ended(error)
        publish(.disconnected(error, retryIn: nil))
        actions.append(.end)
    }
}
