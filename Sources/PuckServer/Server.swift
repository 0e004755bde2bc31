import PuckCore
import PuckSystem
import PuckWire

/// The publisher's shell: runs a hub on real sockets and a real clock. What is decided is the hub's; here is only how
/// it is carried out.
public final class Server {
    /// What the server asks of the daemon.
    public enum Event {
        /// Keep this over a restart, and report to `saved` what came of it.
        case save(KeptState)
        /// Write this to the journal.
        case record(AuditRecord)
        /// A client came.
        case connected(ClientID, PeerCredentials)
        /// A client is gone.
        case disconnected(ClientID)
        /// A connection was turned away, or accepting rests.
        case turnedAway(String)
        /// A client did not read, and was hung up on.
        case overloaded(ClientID)
    }

    private let loop: EventLoop
    private var hub: Hub
    private var limits: ServerLimits
    private var acceptor: Acceptor?
    private var timer: LoopTimer?
    /// Grants end by UTC too, whenever that is set; and what fell due while the host slept is due now.
    private var clockWatch: ClockWatch?
    /// Ends the wait for clients that are hung up on and do not read the rest.
    private var lingerTimer: LoopTimer?
    private var lingering: [(id: ClientID, until: Instant)] = []
    private var sockets: [ClientID: ClientSocket] = [:]
    private var perUser: [UInt32: Int] = [:]
    private var clientCount: UInt64 = 0
    /// Sockets that are over, to be forgotten once the event at hand is carried out.
    private var over: [ClientID] = []
    private var isCarryingOut = false
    /// The frame that is being sent.
    private var line = FrameLine()
    private let onEvent: (Event) -> Void

    /// A server on a listening socket, running `hub`.
    public init(
        loop: EventLoop, socket: ListeningSocket, hub: Hub, limits: ServerLimits, onEvent: @escaping (Event) -> Void
    ) throws(SystemError) {
        self.loop = loop
        self.hub = hub
        self.limits = limits
        self.onEvent = onEvent
        timer = try loop.timer { [weak self] moment in
            self?.handle { hub, _ in hub.advance(to: moment) }
        }
        clockWatch = try loop.onClockSet { [weak self] moment in
            self?.handle { hub, _ in hub.advance(to: moment) }
        }
        lingerTimer = try loop.timer { [weak self] moment in self?.abandonLingering(at: moment) }
        acceptor = try Acceptor(
            on: loop, socket: socket,
            farewell: Self.farewell("no descriptors left; try again later"),
            onProblem: { [weak self] problem in
                switch problem {
                case .turnedAway(let error), .resting(let error): self?.onEvent(.turnedAway(error.description))
                }
            },
            onConnection: { [weak self] (connection: consuming FileDescriptor) in self?.accept(connection) })
        rearm()
    }

    // MARK: What the daemon hands on

    /// Takes a report of the receiver in use.
    public func receive(_ report: Report, at moment: Moment) {
        handle { hub, _ in hub.receive(report, at: moment) }
    }
    /// Takes a change of the receiver's state.
    public func receive(_ status: SourceStatus, at moment: Moment) {
        handle { hub, _ in hub.receive(status, at: moment) }
    }
    /// Takes what came of a save that `Event.save` asked for; `failure` says why it is not on the disk.
    public func saved(_ state: KeptState, failure: String?) {
        handle { hub, moment in hub.saved(state, failure: failure, at: moment) }
    }
    /// Takes over a changed policy and changed limits.
    public func reconfigure(_ settings: HubSettings) {
        limits = settings.limits
        handle { hub, moment in hub.reconfigure(settings, at: moment) }
    }
    /// Says good-bye to everyone and accepts no more. What they have not read by the end of the process is lost.
    public func shutDown() {
        acceptor?.cancel()
        handle { hub, _ in hub.shutDown() }
    }

    // MARK: Connections

