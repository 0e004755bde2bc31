import PuckCore

// Each of the server's messages from its members.

extension Members {
    func hello() throws(Missing) -> Hello {
        let limits = try need("limits", object("limits"))
        return Hello(
            server: try need("server", string("server")), protocol: try need("protocol", whole("protocol")),
            purposes: (array("purposes") ?? []).compactMap { $0.object.flatMap { Members($0).purpose() } },
            roles: words("roles"),
            limits: Hello.Limits(
                line: try limits.need("line", limits.whole("line")),
                rate: try limits.need("rate", limits.number("rate")),
                clients: try limits.need("clients", limits.whole("clients"))))
    }

    private func purpose() -> Hello.Purpose? {
        guard let key = string("key"), let seconds = number("seconds") else { return nil }
        return Hello.Purpose(key: key, description: string("description") ?? "", seconds: seconds)
    }

    private func words<Word: RawRepresentable>(_ name: String) -> [Word] where Word.RawValue == String {
        (array(name) ?? []).compactMap { $0.string.flatMap { Word(rawValue: $0) } }
    }

    func error() throws(Missing) -> ErrorMessage {
        ErrorMessage(
            id: id("id"), code: try need("code", word("code")), message: string("message") ?? "",
            field: string("field"), isFatal: bool("fatal") ?? false)
    }

    func source() throws(Missing) -> SourceMessage {
        var source = SourceMessage(
            state: try need("state", word("state")), since: try need("since", time("since")))
        source.reason = string("reason")
        source.provider = word("provider")
        source.device = string("device").map { DeviceName($0) }
        source.driver = string("driver")
        source.fix = string("fix").flatMap { FixMode(wireName: $0) }
        source.fixStatus = string("fixStatus").flatMap { FixStatus(wireName: $0) }
        source.satellitesUsed = object("satellites")?.whole("used")
        source.satellitesVisible = object("satellites")?.whole("visible")
        source.unreadHeading = string("unreadHeading")
        return source
    }

    func authorization() throws(Missing) -> AuthorizationMessage {
        AuthorizationMessage(
            accuracy: try need("accuracy", word("accuracy")), allowed: try need("allowed", word("allowed")),
            reason: try need("reason", word("reason")), purpose: string("purpose"), expires: time("expires"))
    }

    func view() throws(Missing) -> ViewMessage {
        let cause = object("cause")
        return ViewMessage(
            view: try need("view", string("view")), mode: try need("mode", word("mode")),
            status: try need("status", word("status")), state: word("state"),
            reason: try need("reason", word("reason")),
            cause: ViewMessage.Cause(client: cause?.whole("client"), request: cause?.id("request")))
    }

    /// Detects the kind of answer by its members, because `ok` does not name it.
    func answer() -> Answer {
        if let time = time("time"), let monotonic = instant("monotonic") {
            return .pong(Moment(monotonic: monotonic, utc: time))
        }
        if let connections = array("connections") {
            return .connections(connections.compactMap { $0.object.flatMap { Members($0).connection() } })
        }
        guard let versions = object("versions") else { return .none }
        return .status(
            StatusReport(
                versions: versions.object.members.compactMap { member in
                    member.value.string.map { StatusReport.Version(member.name, $0) }
                },
                uptime: number("uptime"), source: object("source").flatMap { try? $0.source() },
                clients: whole("clients"), rates: figures("rates"), counters: figures("counters"),
                policy: object("policy")?.policy()))
    }

    private func policy() -> StatusReport.Policy? {
        guard let accuracy: AccuracyMode = word("accuracy"), let file = string("file") else { return nil }
        return StatusReport.Policy(
            accuracy: accuracy, roles: words("roles"),
            preciseGroups: (array("preciseGroups") ?? []).compactMap(\.string),
            file: file, hasDefaultRules: bool("defaultRules") ?? false)
    }

    private func figures(_ name: String) -> [NamedFigure] {
        (object(name)?.object.members ?? []).compactMap { member in
            member.value.double.map { NamedFigure(member.name, $0) }
        }
    }

    private func connection() -> Connection? {
        guard let client: UInt64 = whole("client"), let accuracy: AccuracyMode = word("accuracy"),
            let since = time("since")
        else { return nil }
        var connection = Connection(client: client, roles: words("roles"), accuracy: accuracy, since: since)
        connection.pid = whole("pid")
        connection.uid = whole("uid")
        connection.user = string("user")
        connection.program = string("program")
        connection.allowed = word("allowed")
        connection.purpose = string("purpose")
        connection.rate =
            switch string("rate") {
            case "fix": .fix
            case "motion": .motion
            default: number("rate").map { .perSecond($0) }
            }
        connection.view = string("view")
        connection.framesSent = whole("framesSent")
        connection.framesSkipped = whole("framesSkipped")
        return connection
    }
}

extension FixMode {
    /// The mode that the protocol calls so.
    init?(wireName: String) {
        switch wireName {
        case "none": self = .none
        case "2d": self = .twoDimensional
        case "3d": self = .threeDimensional
        default: return nil
        }
    }
}
