import PuckCore
import PuckWire

/// What a client decides: when to connect, what to ask for again, which answer belongs to which request, what its readers
/// are told. A value: events and time go in, and what is to be done comes out (`drainActions`).
struct ClientSession {
    /// What the session asks its shell to do, in this order.
    enum Action: Hashable {
        /// Connect; it is told at once how that went.
        case connect
        /// Send a line.
        case send([UInt8])
        /// Drop the connection.
        case hangUp
        /// Tell the readers.
        case publish(Update)
        /// Answer a request.
        case answer(UInt64, Result<Reply, ClientError>)
        /// Tell the readers that nothing comes any more.
        case end
    }

    private enum Link {
        /// Nobody has asked for anything yet.
        case unused
        case waiting(until: Instant)
        /// Connected, and not greeted yet.
        case greeting(until: Instant)
        case open
        case ended(ClientError)
    }

    private struct Pending {
        var ticket: UInt64
        var request: Request
        /// nil: what is asked for again waits as long as it takes.
        var deadline: Instant?
        var isSent = false
    }

    /// How long the daemon's greeting may take, seconds.
    static let greetingTimeout = 5.0
    /// The most requests that wait for their answers.
    static let mostRequests = 1_024
    /// Tickets from here on are the session's own: what it asks for again.
    private static let firstOwnTicket: UInt64 = 1 << 62

    private let reconnects: Bool
    private let chance: @Sendable () -> Double
    private var link = Link.unused
    private var backoff = Backoff()
    private var restored = RestoredState()
    /// How the view that is watched was steered, until it is seen how it now stands.
    private var steering: RestoredState.Steering?
    private var pending: [Pending] = []
    private var ownTickets = ClientSession.firstOwnTicket
    /// Why there is no connection, and the daemon's last word on it.
    private var lastError = ClientError.timedOut
    private var lastWord: ErrorMessage?
    private var actions: [Action] = []

    /// A session that has not connected yet. `chance`, from 0 to 1, spreads the attempts of many clients.
    init(reconnects: Bool, chance: @escaping @Sendable () -> Double) {
        self.reconnects = reconnects
        self.chance = chance
    }

    /// What is to be done since the last call, in order.
    mutating func drainActions() -> [Action] {
        defer { actions = [] }
        return actions
    }

    /// When `advance` has something to do, if nothing comes before.
    var deadline: Instant? {
        var all = pending.compactMap(\.deadline)
        switch link {
        case .waiting(let until), .greeting(let until): all.append(until)
        case .unused, .open, .ended: break
        }
        return all.min()
    }

    // MARK: The program's side

    /// Connects, where that was not asked for yet.
    mutating func begin() {
        if case .unused = link { actions.append(.connect) }
    }

    /// Takes a request, to be answered within `timeout` seconds.
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

    /// Ends it all.
    mutating func close() {
        if case .ended = link { return }
        actions.append(.hangUp)
        end(.closed)
    }

    // MARK: The daemon's side

    /// Takes the news that there is a connection.
    mutating func connected(at instant: Instant) {
        lastWord = nil
        link = .greeting(until: instant.advanced(by: Self.greetingTimeout))
    }

    /// Takes a line, or what is none.
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

    /// Takes the news that the connection, or the attempt at one, has failed: `error`, or the daemon has closed it.
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

    /// Does what is due by the clock.
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

    /// Steers the view that is watched as it was, where this is the first word of it and nobody has touched it.
    private mutating func restoreSteering(seeing message: ViewMessage) {
        guard let steering, restored.isWatched(message) else { return }
        self.steering = nil
        if message.mode == .none, message.status == .idle { restore(restored.requests(steering: steering)) }
    }

    private mutating func restore(_ requests: [Request]) {
        for request in requests {
            ownTickets += 1
            // Before what the program has asked for meanwhile.
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
