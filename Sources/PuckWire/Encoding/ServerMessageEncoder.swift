import PuckCore

/// Writes what the server sends, other than frames on the hot path.
public enum ServerMessageEncoder {
    /// The line of `message`, newline and all. A frame is written as a client of its puck's accuracy may see it; one
    /// without a puck as an approximate client may.
    public static func append(_ message: ServerMessage, to bytes: inout [UInt8]) {
        switch message {
        case .frame(let frame):
            FrameEncoder.append(frame, for: frame.puck?.accuracyMode ?? .approximate, to: &bytes)
        case .hello(let hello): line("hello", to: &bytes) { $0.members(of: hello) }
        case .ok(let id, let answer):
            line("ok", to: &bytes) {
                $0.member(id: id)
                $0.members(of: answer)
            }
        case .error(let error): line("error", to: &bytes) { $0.members(of: error) }
        case .source(let source): line("source", to: &bytes) { $0.members(of: source) }
        case .authorization(let authorization): line("authorization", to: &bytes) { $0.members(of: authorization) }
        case .view(let view): line("view", to: &bytes) { $0.members(of: view) }
        }
    }

    /// The line of `message`, newline and all.
    public static func line(_ message: ServerMessage) -> [UInt8] {
        var bytes: [UInt8] = []
        append(message, to: &bytes)
        return bytes
    }

    private static func line(_ type: StaticString, to bytes: inout [UInt8], members: (inout JSONWriter) -> Void) {
        JSONWriter.append(to: &bytes) { json in
            json.append("{\"type\":\"")
            json.append(type)
            json.append("\"")
            members(&json)
            json.append("}\n")
        }
    }
}

extension JSONWriter {
    /// The id as it came.
    mutating func member(id: RequestID?) {
        switch id {
        case nil: break
        case .number(let text):
            name("id")
            append(raw: text)
        case .string(let text): member("id", text)
        }
    }

    fileprivate mutating func members(of hello: Hello) {
        member("server", hello.server)
        member("protocol", whole: hello.protocol)
        array("purposes", hello.purposes) { json, purpose in
            json.append("{")
            json.member("key", purpose.key)
            json.member("description", purpose.description)
            json.member("seconds", purpose.seconds, places: FrameEncoder.Places.seconds)
            json.append("}")
        }
        array("roles", hello.roles) { $0.string($1.rawValue) }
        object("limits") { json in
            json.member("line", whole: hello.limits.line)
            json.member("rate", hello.limits.rate, places: FrameEncoder.Places.seconds)
            json.member("clients", whole: hello.limits.clients)
        }
    }

    fileprivate mutating func members(of error: ErrorMessage) {
        member(id: error.id)
        member("code", word: error.code)
        member("message", error.message)
        member("field", error.field)
        member("fatal", ifTrue: error.isFatal)
    }

    fileprivate mutating func members(of source: SourceMessage) {
        member("state", word: source.state)
        member("reason", source.reason)
        member("provider", word: source.provider)
        member("device", source.device?.path)
        member("driver", source.driver)
        member("fix", source.fix?.wireName)
        member("fixStatus", source.fixStatus?.wireName)
        if source.satellitesUsed != nil || source.satellitesVisible != nil {
            object("satellites") { json in
                json.member("used", whole: source.satellitesUsed)
                json.member("visible", whole: source.satellitesVisible)
            }
        }
        member("unreadHeading", source.unreadHeading)
        member("since", source.since)
    }

    fileprivate mutating func members(of authorization: AuthorizationMessage) {
        member("accuracy", word: authorization.accuracy)
        member("allowed", word: authorization.allowed)
        member("reason", word: authorization.reason)
        member("purpose", authorization.purpose)
        member("expires", authorization.expires)
    }

    fileprivate mutating func members(of view: ViewMessage) {
        member("view", view.view)
        member("mode", word: view.mode)
        member("status", word: view.status)
        member("state", word: view.state)
        member("reason", word: view.reason)
        object("cause") { json in
            json.member("client", whole: view.cause.client)
            switch view.cause.request {
            case nil: break
            case .number(let text):
                json.name("request")
                json.append(raw: text)
            case .string(let text): json.member("request", text)
            }
        }
    }

    fileprivate mutating func members(of answer: Answer) {
        switch answer {
        case .none: break
        case .pong(let moment):
            member("time", moment.utc)
            member("monotonic", moment.monotonic)
        case .status(let report): members(of: report)
        case .connections(let connections):
            array("connections", connections) { json, connection in
                json.append("{")
                json.members(of: connection)
                json.append("}")
            }
        }
    }

    private mutating func members(of report: StatusReport) {
        object("versions") { json in
            for entry in report.versions {
                json.name(entry.name)
                json.string(entry.version)
            }
        }
        member("uptime", report.uptime, places: FrameEncoder.Places.seconds)
        if let source = report.source { object("source") { $0.members(of: source) } }
        member("clients", whole: report.clients)
        object("rates") { $0.members(of: report.rates) }
        object("counters") { $0.members(of: report.counters) }
        guard let policy = report.policy else { return }
        object("policy") { json in
            json.member("accuracy", word: policy.accuracy)
            json.array("roles", policy.roles) { $0.string($1.rawValue) }
            json.array("preciseGroups", policy.preciseGroups) { $0.string($1) }
            json.member("file", policy.file)
            json.member("defaultRules", ifTrue: policy.hasDefaultRules)
        }
    }

    private mutating func members(of figures: [NamedFigure]) {
        for figure in figures {
            guard let decimal = Decimal(figure.value, places: FrameEncoder.Places.metres) else { continue }
            name(figure.name)
            append(decimal)
        }
    }

    private mutating func members(of connection: Connection) {
        member("client", whole: connection.client)
        member("pid", whole: connection.pid)
        member("uid", whole: connection.uid)
        member("user", connection.user)
        member("program", connection.program)
        array("roles", connection.roles) { $0.string($1.rawValue) }
        member("accuracy", word: connection.accuracy)
        if let allowed = connection.allowed { member("allowed", word: allowed) }
        member("purpose", connection.purpose)
        switch connection.rate {
        case nil: break
        case .fix: member("rate", "fix")
        case .motion: member("rate", "motion")
        case .perSecond(let rate): member("rate", rate, places: FrameEncoder.Places.seconds)
        }
        member("view", connection.view)
        member("since", connection.since)
        member("framesSent", whole: connection.framesSent)
        member("framesSkipped", whole: connection.framesSkipped)
    }
}

extension FixStatus {
    /// What the protocol calls it; nil: an ordinary fix.
    var wireName: String? {
        switch self {
        case .normal: nil
        case .differential: "differential"
        case .rtkFixed: "rtkFixed"
        case .rtkFloat: "rtkFloat"
        case .deadReckoning: "deadReckoning"
        case .gnssDeadReckoning: "gnssDeadReckoning"
        case .surveyed: "surveyed"
        case .simulated: "simulated"
        case .precisePositioning: "precisePositioning"
        }
    }

    /// The status that the protocol calls so.
    init?(wireName: String) {
        guard let status = Self.allCases.first(where: { $0.wireName == wireName }) else { return nil }
        self = status
    }
}

extension FixMode {
    /// What the protocol calls it; nil: not seen yet.
    var wireName: String? {
        switch self {
        case .unseen: nil
        case .none: "none"
        case .twoDimensional: "2d"
        case .threeDimensional: "3d"
        }
    }
}
