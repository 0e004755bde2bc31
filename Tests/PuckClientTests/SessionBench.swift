import PuckCore
import PuckWire

@testable import PuckClient

/// A client's session in simulated time, against a daemon that is the test.
struct SessionBench {
    var session: ClientSession
    var now = Instant(seconds: 1_000)
    private(set) var events: [ClientEvent] = []
    private(set) var updates: [Update] = []
    private(set) var answers: [UInt64: Result<Reply, ClientError>] = [:]
    /// What was sent on the present connection.
    private(set) var sent: [Envelope] = []
    /// When it tried to connect.
    private(set) var attempts: [Instant] = []
    private(set) var hangUps = 0
    private(set) var isEnded = false
    /// Whether the next attempt to connect finds a daemon.
    var isDaemonThere = true

    static let hello =
        #"{"type":"hello","server":"puckd test","protocol":1,"purposes":[],"roles":["observer"],"#
        + #""limits":{"line":65536,"rate":120,"clients":10}}"#

    /// Its waits take the least that chance allows.
    init(reconnects: Bool = true) { session = ClientSession(reconnects: reconnects, chance: { 0 }) }

    /// Connects and is greeted.
    static func connected(reconnects: Bool = true) -> SessionBench {
        var bench = SessionBench(reconnects: reconnects)
        bench.handle { session, _ in session.begin() }
        bench.say(hello)
        return bench
    }

    /// Hands an event to the session, and carries out what it asks for.
    mutating func handle(_ event: (inout ClientSession, Instant) -> Void) {
        event(&session, now)
        while case let actions = session.drainActions(), !actions.isEmpty {
            for action in actions { carryOut(action) }
        }
    }

    mutating func ask(_ request: Request, ticket: UInt64, timeout: Double = 5) {
        handle { $0.ask(request, ticket: ticket, timeout: timeout, at: $1) }
    }

    /// The daemon says a line.
    mutating func say(_ line: String) { handle { $0.received(.line(Array(line.utf8)), at: $1) } }

    /// The daemon carries out all that was sent, in order.
    mutating func sayOK() {
        for envelope in sent {
            if case .number(let id)? = envelope.id { say(#"{"type":"ok","id":\#(id)}"#) }
        }
        sent = []
    }

    /// The daemon closes the connection, and is there again a second later.
    mutating func reconnect() {
        handle { $0.lost(nil, at: $1) }
        run(1)
        say(Self.hello)
    }

    /// Lets time go on, doing what falls due.
    mutating func run(_ seconds: Double) {
        let end = now.advanced(by: seconds)
        while let due = session.deadline, due <= end {
            now = max(now, due)
            handle { $0.advance(to: $1) }
        }
        now = end
    }

    /// Takes what was sent so far.
    mutating func takeSent() -> [Request] {
        defer { sent = [] }
        return sent.map(\.request)
    }

    private mutating func carryOut(_ action: ClientSession.Action) {
        switch action {
        case .connect:
            attempts.append(now)
            sent = []
            if isDaemonThere {
                session.connected(at: now)
            } else {
                session.lost(.disconnected(nil), at: now)
            }
        case .send(let line):
            if case .success(let envelope) = RequestDecoder.decode(Array(line.dropLast())) { sent.append(envelope) }
        case .hangUp: hangUps += 1
        case .publish(let update):
            updates.append(update)
            if let event = update.event { events.append(event) }
        case .answer(let ticket, let result): answers[ticket] = result
        case .end: isEnded = true
        }
    }
}
