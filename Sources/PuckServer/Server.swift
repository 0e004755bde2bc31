import PuckCore
import PuckSystem
import PuckWire

/// The publisher's shell: it runs a hub on real sockets and a real clock. The hub decides; the server carries out the
/// decisions, and chooses whose turn it is.
public final class Server {
    /// An event for the daemon.
    public enum Event {
        /// Save this for a restart, and report the outcome to `saved`.
        case save(KeptState)
        /// Write this to the journal.
        case record(AuditRecord)
        /// A client connected.
        case connected(ClientID, PeerCredentials)
        /// A client disconnected.
        case disconnected(ClientID)
        /// A connection was refused, or accepting pauses.
        case turnedAway(String)
        /// A client did not read, and was disconnected.
        case overloaded(ClientID)
    }

    let loop: EventLoop
    var hub: Hub
    var limits: ServerLimits
    var sockets: [ClientID: ClientSocket] = [:]
    /// Connections of each user, including those that are still being closed.
    var perUser: [UInt32: Int] = [:]
    var closer: SocketCloser?
    var names: UserNames?
    /// Clients with input.
    var turns = Turns()
    var waiting: Set<ClientID> = []
    /// Disconnected clients whose users have overdrawn accounts, so that their last input is not read.
    var ending: [ClientID] = []
    /// Users with overdrawn accounts, and until when.
    var resting: [UInt32: Instant] = [:]
    var restTimer: LoopTimer?
    var reading: LaterWork?
    private var acceptor: Acceptor?
    private var timer: LoopTimer?
    /// Grants also expire by UTC, whenever that is set; and events that were due while the host slept are due now.
    private var clockWatch: ClockWatch?
    /// Ends the wait for disconnected clients that do not read their remaining output.
    private var lingerTimer: LoopTimer?
    private var lingering: [(id: ClientID, until: Instant)] = []
    private var clientCount: UInt64 = 0
    /// Ended sockets, which are removed after the present event.
    private var over: [ClientID] = []
    private var isCarryingOut = false
    /// The frame that is being sent.
    private var line = FrameLine()
    let onEvent: (Event) -> Void

    /// A server on a listening socket that runs `hub`.
    public init(
        loop: EventLoop, socket: ListeningSocket, hub: Hub, limits: ServerLimits, onEvent: @escaping (Event) -> Void
    ) throws(SystemError) {
        self.loop = loop
        self.hub = hub
        self.limits = limits
        self.onEvent = onEvent
        closer = try SocketCloser(loop: loop) { [weak self] user in self?.forgetConnection(of: user) }
        names = try UserNames(loop: loop) { [weak self] user, name in
            self?.handle { hub, _ in hub.learn(name, ofUser: user) }
        }
        reading = try loop.laterWork { [weak self] in self?.read() }
        timer = try loop.timer { [weak self] moment in
            self?.handle { hub, _ in hub.advance(to: moment) }
            self?.letOthersIn()
        }
        clockWatch = try loop.onClockSet { [weak self] moment in
            self?.handle { hub, _ in hub.advance(to: moment) }
        }
        restTimer = try loop.timer { [weak self] moment in self?.wakeUsers(at: moment) }
        lingerTimer = try loop.timer { [weak self] moment in self?.abandonLingering(at: moment) }
        acceptor = try Acceptor(
            on: loop, socket: socket,
            farewell: Self.farewell("puckd has no descriptors left; try again later"), urgency: .later,
            onProblem: { [weak self] problem in
                switch problem {
                case .turnedAway(let error), .resting(let error): self?.onEvent(.turnedAway(error.description))
                }
            },
            close: { [weak self] connection in self?.turnAway(connection) },
            onConnection: { [weak self] connection in self?.accept(connection) })
        rearm()
    }

    // MARK: Input from the daemon

    /// Takes a report of the receiver in use.
    public func receive(_ report: Report, at moment: Moment) {
        handle { hub, _ in hub.receive(report, at: moment) }
    }
    /// Takes a change of the receiver's state.
    public func receive(_ status: SourceStatus, at moment: Moment) {
        handle { hub, _ in hub.receive(status, at: moment) }
    }
    /// Takes the outcome of a save that `Event.save` requested; `failure` is the reason why the state is not on the
    /// disk.
    public func saved(_ state: KeptState, failure: String?) {
        handle { hub, moment in hub.saved(state, failure: failure, at: moment) }
    }
    /// Applies a changed policy and changed limits.
    public func reconfigure(_ settings: HubSettings) {
        limits = settings.limits
        handle { hub, moment in hub.reconfigure(settings, at: moment) }
    }
    /// Sends a last error to every client and accepts no more connections. Output that is unread at the end of the
    /// process is lost.
    public func shutDown() {
        acceptor?.cancel()
        handle { hub, _ in hub.shutDown() }
    }

