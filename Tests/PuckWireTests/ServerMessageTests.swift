import PuckCore
import PuckTestKit
import Testing

@testable import PuckWire

@Suite("What the server says")
struct ServerMessageTests {
    static let time = UTC(nanoseconds: 1_772_282_096_912_000_000)

    static var messages: [ServerMessage] {
        var source = SourceMessage(state: .fix, since: time)
        source.reason = "a \"new\" fix"
        source.provider = .gpsd
        source.device = DeviceName("/dev/ttyACM0")
        source.driver = "u-blox"
        source.fix = .threeDimensional
        source.satellitesUsed = 0
        source.satellitesVisible = 17
        var connection = Connection(client: 7, roles: Role.allCases, accuracy: .precise, since: time)
        connection.pid = 4321
        connection.uid = 0
        connection.user = "ada"
        connection.program = "map"
        connection.allowed = .precise
        connection.purpose = "navigation"
        connection.rate = .perSecond(59.94)
        connection.view = "map"
        connection.framesSent = 62_000
        connection.framesSkipped = 3
        var other = Connection(client: .max >> 1, roles: [], accuracy: .approximate, since: time)
        other.rate = .fix
        var messages: [ServerMessage] = [
            .hello(
                Hello(
                    server: "puckd 1.0",
                    purposes: [Hello.Purpose(key: "navigation", description: "To guide you\n", seconds: 0.5)],
                    roles: Role.allCases, limits: Hello.Limits(rate: 120, clients: 4_096))),
            .hello(Hello(server: "puckd", purposes: [], roles: [], limits: Hello.Limits(rate: 1, clients: 1))),
            .ok(id: nil, .none), .ok(id: .number("-1.0e+5"), .none), .ok(id: .string("\u{1}\"\\/\u{1F600}"), .none),
            .ok(id: RequestID(1), .pong(Moment(monotonic: Instant(nanoseconds: 123_456_789_000), utc: time))),
            .ok(id: nil, .status(StatusReport())),
            .ok(
                id: RequestID(2),
                .status(
                    StatusReport(
                        versions: [.init("puckd", "1.0"), .init("gpsd", "3.25")], uptime: 86_400.5, source: source,
                        clients: 3, rates: [NamedFigure("fixes", 9.99)], counters: [NamedFigure("refused.outlier", 2)]))
            ),
            .ok(id: nil, .connections([connection, other])), .ok(id: nil, .connections([])),
            .error(ErrorMessage(code: .badJSON, message: "expected JSON")),
            .error(ErrorMessage(id: RequestID(4), code: .badValue, message: "expected", field: "camera.zoom")),
            .error(ErrorMessage(code: .overloaded, message: "too slow", isFatal: true)),
            .source(source), .source(SourceMessage(approximateFix: true, since: time)),
            .source(SourceMessage(approximateFix: false, since: time)),
            .authorization(AuthorizationMessage(accuracy: .approximate, allowed: .precise, reason: .client)),
            .authorization(
                AuthorizationMessage(
                    accuracy: .precise, allowed: .precise, reason: .purpose, purpose: "navigation", expires: time)),
            .view(ViewMessage(view: "", mode: .none, status: .idle, reason: .current)),
            .view(
                ViewMessage(
                    view: "map", mode: .follow, status: .state, state: .follow, reason: .transitionSucceeded,
                    cause: .init(client: 7, request: .string("b")))),
            .frame(FrameEncoderTests.approximateFrame),
        ]
        messages += SourceState.allCases.map { .source(SourceMessage(state: $0, since: time)) }
        messages += ErrorCode.allCases.map { .error(ErrorMessage(code: $0, message: "m")) }
        messages += AuthorizationReason.allCases.map {
            .authorization(AuthorizationMessage(accuracy: .precise, allowed: .precise, reason: $0))
        }
        messages += ViewTarget.allCases.map {
            .view(
                ViewMessage(
                    view: "v", mode: .followWithCourse, status: .transition, state: $0, reason: .transitionStarted,
                    cause: .init(request: .number("2"))))
        }
        return messages
    }

    @Test("is read back by the client", arguments: messages)
    func roundTrip(message: ServerMessage) throws {
        var line = ServerMessageEncoder.line(message)
        #expect(line.removeLast() == UInt8(ascii: "\n"))
        #expect(!line.contains(UInt8(ascii: "\n")))
        #expect(try ServerMessageDecoder.decode(line) == message)
    }

    @Test("is what the schema says", arguments: messages)
    func schema(message: ServerMessage) throws {
        let line = Array(ServerMessageEncoder.line(message).dropLast())
        #expect(try JSONSchema.ofProtocol().problems(of: line, as: "message") == [])
    }

    @Test("a client passes over what it does not know")
    func tolerance() throws {
        func decode(_ line: String) throws -> ServerMessage? { try ServerMessageDecoder.decode(Array(line.utf8)) }
        #expect(try decode(#"{"type":"weather","rain":true}"#) == nil)
        #expect(try decode(#"{"type":"ok","new":[{}]}"#) == .ok(id: nil, .none))
        let source = try decode(
            #"{"new":1,"type":"source","state":"fix","since":"2026-02-28T12:34:56.912Z","fix":"4d","provider":7}"#)
        #expect(source == .source(SourceMessage(state: .fix, since: Self.time)))
        let frame = try decode(
            #"{"type":"frame","seq":1,"time":"2026-02-28T12:34:56.912Z","monotonic":1,"view":"","puck":{"state":"floating"}}"#
        )
        let moment = Moment(monotonic: Instant(nanoseconds: 1_000_000_000), utc: Self.time)
        #expect(frame == .frame(Frame(sequence: 1, moment: moment, view: "")), "a puck of a state unknown here is none")
    }

    @Test(
        "a line that lacks what its type must have is an error",
        arguments: [
            "", "[]", "{}", #"{"type":7}"#, #"{"type":"frame"}"#,
            #"{"type":"source","state":"gone","since":"2026-02-28T12:34:56.912Z"}"#,
            #"{"type":"hello","server":"x","protocol":1.5,"limits":{"line":1,"rate":1,"clients":1}}"#, #"{"type":"ok""#,
            #"{"type":"frame","seq":-1,"time":"2026-02-28T12:34:56.912Z","monotonic":1,"view":""}"#,
            #"{"type":"frame","seq":1,"time":"2026-02-28T12:34:56.912Z","monotonic":1e300,"view":""}"#,
        ])
    func broken(line: String) {
        #expect(throws: ServerMessageDecoder.Failure.self) { try ServerMessageDecoder.decode(Array(line.utf8)) }
    }
}
