import PuckCore
import PuckTestKit
import PuckWire
import Testing

@testable import PuckServer

@Suite struct AccountsTests {
    private let start = Instant(nanoseconds: 1_000_000_000_000)

    @Test("an account pays until it is overdrawn, and then waits for as long as it takes to fill")
    func overdrawn() {
        var accounts = Accounts()
        #expect(accounts.pause(of: 1, at: start) == nil)
        accounts.charge(Int(Accounts.most), to: 1, at: start)
        #expect(accounts.pause(of: 1, at: start) == nil)
        accounts.charge(Int(Accounts.income), to: 1, at: start)
        #expect(accounts.pause(of: 1, at: start) == start.advanced(by: 1))
        #expect(accounts.pause(of: 2, at: start) == nil, "what one user spends is no other's")
        #expect(accounts.pause(of: 1, at: start.advanced(by: 1.001)) == nil)
        accounts.charge(1_000, to: 1, at: start.advanced(by: 1.001))
        #expect(accounts.pause(of: 1, at: start.advanced(by: 1.001)) != nil)
    }

    @Test("nothing is saved beyond the most, and a clock that goes back fills nothing")
    func bounds() {
        var accounts = Accounts()
        accounts.charge(1, to: 1, at: start.advanced(by: 1_000))
        accounts.charge(Int(Accounts.most) + 1, to: 1, at: start)
        #expect(accounts.pause(of: 1, at: start) != nil)
    }

    @Test("accounts of users who come and go are bounded, and an overdrawn one is kept")
    func many() {
        var accounts = Accounts()
        accounts.charge(Int(Accounts.most + Accounts.income * 60), to: 0, at: start)
        for user in 1...5_000 { accounts.charge(1, to: UInt32(user), at: start.advanced(by: Double(user) / 1_000)) }
        #expect(accounts.pause(of: 0, at: start.advanced(by: 5)) != nil)
        #expect(accounts.count <= 1_100)
    }

    @Test("a user's standing goes by what it asked for in this second and the one before")
    func standing() {
        var accounts = Accounts()
        #expect(accounts.standing(of: 1, at: start) == .light)
        accounts.charge(1_500, to: 1, at: start)
        accounts.charge(1_500, to: 1, at: start.advanced(by: 1))
        #expect(accounts.standing(of: 1, at: start.advanced(by: 1)) == .medium)
        #expect(accounts.standing(of: 1, at: start.advanced(by: 2)) == .light)
        accounts.charge(30_000, to: 1, at: start.advanced(by: 2))
        #expect(accounts.standing(of: 1, at: start.advanced(by: 3)) == .heavy)
        #expect(accounts.standing(of: 1, at: start.advanced(by: 4)) == .light)
        #expect(accounts.standing(of: 2, at: start.advanced(by: 3)) == .light, "what one user spends is no other's")
    }

    // MARK: What requests cost

    /// What a request costs its client's user.
    private func cost(_ line: String, from id: ClientID, _ bench: inout HubBench) -> Int {
        bench.send(line, from: id)
        return bench.hub.spent
    }

