import PuckCore
import PuckTestKit
import PuckWire

/// A client of a real puckd that steers and watches views, and places the location: nothing but its own requests moves
/// anything. It keeps all that it was sent, in order.
final class ViewClient {
    private let client: PuckdClient
    private var lastID = 0
    /// What it was sent so far.
    private(set) var log: [ServerMessage] = []

    init(_ puckd: PuckdBench) throws { client = try puckd.connect() }

    /// Sends a request, without its outer braces, and reads up to its answer, which must be `ok`. Gives back the
    /// request's id.
    @discardableResult
    func ask(_ members: String) throws -> RequestID {
        lastID += 1
        let id = RequestID(lastID)
        try client.send("{\(members),\"id\":\(lastID)}")
        let answer = try read { message in
            switch message {
            case .ok(id, _): true
            case .error(let error): error.id == id
            default: false
            }
        }
        if case .error(let error) = answer { throw error }
        return id
    }

    func subscribe(_ members: String = "") throws {
        try ask(#""type":"subscribe""# + (members.isEmpty ? "" : ",\(members)"))
    }

    func place(_ longitude: Double, _ latitude: Double, _ members: String = "") throws {
        let more = members.isEmpty ? "" : ",\(members)"
        try ask(#""type":"place","position":[\#(longitude),\#(latitude)]\#(more)"#)
    }

    /// Reads up to the first message that fits.
    @discardableResult
    func read(within seconds: Double = 15, until condition: (ServerMessage) -> Bool) throws -> ServerMessage {
        try client.message(within: seconds) { message in
            log.append(message)
            return condition(message)
        }
    }

    /// The next frame that fits.
    @discardableResult
    func frame(where condition: (Frame) -> Bool = { _ in true }) throws -> Frame {
        let message = try read { if case .frame(let frame) = $0 { condition(frame) } else { false } }
        guard case .frame(let frame) = message else { throw KitError("no frame") }
        return frame
    }

    /// The next change of a view that fits.
    @discardableResult
    func change(where condition: (ViewMessage) -> Bool = { _ in true }) throws -> ViewMessage {
        let message = try read { message in
            if case .view(let view) = message { view.reason != .current && condition(view) } else { false }
        }
        guard case .view(let view) = message else { throw KitError("no change") }
        return view
    }

    /// Forgets what it was sent so far.
    func forget() { log = [] }

    /// Reads all that was sent before an answer to `ping`, and forgets what came before this.
    func messagesFromNow(_ work: () throws -> Void) throws -> [ServerMessage] {
        log = []
        try work()
        try ask(#""type":"ping""#)
        return log
    }

    /// The frames of the log.
    var frames: [Frame] { log.compactMap { if case .frame(let frame) = $0 { frame } else { nil } } }
}