    private func accept(_ connection: consuming FileDescriptor) {
        do throws(SystemError) {
            let peer = try PeerCredentials(of: connection.number)
            if let reason = reasonToTurnAway(peer) {
                let farewell = Self.farewell(reason)
                _ = farewell.withUnsafeBytes { send($0, to: connection.number) }
                return onEvent(.turnedAway(reason))
            }
            clientCount += 1
            let id = ClientID(clientCount)
            let socket = try ClientSocket(id: id, peer: peer, socket: connection, loop: loop, limits: limits) {
                [weak self] event in self?.handle(event, of: id)
            }
            sockets[id] = socket
            perUser[peer.user, default: 0] += 1
            onEvent(.connected(id, peer))
            handle { hub, moment in hub.connect(id, ClientOrigin(peer), at: moment) }
        } catch {
            onEvent(.turnedAway(error.description))
        }
    }

    private func reasonToTurnAway(_ peer: PeerCredentials) -> String? {
        if sockets.count >= limits.clients { return "there are \(limits.clients) clients already; try again later" }
        if let most = limits.clientsPerUser, perUser[peer.user, default: 0] >= most {
            return "you have \(most) connections already; close one"
        }
        return nil
    }

    private static func farewell(_ reason: String) -> [UInt8] {
        ServerMessageEncoder.line(.error(ErrorMessage(code: .tooMany, message: reason, isFatal: true)))
    }

    private func handle(_ event: ClientSocket.Event, of id: ClientID) {
        switch event {
        case .willSend: handle { hub, moment in hub.expireGrants(at: moment) }
        case .received(let line): handle { hub, moment in hub.receive(line, from: id, at: moment) }
        case .endOfInput:
            // A client that only wrote half its connection off, as `printf … | nc -U` does, still reads.
            if !hub.isSubscribed(id) { close(id) }
        case .over:
            over.append(id)
            if !isCarryingOut { handle { _, _ in } }
        }
    }

    // MARK: Carrying out

    /// Hands an event to the hub, and does what it asks for. One event at a time: what comes of carrying out waits.
    private func handle(_ event: (inout Hub, Moment) -> Void) {
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
            deliver(ServerMessageEncoder.line(.ok(id: request, .connections(connections))), to: id)
        case .frame(let body, let recipients):
            line.hold(body)
            for recipient in recipients {
                guard let socket = sockets[recipient.client] else { continue }
                line.withLine(numbered: recipient.sequence) { socket.sendFrame($0) }
            }
        case .dropFrame(let id): sockets[id]?.dropFrame()
        case .close(let id, let last): close(id, saying: last)
        case .save(let state): onEvent(.save(state))
        case .record(let record): onEvent(.record(record))
        }
    }

    private func deliver(_ message: [UInt8], to id: ClientID) {
        guard let socket = sockets[id], !socket.send(message) else { return }
        overload(socket)
    }

    /// A client that does not read what it must be told can't be kept: it is told that, if ever it reads.
    private func overload(_ socket: ClientSocket) {
        onEvent(.overloaded(socket.id))
        let last = ErrorMessage(
            code: .overloaded, message: "more than \(limits.queueBytes) bytes wait to be read; read faster",
            isFatal: true)
        close(socket.id, saying: ServerMessageEncoder.line(.error(last)))
    }

    /// How long a client that is hung up on has to read what waits, seconds.
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
            let user = socket.peer.user
            if let left = perUser[user].map({ $0 - 1 }) { perUser[user] = left > 0 ? left : nil }
            hub.disconnect(id, at: moment)
            onEvent(.disconnected(id))
        }
        over = []
    }

    private func rearm() {
        guard let deadline = Self.deadline(of: &hub) else { timer?.disarm(); return }
        if timer?.deadline != deadline { timer?.arm(at: deadline) }
    }

    /// Asked where the hub lies: what a class holds is copied to be asked, all of it, unless it is lent as if to be changed.
    private static func deadline(of hub: inout Hub) -> Instant? { hub.deadline }
}

extension ClientOrigin {
    /// The origin of a peer. User and program are looked up here, once: the hub asks no name service and no kernel.
    fileprivate init(_ peer: PeerCredentials) {
        self.init(
            identity: peer.identity,
            process: peer.process > 0 ? peer.process : nil,
            userName: (try? Users.name(ofUser: peer.user)) ?? nil, program: programName(ofProcess: peer.process))
    }
}