    @Test("a request is charged by its bytes, refused or not")
    func bytes() {
        var bench = HubBench()
        let id = bench.connect()
        let short = cost(#"{"type":"ping"}"#, from: id, &bench)
        let long = cost(#"{"type":"ping","id":"\#(String(repeating: "x", count: 10_000))"}"#, from: id, &bench)
        let unknown = cost(#"{"type":"\#(String(repeating: "p", count: 64))"}"#, from: id, &bench)
        #expect(short > 0 && long >= short + 1_000)
        #expect(unknown >= short + Cost.unknownName)
    }

    @Test("a change of a view is charged by the watchers that it reaches")
    func watchers() {
        var bench = HubBench()
        let steerer = bench.connect()
        bench.send(#"{"type":"subscribe","view":"kiosk"}"#, from: steerer)
        let few = cost(#"{"type":"track","view":"kiosk","mode":"next"}"#, from: steerer, &bench)
        for _ in 0..<100 {
            let id = bench.connect()
            bench.send(#"{"type":"subscribe","view":"kiosk"}"#, from: id)
        }
        let many = cost(#"{"type":"track","view":"kiosk","mode":"next"}"#, from: steerer, &bench)
        #expect(many >= few + 100 * Cost.watcher)
    }

    @Test("a placed location is charged by the clients that it is shown to")
    func placing() {
        var bench = HubBench()
        let provider = bench.connect(HubBench.steward)
        for _ in 0..<100 { bench.send(#"{"type":"subscribe","rate":"fix"}"#, from: bench.connect()) }
        let cost = cost(#"{"type":"place","position":[8,47]}"#, from: provider, &bench)
        #expect(bench.errors(to: provider).isEmpty)
        #expect(cost >= 100 * Cost.watcher)
    }

    @Test("a connection is charged by the groups that its user is in")
    func groups() {
        var bench = HubBench()
        let groups = Set((1...1_024).map { UInt32($0) })
        for _ in 0..<600 { _ = bench.connect(ClientOrigin(identity: ClientIdentity(user: 5, groups: groups))) }
        #expect(bench.hub.pause(of: 5, at: bench.now) != nil)
    }

    @Test("who shares a view with someone who has spent too much misses no frame of it")
    func sharedMarkers() throws {
        var bench = HubBench(limits: ServerLimits(requestsPerSecond: 10_000))
        let (spender, other) = (bench.connect(), bench.connect(HubBench.root))
        bench.drive(seconds: 3)
        for id in [spender, other] {
            bench.send(#"{"type":"subscribe","view":"kiosk","rate":10,"include":["markers"]}"#, from: id)
        }
        for marker in 0..<40 {
            let request = #"{"type":"marker","view":"kiosk","marker":"m\#(marker)","#
            bench.send(request + #""position":[\#(marker),1],"duration":0}"#, from: spender)
            bench.send(request + #""position":[\#(marker),9],"duration":60}"#, from: spender)
        }
        bench.run(1)
        let line = #"{"type":"ping","id":"\#(String(repeating: "x", count: 60_000))"}"#
        for _ in 0..<200 { bench.send(line, from: spender) }
        #expect(bench.hub.pause(of: 1_000, at: bench.now) != nil)
        bench.clear()
        bench.run(1)
        #expect(bench.hub.pause(of: 1_000, at: bench.now) != nil)
        #expect((9...11).contains(bench.frames(to: other).count))
        // Alone, the spender goes without.
        bench.disconnect(other)
        bench.clear()
        bench.run(1)
        #expect(bench.frames(to: spender).count <= 1)
    }

    @Test("an overview, and each fit of it, is charged by its positions")
    func positions() {
        var bench = HubBench()
        let id = bench.connect()
        bench.drive(seconds: 3)
        let positions = (0..<2_000).map { "[\(Double($0) / 100),47]" }.joined(separator: ",")
        let overview = cost(
            #"{"type":"overview","geometry":{"type":"LineString","coordinates":[\#(positions)]},"duration":0}"#,
            from: id, &bench)
        #expect(bench.errors(to: id).isEmpty)
        #expect(overview >= 2_000 / Cost.bytesPerPoint + 3 * 2_000 / Cost.positionsPerPoint)
        let size = cost(#"{"type":"viewport","width":300,"height":200}"#, from: id, &bench)
        #expect(size >= 2_000 / Cost.positionsPerPoint)
    }

    @Test("who is charged by the clients that it lists")
    func who() {
        var bench = HubBench()
        let root = bench.connect(HubBench.root)
        for _ in 0..<200 { _ = bench.connect() }
        #expect(cost(#"{"type":"who"}"#, from: root, &bench) >= 200 * Cost.listed)
    }

    @Test("what one user's clients cost makes the others of that user wait, and nobody else")
    func shared() {
        var bench = HubBench(limits: ServerLimits(requestsPerSecond: 10_000))
        let (one, _) = (bench.connect(), bench.connect())
        let line = #"{"type":"ping","id":"\#(String(repeating: "x", count: 50_000))"}"#
        for _ in 0..<100 { bench.send(line, from: one) }
        #expect(bench.hub.pause(of: 1_000, at: bench.now) != nil)
        #expect(bench.hub.pause(of: 2_000, at: bench.now) == nil)
        bench.run(10)
        #expect(bench.hub.pause(of: 1_000, at: bench.now) == nil)
    }

    // MARK: Frames

    @Test("frames that cost too much come less often, but ten a second to each, and those of the other tier as before")
    func frameBudget() {
        var bench = HubBench()
        let (fast, slow) = (bench.connect(), bench.connect())
        let (fastApart, other) = (bench.connect(HubBench.stranger), bench.connect())
        bench.drive(seconds: 3)
        for (id, rate) in [(fast, 60), (slow, 10), (fastApart, 60), (other, 60)] {
            bench.send(#"{"type":"subscribe","rate":\#(rate),"include":["camera"]}"#, from: id)
            let place = #"{"type":"Point","coordinates":[8,47]}"#
            bench.send(#"{"type":"overview","geometry":\#(place),"duration":0}"#, from: id)
            bench.send(#"{"type":"ease","camera":{"center":[9,47]},"duration":60}"#, from: id)
        }
        bench.run(1)
        bench.hub.budgets[0].charge(Int(FrameBudget.income + 20_000), at: bench.now.monotonic)
        bench.clear()
        bench.run(0.9)
        #expect(bench.frames(to: fast).isEmpty && bench.frames(to: other).isEmpty)
        #expect((8...10).contains(bench.frames(to: slow).count))
        #expect((52...56).contains(bench.frames(to: fastApart).count))
        bench.clear()
        bench.run(1)
        #expect(bench.frames(to: fast).count > 40)
    }

    @Test("a budget fills with time, and saves no more than the most")
    func budget() {
        var budget = FrameBudget()
        #expect(!budget.isSpent(rate: 120, at: start))
        budget.charge(Int(FrameBudget.income), at: start)
        #expect(budget.isSpent(rate: 120, at: start.advanced(by: 0.5)))
        #expect(!budget.isSpent(rate: FrameBudget.leastRate, at: start.advanced(by: 0.5)))
        #expect(!budget.isSpent(rate: 120, at: start.advanced(by: 1)))
        budget.charge(Int(FrameBudget.income), at: start.advanced(by: 1_000))
        #expect(budget.isSpent(rate: 120, at: start.advanced(by: 1_000.5)))
    }

    // MARK: Once a frame

    @Test("a storm of sizes is fitted once a frame, the last of them is what is shown, and each is answered")
    func sizes() throws {
        var bench = HubBench(limits: ServerLimits(requestsPerSecond: 10_000))
        let id = bench.connect()
        bench.drive(seconds: 3)
        bench.send(#"{"type":"subscribe","include":["camera"]}"#, from: id)
        let positions = (0..<500).map { "[\(Double($0) / 100),47]" }.joined(separator: ",")
        bench.send(
            #"{"type":"overview","geometry":{"type":"LineString","coordinates":[\#(positions)]},"duration":0}"#,
            from: id)
        bench.run(1)
        bench.clear()
        for width in 300..<600 { bench.send(#"{"type":"viewport","width":\#(width),"height":200}"#, from: id) }
        let wide = bench.messages(to: id).count { if case .ok = $0 { true } else { false } }
        #expect(wide == 300)
        bench.run(1)
        let shown = bench.frames(to: id).compactMap(\.camera)
        #expect(shown.count <= 3)

        var other = HubBench()
        let alone = other.connect()
        other.drive(seconds: 3)
        other.send(#"{"type":"subscribe","include":["camera"]}"#, from: alone)
        other.send(
            #"{"type":"overview","geometry":{"type":"LineString","coordinates":[\#(positions)]},"duration":0}"#,
            from: alone)
        other.run(1)
        other.send(#"{"type":"viewport","width":599,"height":200}"#, from: alone)
        other.run(1)
        #expect(shown.last == other.frames(to: alone).compactMap(\.camera).last)
    }

    @Test("what is asked after a size finds the view as that made it")
    func sizeThenOther() {
        var bench = HubBench()
        let id = bench.connect()
        bench.drive(seconds: 3)
        let positions = (0..<500).map { "[\(Double($0) / 100),47]" }.joined(separator: ",")
        bench.send(
            #"{"type":"overview","geometry":{"type":"LineString","coordinates":[\#(positions)]},"duration":0}"#,
            from: id)
        for width in [300, 310] { bench.send(#"{"type":"viewport","width":\#(width),"height":200}"#, from: id) }
        #expect(bench.hub.resizes[.own(id)]?.deadline != nil)
        bench.send(#"{"type":"idle"}"#, from: id)
        #expect(bench.hub.resizes[.own(id)]?.deadline == nil)
        bench.run(1)
        bench.hub.advance(to: bench.now)
        #expect(bench.hub.resizes.isEmpty && bench.errors(to: id).isEmpty)
    }

    @Test("a storm of tracking modes is announced once a frame, and the last word is how the view stands")
    func modes() throws {
        var bench = HubBench(limits: ServerLimits(requestsPerSecond: 10_000))
        let (hasty, watcher) = (bench.connect(), bench.connect())
        bench.drive(seconds: 3)
        bench.send(#"{"type":"subscribe","view":"kiosk"}"#, from: watcher)
        bench.clear()
        for _ in 0..<1_000 {
            bench.send(#"{"type":"track","view":"kiosk","mode":"next"}"#, from: hasty)
            bench.run(0.001)
        }
        bench.run(1)
        let views = bench.messages(to: watcher).compactMap { if case .view(let view) = $0 { view } else { nil } }
        #expect(views.count < 2 * (20 + 60) + 10)
        #expect(views.last?.mode == bench.hub.views[.named("kiosk")]?.mode)
        bench.hub.advance(to: bench.now)
        #expect(bench.hub.news.isEmpty)
    }

    // MARK: What is kept

    @Test("the markers of one user's connections are bounded, and those of others are not")
    func markers() {
        var bench = HubBench(limits: ServerLimits(requestsPerSecond: 100_000))
        var refused = 0
        for _ in 0..<40 {
            let id = bench.connect()
            for marker in 0..<256 {
                bench.send(#"{"type":"marker","marker":"m\#(marker)","position":[8,47]}"#, from: id)
            }
            refused += bench.errors(to: id).count { $0.code == .tooMany }
        }
        #expect(bench.hub.views.sum { $1.markerCount } <= Hub.markersPerUser + 1)
        #expect(refused > 0)
        let other = bench.connect(HubBench.stranger)
        bench.send(#"{"type":"marker","marker":"m","position":[8,47]}"#, from: other)
        #expect(bench.errors(to: other).isEmpty)
    }

    @Test("the positions that a user's connections keep in sight are bounded; an overview has the room of the last")
    func overviews() {
        var bench = HubBench(limits: ServerLimits(requestsPerSecond: 100_000))
        let positions = (0..<4_000).map { "[\(Double($0) / 100),47]" }.joined(separator: ",")
        let line = #"{"type":"overview","geometry":{"type":"LineString","coordinates":[\#(positions)]},"duration":0}"#
        var last = bench.connect()
        for _ in 0..<20 {
            last = bench.connect()
            bench.send(line, from: last)
        }
        #expect(bench.errors(to: last).map(\.code) == [.tooMany])
        #expect(bench.hub.views.sum { $1.fittedPositions } <= Hub.positionsPerUser)
        let first = ClientID(2)
        bench.clear()
        bench.send(line, from: first)
        #expect(bench.errors(to: first).isEmpty)
    }
}
