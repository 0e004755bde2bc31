import PuckCore
import PuckSystem
import PuckWire

/// Runs a client's session with a real socket and a real clock, on its own thread.
final class ClientLoop {
    /// A command from the program.
    enum Command: Sendable {
        case begin
        case ask(Request, ticket: UInt64, timeout: Double, CheckedContinuation<Result<Reply, ClientError>, Never>)
        case cancel(ticket: UInt64)
        case close
        /// The program has released the client.
        case exit
    }

    private let path: String
    private let broadcaster: Broadcaster
    private let loop: EventLoop
    private var inbox: Inbox<Command>?
    private var timer: LoopTimer?
    private var session: ClientSession
    private var connection: ClientConnection?
    private var asking: [UInt64: CheckedContinuation<Result<Reply, ClientError>, Never>] = [:]
    private var isCarryingOut = false

    private init(path: String, reconnects: Bool, broadcaster: Broadcaster) throws(SystemError) {
        self.path = path
        self.broadcaster = broadcaster
        loop = try EventLoop()
        session = ClientSession(reconnects: reconnects, chance: { Double.random(in: 0...1) })
        timer = try loop.timer { [weak self] moment in self?.handle { $0.advance(to: moment.monotonic) } }
    }

    /// Starts a client on a new thread. Returns a sender through which any thread can give it commands.
    static func start(path: String, reconnects: Bool, broadcaster: Broadcaster) throws(SystemError) -> Sender<Command> {
        let client = try ClientLoop(path: path, reconnects: reconnects, broadcaster: broadcaster)
        let inbox = try client.loop.inbox { [weak client] (command: Command) in client?.execute(command) }
        client.inbox = inbox
        let sender = inbox.sender
        try runInBackground { client.run() }
        return sender
    }

    /// Runs until the program releases the client.
    private func run() {
        // This fails if the kernel refuses to wait. Closing the session then answers all requests.
        if (try? loop.run()) == nil { handle { $0.close() } }
    }

    private func execute(_ command: Command) {
        let now = loop.now.monotonic
        switch command {
        case .begin: handle { $0.begin() }
        case .ask(let request, let ticket, let timeout, let continuation):
            asking[ticket] = continuation
            handle { $0.ask(request, ticket: ticket, timeout: timeout, at: now) }
        case .cancel(let ticket): handle { $0.cancel(ticket) }
        case .close: handle { $0.close() }
        case .exit:
            handle { $0.close() }
            loop.exit(0)
        }
    }

    /// Passes an event to the session and carries out the resulting actions.
    private func handle(_ event: (inout ClientSession) -> Void) {
        event(&session)
        guard !isCarryingOut else { return }
        isCarryingOut = true
        while true {
            let actions = session.drainActions()
            if actions.isEmpty { break }
            for action in actions { carryOut(action) }
        }
        isCarryingOut = false
        guard let deadline = session.deadline else { timer?.disarm(); return }
        if timer?.deadline != deadline { timer?.arm(at: deadline) }
    }

    private func carryOut(_ action: ClientSession.Action) {
        switch action {
        case .connect: connect()
        case .send(let line): connection?.send(line)
        case .hangUp:
            connection?.cancel()
            connection = nil
        case .publish(let update): broadcaster.put(update)
        case .answer(let ticket, let result): asking.removeValue(forKey: ticket)?.resume(returning: result)
        case .end: broadcaster.end()
        }
    }

    private func connect() {
        let now = loop.now.monotonic
        do throws(SystemError) {
            connection = try ClientConnection(to: path, on: loop) { [weak self] event in self?.handle(event) }
            handle { $0.connected(at: now) }
        } catch {
            handle { $0.lost(.system(error), at: now) }
        }
    }

    private func handle(_ event: ClientConnection.Event) {
        let now = loop.now.monotonic
        switch event {
        case .received(let line): handle { $0.received(line, at: now) }
        case .over(let error):
            connection = nil
            handle { $0.lost(error.map { .system($0) }, at: now) }
        }
    }
}
