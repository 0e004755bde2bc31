import PuckCore
import PuckSystem
import PuckTestKit
import PuckText
import PuckWire

/// A puckd that answers every request, with texts from a generator in every place that holds one.
struct HostilePuckd {
    let path: String
    private let socket: ListeningSocket
    private var random: SeededGenerator
    private var clients: [Client] = []

    private final class Client {
        let socket: FileDescriptor
        var framer = LineFramer(limit: 65_536)
        init(_ socket: consuming FileDescriptor) { self.socket = socket }
    }

    /// The one text it says everywhere; nil: any.
    private let fixed: String?

    init(in directory: TestDirectory, seed: UInt64, always fixed: String? = nil) throws {
        self.fixed = fixed
        path = directory.file("hostile\(seed).sock")
        socket = try ListeningSocket(path: path, mode: 0o600)
        random = SeededGenerator(seed: seed)
    }

    /// Serves a program until it ends, for at most `seconds`.
    mutating func serve(_ program: TestProcess, within seconds: Double = 30) throws -> PuckSystem.ExitStatus? {
        var status: PuckSystem.ExitStatus?
        _ = try Deadline.poll(seconds: seconds) {
            try turn()
            status = program.ending
            return status != nil
        }
        return status
    }

    private mutating func turn() throws {
        while let connection = try socket.accept() {
            let client = Client(connection)
            clients.append(client)
            send(.hello(hello()), to: client)
            send(.authorization(authorization()), to: client)
        }
        for client in clients {
            var lines: [[UInt8]] = []
            _ = receive(from: client.socket.number, atMost: 65_536) { client.framer.append($0) }
            while case .line(let line)? = client.framer.next() { lines.append(line) }
            for case .success(let envelope) in lines.map(RequestDecoder.decode) { answer(envelope, to: client) }
        }
    }

    private func send(_ message: ServerMessage, to client: Client) {
        _ = ServerMessageEncoder.line(message).withUnsafeBytes { PuckSystem.send($0, to: client.socket.number) }
    }

    // MARK: What it says

    /// Pieces that move cursors, hide, reorder or break lines, and some that do not.
    private static let pieces: [String] =
        (0...0x20).map { String(Unicode.Scalar($0)) } + (0x7F...0xA0).map { String(Unicode.Scalar(UInt8($0))) } + [
            "\u{1B}[2J", "\u{1B}]0;title\u{7}", "\u{9B}31m", "\u{202E}", "\u{2066}", "\u{200F}", "\u{061C}", "\u{2028}",
            "\u{2029}", "\u{FEFF}", "\u{E0041}", "\u{E000}", "\u{10FFFF}", "\u{AD}", "\\", "\"", "e\u{301}", "Zoë", "🛥",
            "gpsd", "x",
        ]

    mutating func text() -> String {
        if let fixed { return fixed }
        return (0..<Int.random(in: 1...8, using: &random)).map { _ in Self.pieces.randomElement(using: &random) ?? "" }
            .joined()
    }

    private mutating func hello() -> Hello {
        Hello(
            server: text(), purposes: [Hello.Purpose(key: text(), description: text(), seconds: 60)],
            roles: [.observer], limits: Hello.Limits(rate: 120, clients: 9))
    }

    private mutating func authorization() -> AuthorizationMessage {
        AuthorizationMessage(
            accuracy: [.precise, .approximate].randomElement(using: &random) ?? .precise, allowed: .precise,
            reason: [.policy, .purpose, .system].randomElement(using: &random) ?? .policy, purpose: text())
    }

    private mutating func source() -> SourceMessage {
        var source = SourceMessage(
            state: SourceState.allCases.randomElement(using: &random) ?? .fix, since: Clocks.now.utc)
        source.reason = text()
        source.device = DeviceName("/dev/\(text())")
        source.driver = text()
        source.provider = .gpsd
        return source
    }

    private mutating func answer(_ envelope: Envelope, to client: Client) {
        switch envelope.request {
        case .subscribe(let options):
            send(.ok(id: envelope.id, .none), to: client)
            send(.source(source()), to: client)
            send(.authorization(authorization()), to: client)
            send(.view(view(options.view ?? "")), to: client)
            send(.view(view(text())), to: client)
            send(.frame(frame()), to: client)
        case .status: send(.ok(id: envelope.id, .status(status())), to: client)
        case .who: send(.ok(id: envelope.id, .connections([connection(), connection()])), to: client)
        default:
            let error = ErrorMessage(id: envelope.id, code: .badValue, message: text(), field: text())
            send(Bool.random(using: &random) ? .ok(id: envelope.id, .none) : .error(error), to: client)
        }
    }

    private mutating func view(_ name: String) -> ViewMessage {
        ViewMessage(
            view: name, mode: .follow, status: .idle, reason: .userInteraction,
            cause: ViewMessage.Cause(client: 1, request: .string(text())))
    }

    private mutating func frame() -> Frame {
        let place = Coordinate(wrappingLongitude: 8, clampingLatitude: 47)
        let puck = Puck(state: .live, accuracyMode: .precise, coordinate: place, accuracy: 5)
        var frame = Frame(sequence: 1, moment: Clocks.now, view: text(), puck: puck)
        frame.markers = [Marker(name: text(), coordinate: place, moving: false)]
        return frame
    }

    private mutating func status() -> StatusReport {
        StatusReport(
            versions: [.init(text(), text())], uptime: 1, source: source(), clients: 1,
            rates: [NamedFigure(text(), 1)], counters: [NamedFigure("refused.\(text())", 9)],
            policy: StatusReport.Policy(
                accuracy: .approximate, roles: [.observer], preciseGroups: [text()], file: text()))
    }

    private mutating func connection() -> Connection {
        var connection = Connection(client: 1, roles: [.observer], accuracy: .precise, since: Clocks.now.utc)
        connection.user = text()
        connection.program = text()
        connection.purpose = text()
        connection.view = text()
        return connection
    }
}