    // MARK: Connections

    private func accept(_ connection: AcceptedConnection) {
        do throws(SystemError) {
            let peer = try PeerCredentials(of: connection.number)
            if let reason = reasonToTurnAway(peer) {
                let farewell = Self.farewell(reason)
                _ = farewell.withUnsafeBytes { send($0, to: connection.number) }
                turnAway(connection, of: peer.user)
                return onEvent(.turnedAway(reason))
            }
            clientCount += 1
            let id = ClientID(clientCount)
            let socket = try ClientSocket(id: id, peer: peer, connection: connection, loop: loop, limits: limits) {
                [weak self] event in self?.handle(event, of: id)
            }
            sockets[id] = socket
            perUser[peer.user, default: 0] += 1
            onEvent(.connected(id, peer))
            let origin = ClientOrigin(peer, userName: names?.name(of: peer.user))
            handle { hub, moment in hub.connect(id, origin, at: moment) }
        } catch {
            let farewell = Self.farewell(error.description)
            _ = farewell.withUnsafeBytes { send($0, to: connection.number) }
            turnAway(connection)
            onEvent(.turnedAway(error.description))
        }
    }

    /// Closes a connection that is not served. It counts as one of its user's until it is closed.
    private func turnAway(_ connection: AcceptedConnection, of user: UInt32? = nil) {
        guard let closer else { return }
        let owner = user ?? Self.nobody
        if !connection.close(with: closer, of: owner) { perUser[owner, default: 0] += 1 }
    }

    /// The user of connections that are refused before their user is known. (No user has this number, see chown(2).)
    private static let nobody = UInt32.max

    /// A user's connection has been closed, perhaps after a long time.
    private func forgetConnection(of user: UInt32) {
        if let left = perUser[user].map({ $0 - 1 }) { perUser[user] = left > 0 ? left : nil }
    }

    private func reasonToTurnAway(_ peer: PeerCredentials) -> String? {
        if sockets.count >= limits.clients { return "all \(limits.clients) connections are in use; try again later" }
        let held = perUser[peer.user, default: 0]
        let most = limits.clientsPerUser ?? limits.clients
        if held >= most { return "you have \(most) connections already; close one" }
        let isPrivileged = hub.isPrivileged(peer.identity)
        if !limits.clientShares.admits(held: held, taken: sockets.count, isPrivileged: isPrivileged) {
            return held == 0
                ? "the last of \(limits.clients) connections are kept for administrators; try again later"
                : "you have \(held) connections, and few are left for others; close one"
        }
        if hub.pause(of: peer.user, at: loop.now) != nil, !isPrivileged {
            return "your requests use more than your share of processor time; try again in a second"
        }
        return nil
    }

    private static func farewell(_ reason: String) -> [UInt8] {
        ServerMessageEncoder.line(.error(ErrorMessage(code: .tooMany, message: reason, isFatal: true)))
    }

    private func handle(_ event: ClientSocket.Event, of id: ClientID) {
        switch event {
        case .willSend: handle { hub, moment in hub.expireGrants(at: moment) }
        case .readable:
            wait(for: id)
            if isCarryingOut { reading?.schedule() }
        case .received(let line): handle { hub, moment in hub.receive(line, from: id, at: moment) }
        case .endOfInput:
            // A client that only closed its sending half, as `printf … | nc -U` does, still reads.
            if !hub.isSubscribed(id) { close(id) }
        case .over:
            over.append(id)
            if !isCarryingOut { handle { _, _ in } }
        }
    }

    // MARK: Carrying out actions

    /// Passes an event to the hub, and carries out its actions. One event at a time: events that an action causes
    /// wait.
    func handle(_ event: (inout Hub, Moment) -> Void) {
        let moment = loop.now
        event(&hub, moment)
        guard !isCarryingOut else { return }
        isCarryingOut = true
        while true {
            let actions = hub.drainActions()
            if actions.isEmpty, over.isEmpty { break }
            for action in actions { carryOut(action) }
            forgetWhoIsOver(at: moment)
        }
        isCarryingOut = false
        rearm()
    }

