import Foundation
import PuckCore
import PuckWire
import Testing

@testable import PuckServer

/// Whatever happens in whatever order: no precise position reaches a client after the message that took it away, or while
/// an oracle that knows nothing of the hub says that it may not have it.
@Suite struct HubInterleavingTests {
    @Test("random reloads, binds, grants, placings, subscriptions, sleeps and slow readers", arguments: 0..<8)
    func random(round: Int) throws {
        var seen = Seen()
        for seed in 0..<10 {
            var world = InterleavedWorld(seed: UInt64(round * 1_000 + seed))
            world.check(&seen)
            for _ in 0..<120 {
                world.step()
                world.check(&seen)
            }
        }
        // And it isn't that nothing went on.
        #expect(seen.preciseFrames > 1_000 && seen.falls > 60 && seen.rises > 60, "\(seen)")
    }

    @Test(
        "a policy that takes the provider and the precise accuracy from others at once shows none of them the receiver")
    func reload() throws {
        // In either order of connecting: those who lose it come before the provider, and after it.
        for isProviderFirst in [true, false] {
            var bench = HubBench()
            var watchers: [ClientID] = []
            let root: ClientID
            if isProviderFirst {
                root = bench.connect(HubBench.root)
                watchers = [bench.connect(), bench.connect()]
            } else {
                watchers = [bench.connect(), bench.connect()]
                root = bench.connect(HubBench.root)
            }
            for (id, rate) in zip(watchers, ["5", "\"fix\""]) {
                bench.send(#"{"type":"subscribe","rate":\#(rate)}"#, from: id)
            }
            bench.drive(seconds: 5)
            bench.send(#"{"type":"place","position":[9,48]}"#, from: root)
            bench.run(1)
            bench.clear()
            bench.reconfigure(HubBench.policyForNobody)
            bench.drive(seconds: 3, from: 100)
            for id in watchers {
                let first = try #require(bench.lines[id]?.first)
                #expect(first.contains(#""type":"authorization""#) && first.contains(#""accuracy":"approximate""#))
                #expect(bench.lines[id]?.contains { $0.contains(#""accuracyMode":"precise""#) } == false)
            }
        }
    }

    @Test(
        "after a stop or a sleep, a grant that ended meanwhile ends before anything else is done",
        arguments: [(65.0, 0.0), (5, 3_600), (61, -3_600), (3_600, 0)])
    func sleep(seconds: Double, clockStep: Double) {
        let events: [(inout HubBench, ClientID) -> Void] = [
            { bench, _ in bench.fix(east: 500, speed: 10) },
            { bench, _ in bench.hub.receive(SourceStatus(state: .fix, since: bench.now), at: bench.now) },
            { bench, id in bench.send(#"{"type":"ping"}"#, from: id) },
            { bench, id in bench.send(#"{"type":"track","mode":"follow"}"#, from: id) },
            { bench, id in bench.send(#"{"type":"subscribe","rate":"fix"}"#, from: id) },
            { bench, _ in _ = bench.connect() },
            { bench, id in bench.read(id) },
            { bench, _ in bench.run(0.5) },
            { bench, _ in bench.reconfigure(HubBench.policy) },
        ]
        for event in events {
            for isSlow in [false, true] {
                var bench = HubBench()
                let id = bench.connect(HubBench.stranger)
                bench.send(#"{"type":"requestPrecise","purpose":"navigation"}"#, from: id)
                bench.send(#"{"type":"subscribe","rate":10}"#, from: id)
                if isSlow { bench.slowDown(id) }
                bench.drive(seconds: 3)
                bench.clear()
                bench.stop(seconds, clockStep: clockStep)
                event(&bench, id)
                bench.fix(east: 600, speed: 10)
                bench.read(id)
                #expect(bench.lines[id]?.contains { $0.contains(#""accuracyMode":"precise""#) } == false)
                #expect(bench.authorizations(to: id).map(\.reason).contains(.expired))
            }
        }
    }

    @Test("a frame that waits for a slow reader is taken back when its reader asks for less by subscribing anew")
    func subscribeForLess() {
        var bench = HubBench()
        let id = bench.connect()
        bench.send(#"{"type":"subscribe"}"#, from: id)
        bench.slowDown(id)
        bench.drive(seconds: 3)
        bench.send(#"{"type":"subscribe","accuracy":"approximate"}"#, from: id)
        bench.clear()
        bench.read(id)
        #expect(bench.lines[id]?.isEmpty == false)
        #expect(bench.lines[id]?.contains { $0.contains(#""accuracyMode":"precise""#) } == false)
    }
}

/// What went on in worlds.
private struct Seen {
    var preciseFrames = 0
    var falls = 0
    var rises = 0
}

/// A hub to which everything happens at random, and who may see what in it.
private struct InterleavedWorld {
    /// What the oracle knows of a client.
    private struct Known {
        var origin: ClientOrigin
        var wantsLess = false
        var grant: (purpose: Purpose, expires: Moment)?
        /// What it was told last, and how many of its lines were looked at.
        var told: AccuracyMode?
        var checked = 0
    }

    private var bench = HubBench()
    private var random: SeededGenerator
    private var policy = HubBench.policy
    private var isBound = false
    private var clients: [ClientID: Known] = [:]
    private var slow: [ClientID] = []
    private var east = 0.0
    private var number = 0

    private static let origins = [HubBench.user, HubBench.stranger, HubBench.steward, HubBench.root]

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        for origin in Self.origins + [HubBench.user, HubBench.stranger] { connect(origin) }
        for id in clients.keys.sorted() { bench.send(#"{"type":"subscribe","rate":5}"#, from: id) }
        bench.drive(seconds: 90, speed: 10)
        east = 900
    }

    private mutating func connect(_ origin: ClientOrigin) {
        let id = bench.connect(origin)
        clients[id] = Known(origin: origin)
        if Bool.random(using: &random) {
            bench.slowDown(id)
            slow.append(id)
        }
    }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &random)]
    }

    private mutating func anyone() -> ClientID { pick(clients.keys.sorted()) }

    // MARK: What happens

    mutating func step() {
        number += 1
        switch Int.random(in: 0..<22, using: &random) {
        case 0...3: move()
        case 4...6: bench.run(pick([0.05, 0.4, 1, 7]))
        case 7: bench.stop(pick([0.2, 5, 40, 70]), clockStep: pick([0, 0, 0, 50, -3_600, 3_600]))
        case 8: reload()
        case 9: if Bool.random(using: &random) { bind() }
        case 10, 11: lift()
        case 12, 13: grant()
        case 14: end()
        case 15: ask()
        case 16:
            let position = #""position":[\#(pick([8.7, 9.1])),47.\#(number)]"#
            let what = pick([position, position + #","speed":20,"course":90"#, #""heading":\#(number)"#, #""pitch":3"#])
            bench.send(#"{"type":"place",\#(what)}"#, from: anyone())
        case 17: bench.send(#"{"type":"release"}"#, from: anyone())
        case 18, 19: subscribe()
        case 20: steer()
        default: reconnect()
        }
        if Int.random(in: 0..<3, using: &random) == 0, let id = slow.randomElement(using: &random) { bench.read(id) }
    }

    private mutating func move() {
        east += pick([0, 3, 20])
        bench.fix(east: east, north: Double(number), speed: 10)
    }

    private mutating func reload() {
        var rules: [AccessPolicy.Rule] = []
        for origin in Self.origins {
            let accuracy: AccuracyMode = pick([.precise, .precise, .approximate])
            let roles = Role.allCases.filter { _ in Int.random(in: 0..<12, using: &random) > 0 }
            rules.append(
                .init(.user(origin.identity.user), Access(accuracy: accuracy, roles: Set(roles).union([.admin]))))
        }
        var purposes: [Purpose] = []
        if Bool.random(using: &random) {
            purposes.append(
                Purpose(
                    key: "navigation", description: "…", seconds: pick([2.0, 30, 60]),
                    allowed: [.user(2_000), .user(3_000)]))
        }
        policy = AccessPolicy(rules: rules, purposes: purposes)
        for (id, known) in clients {
            guard let grant = known.grant else { continue }
            if !purposes.contains(where: {
                $0.key == grant.purpose.key && $0.allowed.contains(.user(known.origin.identity.user))
            }) {
                clients[id]?.grant = nil
            }
        }
        bench.reconfigure(policy)
        for id in clients.keys where bench.closed.contains(id) { forget(id) }
    }

    private mutating func bind() {
        isBound = true
        for id in clients.keys { clients[id]?.grant = nil }
        bench.isDiskSlow = Bool.random(using: &random)
        let admin = root
        bench.send(#"{"type":"accuracy","mode":"approximate","scope":"system"}"#, from: admin)
        if bench.isDiskSlow, Bool.random(using: &random) { bench.run(1) }
        bench.isDiskSlow = false
        bench.finishSaves(failure: pick([nil, "no room"]))
    }

    private mutating func lift() {
        bench.isDiskSlow = false
        bench.diskFailure = pick([nil, nil, "no room"])
        // What the oracle knows before: with the answer it is free.
        if bench.diskFailure == nil { isBound = false }
        bench.send(#"{"type":"accuracy","mode":"precise","scope":"system"}"#, from: root)
        bench.diskFailure = nil
    }

    private var root: ClientID {
        clients.keys.sorted().first { clients[$0]?.origin.identity.user == 0 } ?? ClientID(0)
    }

    private mutating func grant() {
        let id = anyone()
        guard let known = clients[id] else { return }
        let user = known.origin.identity.user
        if !isBound, let purpose = policy.purposes.first, purpose.allowed.contains(.user(user)),
            !isGranted(known, at: bench.now), policyOf(user) != .precise
        {
            clients[id]?.grant = (purpose, bench.now.advanced(by: purpose.seconds))
            clients[id]?.wantsLess = false
        }
        bench.send(#"{"type":"requestPrecise","purpose":"navigation"}"#, from: id)
    }

    private mutating func end() {
        let id = anyone()
        clients[id]?.grant = nil
        bench.send(#"{"type":"endPrecise"}"#, from: id)
    }

    private mutating func ask() {
        let id = anyone()
        let mode: AccuracyMode = pick([.approximate, .precise])
        if mode == .approximate {
            clients[id]?.wantsLess = true
        } else if let known = clients[id], isBest(known, at: bench.now) {
            clients[id]?.wantsLess = false
        }
        bench.send(#"{"type":"accuracy","mode":"\#(mode.rawValue)"}"#, from: id)
    }

    private mutating func subscribe() {
        let id = anyone()
        let rate = pick(["5", "20", "\"fix\""])
        let view = pick(["", #","view":"map""#])
        let accuracy = pick(["", #","accuracy":"approximate""#, #","accuracy":"precise""#])
        let isObserver = policy.access(of: clients[id]?.origin.identity ?? HubBench.user.identity).roles.contains(
            .observer)
        if isObserver, !accuracy.isEmpty { clients[id]?.wantsLess = accuracy.contains("approximate") }
        bench.send(
            #"{"type":"subscribe","rate":\#(rate),"include":["puck","camera","markers","source"]\#(view)\#(accuracy)}"#,
            from: id)
    }

    private mutating func steer() {
        let view = pick(["", #","view":"map""#])
        bench.send(
            pick([
                #"{"type":"track","mode":"follow"\#(view)}"#, #"{"type":"track","mode":"followWithCourse"\#(view)}"#,
                #"{"type":"marker","marker":"m","position":[1,2]\#(view)}"#, #"{"type":"unsubscribe"}"#,
                #"{"type":"status"}"#, #"{"type":"who"}"#,
            ]), from: anyone())
    }

    private mutating func reconnect() {
        let id = anyone()
        guard let origin = clients[id]?.origin else { return }
        bench.disconnect(id)
        forget(id)
        connect(origin)
    }

    private mutating func forget(_ id: ClientID) {
        if bench.closed.contains(id), let origin = clients[id]?.origin {
            bench.disconnect(id)
            clients[id] = nil
            connect(origin)
        }
        clients[id] = nil
        slow.removeAll { $0 == id }
    }

    // MARK: What may be seen

    private func policyOf(_ user: UInt32) -> AccuracyMode {
        policy.rules.first { $0.subject == .user(user) }?.access.accuracy ?? .approximate
    }

    private func isGranted(_ known: Known, at moment: Moment) -> Bool {
        known.grant.map { $0.expires.monotonic > moment.monotonic && $0.expires.utc > moment.utc } ?? false
    }

    private func isBest(_ known: Known, at moment: Moment) -> Bool {
        !isBound && (policyOf(known.origin.identity.user) == .precise || isGranted(known, at: moment))
    }

    private func isEntitled(_ known: Known, at moment: Moment) -> Bool { isBest(known, at: moment) && !known.wantsLess }

    /// Looks at all that was delivered since the last look.
    mutating func check(_ seen: inout Seen) {
        for (id, known) in clients {
            for delivery in (bench.deliveries[id] ?? []).dropFirst(known.checked) {
                note(delivery.line, of: id, &seen)
                guard tellsPrecise(delivery.line) else { continue }
                seen.preciseFrames += 1
                let moment = bench.now.at(delivery.at)
                #expect(clients[id]?.told == .precise, "after it was taken away: \(delivery.line)")
                #expect(isEntitled(known, at: moment), "step \(number), \(known): \(delivery.line)")
            }
            clients[id]?.checked = bench.deliveries[id]?.count ?? 0
        }
    }

    private mutating func note(_ line: String, of id: ClientID, _ seen: inout Seen) {
        guard line.contains(#""type":"authorization""#) else { return }
        let told: AccuracyMode = line.contains(#""accuracy":"precise""#) ? .precise : .approximate
        if told != clients[id]?.told, clients[id]?.told != nil {
            if told == .precise { seen.rises += 1 } else { seen.falls += 1 }
        }
        clients[id]?.told = told
    }

    /// A precise puck, or any coordinate with more decimals than an approximate one has, or than anybody says here.
    private func tellsPrecise(_ line: String) -> Bool {
        guard line.contains(#""type":"frame""#) else { return false }
        if line.contains(#""accuracyMode":"precise""#) { return true }
        guard let center = line.range(of: #""center":["#) else { return false }
        let degrees = line[center.upperBound...].prefix { $0 != "]" }.split(separator: ",")
        return degrees.contains { ($0.split(separator: ".").last?.count ?? 0) > 5 }
    }
}
