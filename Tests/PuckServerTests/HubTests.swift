import PuckCore
import PuckWire
import Testing

@testable import PuckServer

@Suite struct HubTests {
    @Test("a client is greeted, and told what it may see")
    func greeting() {
        var bench = HubBench()
        let id = bench.connect(HubBench.stranger)
        guard case .hello(let hello)? = bench.messages(to: id).first else {
            Issue.record("no hello")
            return
        }
        #expect(hello.protocol == 1)
        #expect(hello.roles == [.observer, .controller])
        #expect(hello.purposes.map(\.key) == ["navigation"])
        #expect(bench.authorizations(to: id).map(\.accuracy) == [.approximate])
    }

    @Test("a new subscriber is first sent ok, source, authorization, view, and the frame there is")
    func firstMessages() {
        var bench = HubBench()
        bench.drive(seconds: 3)
        let id = bench.connect()
        bench.clear()
        bench.send(#"{"type":"subscribe","id":7}"#, from: id)
        let kinds = bench.messages(to: id).map { message in
            switch message {
            case .ok: "ok"
            case .source: "source"
            case .authorization: "authorization"
            case .view: "view"
            case .frame: "frame"
            case .hello, .error: "?"
            }
        }
        #expect(kinds == ["ok", "source", "authorization", "view", "frame"])
        #expect(bench.frames(to: id).map(\.sequence) == [1])
    }

    @Test("P9 no coordinate before the first real one")
    func nothingBeforeTheFirstFix() {
        var bench = HubBench()
        let id = bench.connect()
        bench.send(#"{"type":"subscribe","rate":10}"#, from: id)
        bench.fix(mode: .none)
        bench.run(5)
        #expect(bench.frames(to: id).isEmpty)
    }

    @Test("a fix that arrives on a tick after a rest is shown on it, and once")
    func onTheTick() throws {
        var bench = HubBench()
        let id = bench.connect()
        bench.send(#"{"type":"subscribe","rate":10}"#, from: id)
        bench.drive(seconds: 3)
        bench.run(100)
        bench.clear()
        let next = TickGrid(rate: 10).next(after: bench.now)
        bench.run(next.monotonic.seconds(since: bench.now.monotonic))
        bench.fix(east: 500, speed: 10)
        bench.run(0)
        #expect(bench.frames(to: id).map(\.moment.monotonic) == [next.monotonic])
        // What else happens at that instant waits for the next one: no two frames are of one tick.
        bench.fix(east: 500, speed: 10)
        bench.run(0.05)
        #expect(bench.frames(to: id).count == 1)
    }

    @Test("whoever asks is told the newest count of satellites, and nobody is woken by it")
    func satellites() throws {
        var bench = HubBench()
        let id = bench.connect()
        bench.send(#"{"type":"subscribe"}"#, from: id)
        bench.clear()
        for used in [4, 9] {
            var sky = SkyReport(device: HubBench.device)
            sky.used = used
            sky.visible = 12
            bench.hub.receive(.sky(sky), at: bench.now)
            bench.run(1)
        }
        #expect(bench.messages(to: id).isEmpty)
        bench.send(#"{"type":"status"}"#, from: id)
        #expect(try #require(bench.lines[id]?.last).contains(#""satellites":{"used":9,"visible":12}"#))
    }

    @Test("at “fix” each epoch is one frame, numbered without a gap")
    func withEachFix() {
        var bench = HubBench()
        let id = bench.connect()
        bench.send(#"{"type":"subscribe"}"#, from: id)
        bench.drive(seconds: 10)
        #expect(bench.frames(to: id).map(\.sequence) == Array(1...10))
        #expect(Set(bench.pucks(to: id).compactMap(\.fixTime)).count == 10)
    }

    @Test("P11 of epochs that are let go at one instant, one frame is made, of the newest")
    func epochsAtOnce() {
        var bench = HubBench()
        let id = bench.connect()
        bench.send(#"{"type":"subscribe"}"#, from: id)
        bench.drive(seconds: 3)
        bench.clear()
        bench.hub.follow([.located, .located], at: bench.now)
        bench.run(0)
        bench.send(#"{"type":"ping"}"#, from: id)
        #expect(bench.frames(to: id).count == 1)
    }

    @Test("ticks fall on whole multiples of 1/rate of UTC, and those of equal streams together")
    func ticks() {
        var bench = HubBench()
        let (a, b) = (bench.connect(), bench.connect())
        bench.drive(seconds: 3)
        bench.send(#"{"type":"subscribe","rate":60}"#, from: a)
        bench.run(0.37)
        bench.send(#"{"type":"subscribe","rate":60}"#, from: b)
        bench.clear()
        bench.drive(seconds: 2, from: 33.7)
        let frames = bench.frames(to: a)
        #expect(frames.count >= 119)
        for frame in frames {
            // The wire says milliseconds.
            let ticks = frame.moment.utc.seconds.truncatingRemainder(dividingBy: 1) * 60
            #expect(abs(ticks - ticks.rounded()) < 0.07)
        }
        #expect(bench.lines[a]?.map { $0.drop { $0 != "t" } }.count == bench.lines[b]?.count)
        let bodies = { (id: ClientID) in bench.frames(to: id).map(\.moment) }
        #expect(bodies(a) == bodies(b))
    }

    @Test("P3 standing still, frames at a rate stop, and no tick is armed between fixes; at “fix” they go on")
    func standingStill() {
        var bench = HubBench()
        let (ticking, fixes) = (bench.connect(), bench.connect())
        bench.send(#"{"type":"subscribe","rate":60}"#, from: ticking)
        bench.send(#"{"type":"subscribe"}"#, from: fixes)
        bench.stand(seconds: 60)
        bench.clear()
        for _ in 0..<20 {
            bench.fix()
            #expect(bench.hub.tickers.values.allSatisfy { $0.next == nil }, "a fix that changes nothing wakes nobody")
            bench.run(1)
        }
        #expect(bench.frames(to: ticking).count <= 2)
        #expect(bench.frames(to: fixes).count == 20)
        #expect(bench.hub.tickers.values.allSatisfy { $0.next == nil })
    }

    @Test("without a subscriber there is no tick")
    func noSubscriberNoTicks() {
        var bench = HubBench()
        let id = bench.connect()
        bench.send(#"{"type":"subscribe","rate":60}"#, from: id)
        bench.drive(seconds: 3)
        bench.send(#"{"type":"unsubscribe"}"#, from: id)
        #expect(bench.hub.tickers.isEmpty && bench.hub.streams.isEmpty)
        bench.clear()
        bench.drive(seconds: 3, from: 30)
        #expect(bench.frames(to: id).isEmpty)
    }

    @Test("P8 over a gap the puck is predicted with growing accuracy, then stale, then gone; its age always told")
    func gap() {
        var bench = HubBench()
        let id = bench.connect()
        bench.send(#"{"type":"subscribe","rate":1}"#, from: id)
        bench.drive(seconds: 20)
        bench.clear()
        bench.run(400)
        let pucks = bench.pucks(to: id)
        let radii = pucks.filter { $0.state == .predicted }.compactMap(\.accuracy)
        #expect(radii.count >= 8)
        #expect(zip(radii, radii.dropFirst()).allSatisfy { $0 < $1 })
        #expect(pucks.contains { $0.state == .stale })
        #expect(pucks.allSatisfy { ($0.age ?? -1) >= 0 && ($0.age ?? 1e9) <= 300 })
        #expect(pucks.filter { $0.state == .stale }.allSatisfy { $0.speed == nil && $0.course == nil })
        // The last frame says that there is no puck any more.
        #expect(bench.frames(to: id).last?.puck == nil)
    }

    @Test("C1 puck and camera of a frame are of one instant: the camera's centre is the puck")
    func oneInstant() {
        var bench = HubBench()
        let id = bench.connect()
        bench.drive(seconds: 3)
        bench.send(#"{"type":"subscribe","rate":10}"#, from: id)
        bench.send(#"{"type":"follow","transition":"immediate"}"#, from: id)
        bench.drive(seconds: 5, from: 30)
        let followed = bench.frames(to: id).suffix(20)
        #expect(followed.count == 20)
        #expect(followed.allSatisfy { $0.camera?.center == $0.puck?.coordinate })
    }

    @Test("C2 after idle is answered, no camera comes from following")
    func idle() {
        var bench = HubBench()
        let id = bench.connect()
        bench.drive(seconds: 3)
        bench.send(#"{"type":"subscribe","rate":60}"#, from: id)
        bench.send(#"{"type":"track","mode":"follow"}"#, from: id)
        bench.drive(seconds: 5, from: 30)
        #expect(bench.frames(to: id).contains { $0.camera != nil })
        bench.clear()
        bench.send(#"{"type":"idle","id":1}"#, from: id)
        bench.drive(seconds: 5, from: 80)
        #expect(bench.frames(to: id).count > 100)
        #expect(bench.frames(to: id).allSatisfy { $0.camera == nil })
    }

    @Test("C3 a change of a shared view is told to all its watchers, with reason and cause")
    func sharedView() {
        var bench = HubBench()
        let (map, button, other) = (bench.connect(), bench.connect(), bench.connect())
        bench.drive(seconds: 3)
        bench.send(#"{"type":"subscribe","view":"kiosk"}"#, from: map)
        bench.send(#"{"type":"subscribe"}"#, from: other)
        bench.clear()
        bench.send(#"{"type":"track","view":"kiosk","mode":"next","id":"b1"}"#, from: button)
        let told = bench.messages(to: map).compactMap { if case .view(let view) = $0 { view } else { nil } }
        #expect(told.first?.mode == .follow)
        #expect(told.first?.cause == .init(client: button.number, request: .string("b1")))
        #expect(bench.messages(to: other).isEmpty)
    }

    @Test("a view that nobody watches can't be steered; one that was left is kept for a minute")
    func viewLife() {
        var bench = HubBench()
        let (map, button) = (bench.connect(), bench.connect())
        bench.send(#"{"type":"track","view":"kiosk","mode":"next"}"#, from: button)
        #expect(bench.errors(to: button).map(\.code) == [.unknownView])
        bench.send(#"{"type":"subscribe","view":"kiosk"}"#, from: map)
        bench.send(#"{"type":"track","view":"kiosk","mode":"follow"}"#, from: button)
        bench.disconnect(map)
        bench.run(30)
        #expect(bench.hub.views[.named("kiosk")]?.mode == .follow)
        bench.run(31)
        #expect(bench.hub.views[.named("kiosk")] == nil)
    }

    @Test("however many changes a view has at one instant, its watchers are sent one frame of them")
    func changesAtOnce() {
        var bench = HubBench()
        let (map, hasty) = (bench.connect(), bench.connect())
        bench.drive(seconds: 3)
        bench.send(#"{"type":"subscribe","view":"kiosk","include":["markers"]}"#, from: map)
        bench.clear()
        for i in 0..<150 {
            bench.send(
                #"{"type":"marker","view":"kiosk","marker":"m","position":[\#(i),0],"duration":0}"#, from: hasty)
        }
        bench.run(0.1)
        #expect(bench.frames(to: map).count == 1)
        #expect(bench.frames(to: map).last?.markers?.first?.coordinate.longitude == 149)
    }

    @Test("no user takes the named views from the others")
    func viewShares() {
        var bench = HubBench(limits: ServerLimits(requestsPerSecond: 1_000))
        let (greedy, other) = (bench.connect(HubBench.stranger), bench.connect())
        for i in 0...Hub.viewShares.perUser { bench.send(#"{"type":"subscribe","view":"v\#(i)"}"#, from: greedy) }
        #expect(bench.errors(to: greedy).map(\.code) == [.tooMany])
        bench.send(#"{"type":"subscribe","view":"map"}"#, from: other)
        #expect(bench.errors(to: other).isEmpty)
    }

    @Test("a violation closes the connection, a refusal does not")
    func violationAndRefusal() {
        var bench = HubBench()
        let id = bench.connect()
        bench.send(#"{"type":"subscribe","colour":1,"id":3}"#, from: id)
        #expect(bench.errors(to: id).last?.code == .unknownField)
        #expect(bench.errors(to: id).last?.id == RequestID(3))
        #expect(bench.errors(to: id).last?.isFatal == false && bench.closed.isEmpty)
        bench.send("not json", from: id)
        #expect(bench.errors(to: id).last?.code == .badJSON)
        #expect(bench.errors(to: id).last?.isFatal == true && bench.closed == [id])
    }

    @Test("more requests a second than allowed are refused, and a second later they are taken again")
    func tooManyRequests() {
        var bench = HubBench(limits: ServerLimits(requestsPerSecond: 5))
        let id = bench.connect()
        for _ in 0..<7 { bench.send(#"{"type":"ping"}"#, from: id) }
        #expect(bench.errors(to: id).map(\.code) == [.tooMany, .tooMany])
        bench.run(1)
        bench.send(#"{"type":"ping"}"#, from: id)
        #expect(bench.errors(to: id).count == 2)
    }

    @Test("roles: placing needs provider, who and the system's accuracy need admin")
    func roles() {
        var bench = HubBench()
        let id = bench.connect()
        bench.send(#"{"type":"place","position":[8.5,47.4]}"#, from: id)
        bench.send(#"{"type":"who"}"#, from: id)
        bench.send(#"{"type":"accuracy","mode":"approximate","scope":"system"}"#, from: id)
        #expect(bench.errors(to: id).map(\.code) == [.notPermitted, .notPermitted, .notPermitted])
    }
}
