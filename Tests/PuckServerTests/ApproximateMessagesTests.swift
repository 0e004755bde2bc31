import PuckCore
import PuckTestKit
import Testing

@testable import PuckServer
@testable import PuckWire

/// What an approximate client can get at: nothing but what is listed here, and nothing that depends on anything but the
/// approximate location.
@Suite struct ApproximateMessagesTests {
    /// Every field of every message that an approximate client may be sent.
    private static let allowed: [String: Set<String>] = [
        "hello": [
            "type", "server", "protocol", "purposes", "purposes[].key", "purposes[].description", "purposes[].seconds",
            "roles", "roles[]", "limits", "limits.line", "limits.rate", "limits.clients",
        ],
        "ok": [
            "type", "id",
            // Of ping: the host's clocks.
            "time", "monotonic",
            // Of status: puckd's own version, which hello says as well, and what the configuration says of this client.
            "versions", "versions.puckd", "policy", "policy.accuracy", "policy.roles", "policy.roles[]",
            "policy.preciseGroups", "policy.preciseGroups[]", "policy.file", "policy.defaultRules", "rates", "counters",
        ],
        "error": ["type", "id", "code", "message", "field", "fatal"],
        "frame": fieldsOfFrame,
        // A motion of theirs is a constant: what a frame has.
        "motion": fieldsOfFrame,
        "source": ["type", "state", "since"],
        "authorization": ["type", "accuracy", "allowed", "reason"],
        "view": ["type", "view", "mode", "status", "state", "reason", "cause", "cause.request"],
    ]

    private static let fieldsOfFrame: Set<String> = [
        "type", "seq", "time", "monotonic", "view", "puck", "puck.state", "puck.accuracyMode", "puck.position",
        "puck.position[]", "puck.accuracy", "camera", "camera.center", "camera.center[]", "camera.zoom",
        "camera.bearing", "camera.pitch", "camera.padding", "camera.padding.top", "camera.padding.left",
        "camera.padding.bottom", "camera.padding.right", "markers", "markers[].marker", "markers[].position",
        "markers[].position[]", "markers[].moving",
    ]

    /// What `who` tells an admin, an approximate one too: who is connected, and nothing that goes with the precise
    /// position, as the number of frames does.
    private static let allowedOfWho = Set(
        [
            "client", "pid", "uid", "user", "program", "roles", "roles[]", "accuracy", "allowed", "purpose", "rate",
            "view", "since",
        ]
        .map { "connections[].\($0)" }
    ).union(["type", "id", "connections"])

    private func paths(of value: JSONDocument, at path: String = "") -> [String] {
        switch value {
        case .object(let members):
            members.flatMap { name, member in
                let path = path.isEmpty ? name : "\(path).\(name)"
                return [path] + paths(of: member, at: path)
            }
        case .array(let elements):
            elements.flatMap { element -> [String] in
                let inner = paths(of: element, at: "\(path)[]")
                if case .object = element { return inner }
                return ["\(path)[]"] + inner
            }
        default: []
        }
    }

    @Test("every field of every message to an approximate client is on the list, precise ones and grants beside it")
    func allowList() throws {
        let world = ApproximateWorld(busy: true, privileged: true)
        var kinds: Set<String> = []
        var codes: Set<String> = []
        var pucks = 0
        for line in world.observed.flatMap({ world.bench.lines[$0] ?? [] }) {
            let message = try JSONDocument(Array(line.utf8))
            let type = try #require(message["type"]?.string)
            kinds.insert(type)
            let isWho = message["connections"] != nil
            let allowed = isWho ? Self.allowedOfWho : Self.allowed[type] ?? []
            let found = Set(paths(of: message))
            #expect(found.isSubset(of: allowed), "\(found.subtracting(allowed).sorted()): \(line)")
            switch type {
            case "error": codes.insert(message["code"]?.string ?? "")
            case "source": #expect(["fix", "no-fix"].contains(message["state"]?.string))
            case "authorization": #expect(message["accuracy"]?.string == "approximate")
            case "frame", "motion":
                #expect(try #require(message["time"]?.string).hasSuffix(":00.000Z"))
                #expect(try #require(message["monotonic"]?.number).truncatingRemainder(dividingBy: 60) == 0)
                guard let puck = message["puck"] else { break }
                pucks += 1
                #expect(puck["accuracyMode"]?.string == "approximate")
                #expect(["live", "stale"].contains(puck["state"]?.string))
                #expect(try #require(puck["accuracy"]?.number) >= 5_000)
            default: break
            }
        }
        // And all there is was seen: every kind of message, and every code that a hub can refuse with.
        #expect(kinds == Set(Self.allowed.keys))
        #expect(pucks > 10)
        let unseen = Set(ErrorCode.allCases.map(\.rawValue)).subtracting(codes)
        // The first says nothing of this client, and the others are not the hub's, or never said.
        #expect(unseen == ["already-precise", "overloaded", "shutting-down", "no-position", "not-saved"])
        let script = (ApproximateScript.served + ApproximateScript.refused + ApproximateScript.privileged).joined()
        for type in RequestType.allCases { #expect(script.contains("\"type\":\"\(type.rawValue)\"")) }
    }

    @Test(
        "not a byte, and not the time of one, depends on where in the cell one is, how one moves, or who else is there")
    func noInterference() {
        let (quiet, busy) = (ApproximateWorld(busy: false), ApproximateWorld(busy: true))
        for id in quiet.observed {
            let (a, b) = (quiet.bench.deliveries[id] ?? [], busy.bench.deliveries[id] ?? [])
            #expect(!a.isEmpty)
            #expect(a.count == b.count)
            if let (one, other) = zip(a, b).first(where: { $0 != $1 }) {
                Issue.record("at \(one.at.seconds): \(one.line)\nat \(other.at.seconds): \(other.line)")
            }
        }
        // And it is not that nothing went on: the busy world's own clients saw it move, and a grant.
        let pucks = busy.others.flatMap { busy.bench.pucks(to: $0) }.filter { $0.accuracyMode == .precise }
        #expect(Set(pucks.map(\.coordinate)).count > 50)
        #expect(busy.bench.records.contains { $0.event == .granted })
        #expect(busy.bench.records.contains { $0.event == .expired })
    }
}