    private func carryOut(_ action: HubAction) {
        switch action {
        case .send(let id, let message): deliver(message, to: id)
        case .tellConnections(let id, let request, var connections):
            for i in connections.indices {
                let frames = sockets[ClientID(connections[i].client)]?.frames
                connections[i].framesSent = frames?.sent
                connections[i].framesSkipped = frames?.skipped
            }
            deliver(ServerMessageEncoder.line(.ok(id: request, .connections(connections))), to: id, large: true)
        case .frame(let body, let width, let recipients):
            line.hold(body, width: width)
            for recipient in recipients {
                guard let socket = sockets[recipient.client] else { continue }
                line.withLine(numbered: recipient.sequence) { socket.sendFrame($0) }
            }
        case .motion(let motion, let recipients):
            for recipient in recipients {
                sockets[recipient.client]?.sendMotion(motion, numbered: recipient.sequence)
            }
        case .dropFrame(let id): sockets[id]?.dropFrame()
        case .close(let id, let last): close(id, saying: last)
        case .save(let state): onEvent(.save(state))
        case .record(let record): onEvent(.record(record))
        }
    }

    private func deliver(_ message: [UInt8], to id: ClientID, large: Bool = false) {
        guard let socket = sockets[id] else { return }
        guard socket.send(message, large: large) else {
            return overload(socket, "more than \(limits.queueBytes) bytes wait for you to read them; read faster")
        }
        if socket.waitingBytes > Self.muchWaiting, holdsTooMuch(socket.peer.user) {
            overload(socket, "more than \(limits.bytesPerUser) bytes wait for your connections; read faster")
        }
    }

    /// Bytes waiting for one client from which the server checks the total of its user.
    private static let muchWaiting = 16_384

    /// Disconnects a client that does not read its messages. It gets an error, if it ever reads.
    func overload(_ socket: ClientSocket, _ reason: String) {
        onEvent(.overloaded(socket.id))
        let last = ErrorMessage(code: .overloaded, message: reason, isFatal: true)
        close(socket.id, saying: ServerMessageEncoder.line(.error(last)))
    }

    /// How long a disconnected client has to read its remaining output, seconds.
    private static let linger = 5.0

    private func close(_ id: ClientID, saying last: [UInt8]? = nil) {
        guard let socket = sockets[id] else { return }
        socket.close(saying: last)
        guard socket.waitingBytes > 0 else { return }
        let until = loop.now.monotonic.advanced(by: Self.linger)
        lingering.append((id, until))
        if lingerTimer?.deadline == nil { lingerTimer?.arm(at: until) }
    }

    private func abandonLingering(at moment: Moment) {
        while let first = lingering.first, first.until <= moment.monotonic {
            lingering.removeFirst()
            sockets[first.id]?.abandon()
        }
        if let next = lingering.first { lingerTimer?.arm(at: next.until) }
    }

    private func forgetWhoIsOver(at moment: Moment) {
        for id in over {
            guard let socket = sockets.removeValue(forKey: id) else { continue }
            if let closer, socket.closeConnection(with: closer) { forgetConnection(of: socket.peer.user) }
            hub.disconnect(id, at: moment)
            onEvent(.disconnected(id))
        }
        over = []
    }

    private func rearm() {
        guard let deadline = Self.deadline(of: &hub) else { timer?.disarm(); return }
        if timer?.deadline != deadline { timer?.arm(at: deadline) }
    }

    /// Clients get turns even if frames take all the time.
    private func letOthersIn() {
        guard let deadline = timer?.deadline, deadline <= loop.now.monotonic else { return }
        loop.serveOverdue()
    }

    /// Takes the hub `inout` to avoid a copy: reading it from a class would copy all of it.
    private static func deadline(of hub: inout Hub) -> Instant? { hub.deadline }
}

extension ClientOrigin {
    /// The origin of a peer. Its program is looked up here once: the hub asks no kernel.
    fileprivate init(_ peer: PeerCredentials, userName: String?) {
        self.init(
            identity: peer.identity, process: peer.process > 0 ? peer.process : nil, userName: userName,
            program: programName(ofProcess: peer.process))
    }
}
