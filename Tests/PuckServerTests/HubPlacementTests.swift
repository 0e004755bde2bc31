import PuckCore
import PuckWire
import Testing

@testable import PuckServer

@Suite struct HubPlacementTests {
    private func providers(_ bench: HubBench, _ id: ClientID) -> [LocationProvider] {
        bench.messages(to: id).compactMap { if case .source(let source) = $0 { source.provider } else { nil } }
    }

    @Test("P7 an override, each far move of it, and its release are each one discontinuity")
    func override() {
        var bench = HubBench()
        let (id, root) = (bench.connect(), bench.connect(HubBench.root))
        bench.send(#"{"type":"subscribe"}"#, from: id)
        bench.drive(seconds: 5)
        bench.clear()
        bench.send(#"{"type":"place","position":[9,48]}"#, from: root)
        bench.send(#"{"type":"place","position":[9.01,48]}"#, from: root)
        bench.send(#"{"type":"release"}"#, from: root)
        bench.drive(seconds: 2, from: 50)
        #expect(bench.pucks(to: id).map(\.discontinuity) == [true, true, true, false, false])
        #expect(providers(bench, id) == [.client, .gpsd])
        let heading = bench.pucks(to: id)[1].heading?.degrees ?? 0
        #expect(abs(heading - 90) < 0.1)
    }

    @Test("a placed location ends with the connection of whoever placed last, and is then the receiver's again")
    func connectionEnds() {
        var bench = HubBench()
        let (id, first, second) = (bench.connect(), bench.connect(HubBench.root), bench.connect(HubBench.root))
        bench.send(#"{"type":"subscribe"}"#, from: id)
        bench.drive(seconds: 5)
        let receiver = bench.pucks(to: id).last?.coordinate
        bench.send(#"{"type":"place","position":[9,48]}"#, from: first)
        bench.send(#"{"type":"place","position":[10,48]}"#, from: second)
        bench.clear()
        bench.disconnect(first)
        #expect(bench.messages(to: id).isEmpty)
        bench.disconnect(second)
        #expect(providers(bench, id) == [.gpsd])
        #expect(bench.pucks(to: id).map(\.discontinuity) == [true])
        #expect(abs((bench.pucks(to: id).last?.coordinate.longitude ?? 0) - (receiver?.longitude ?? 1)) < 0.001)
        #expect(bench.records.map(\.event) == [.placed, .released])
        #expect(bench.records.last?.reason == "disconnected")
    }

    @Test("it ends, too, where policy takes the role from whoever placed")
    func roleTaken() {
        var bench = HubBench()
        let (id, root) = (bench.connect(), bench.connect(HubBench.root))
        bench.send(#"{"type":"subscribe"}"#, from: id)
        bench.send(#"{"type":"place","position":[9,48]}"#, from: root)
        bench.clear()
        let policy = AccessPolicy(
            rules: [.init(.anyone, Access(accuracy: .precise, roles: [.observer]))], purposes: [])
        bench.reconfigure(policy)
        #expect(providers(bench, id) == [.gpsd])
        #expect(bench.frames(to: id).last?.puck == nil)
    }

    /// Places once a second what drives eastwards at 10 m/s.
    private func drive(_ bench: inout HubBench, seconds: Int, from root: ClientID) {
        let plane = LocalPlane(origin: Coordinate(wrappingLongitude: 9, clampingLatitude: 48))
        for second in 0..<seconds {
            let here = plane.unproject(east: Double(second) * 10, north: 0)
            bench.send(
                #"{"type":"place","position":[\#(here.longitude),\#(here.latitude)],"speed":10,"course":90}"#,
                from: root)
            bench.run(1)
        }
    }

    @Test("P17 placed once a second with speed and course, it is drawn 60 times a second without a step")
    func drawn() {
        var bench = HubBench()
        let (id, root) = (bench.connect(), bench.connect(HubBench.root))
        bench.send(#"{"type":"subscribe","rate":60}"#, from: id)
        drive(&bench, seconds: 20, from: root)
        let pucks = bench.pucks(to: id)
        #expect((1_195...1_202).contains(pucks.count))
        #expect(
            pucks.filter(\.discontinuity).count == 1 && pucks.allSatisfy { $0.accuracy == nil && $0.state == .live })
        for (a, b) in zip(pucks, pucks.dropFirst()) {
            #expect((0.9...1.1).contains(greatCircleDistance(a.coordinate, b.coordinate) / (10.0 / 60)))
        }
        #expect(pucks.last?.fixTime.map { $0 > HubBench().now.utc.advanced(by: 18.9) } == true)
    }

    @Test("whoever stops placing without releasing: predicted, held, gone, though the connection goes on")
    func silentProvider() {
        var bench = HubBench()
        let (id, root) = (bench.connect(), bench.connect(HubBench.root))
        bench.send(#"{"type":"subscribe","rate":10}"#, from: id)
        drive(&bench, seconds: 20, from: root)
        bench.clear()
        bench.run(400)
        let states = bench.pucks(to: id).map(\.state)
        #expect(Set(states) == [.live, .predicted, .stale] && states == states.sorted { "\($0)" < "\($1)" })
        #expect(bench.frames(to: id).last.map { $0.puck == nil } == true)
        #expect(bench.hub.deadline.map { $0 > bench.now.monotonic.advanced(by: 1) } ?? true)
        bench.clear()
        drive(&bench, seconds: 1, from: root)
        #expect(bench.pucks(to: id).first?.state == .live && bench.pucks(to: id).first?.discontinuity == true)
    }

    @Test("a placed location that stands makes no frames")
    func stands() {
        var bench = HubBench()
        let (id, root) = (bench.connect(), bench.connect(HubBench.root))
        bench.send(#"{"type":"subscribe","rate":60,"staleAfter":2}"#, from: id)
        bench.send(#"{"type":"place","position":[9,48],"accuracy":5}"#, from: root)
        bench.run(2)
        bench.clear()
        bench.run(3_600)
        #expect(bench.pucks(to: id).isEmpty)
    }

    @Test("a client's own limit of age holds for a placed location on the move")
    func staleAfter() {
        var bench = HubBench()
        let (id, root) = (bench.connect(), bench.connect(HubBench.root))
        bench.send(#"{"type":"subscribe","staleAfter":1.5}"#, from: id)
        drive(&bench, seconds: 3, from: root)
        bench.run(0.4)
        #expect(bench.pucks(to: id).allSatisfy { $0.state == .live })
        bench.run(0.2)
        #expect(bench.pucks(to: id).last?.state == .stale)
    }

    @Test("an attitude alone: the position and the provider stay, approximate clients see not a byte of it")
    func attitude() {
        func script(places: Bool) -> (bench: HubBench, precise: ClientID, coarse: ClientID, root: ClientID) {
            var bench = HubBench()
            let (id, coarse, root) = (
                bench.connect(), bench.connect(HubBench.stranger), bench.connect(HubBench.root)
            )
            for client in [id, coarse] { bench.send(#"{"type":"subscribe","rate":10}"#, from: client) }
            for second in 0..<60 {
                bench.fix(east: Double(second) * 10, speed: 10)
                for _ in 0..<10 {
                    if places {
                        bench.send(
                            #"{"type":"place","heading":45,"headingAccuracy":3,"pitch":2,"roll":-1}"#, from: root)
                    }
                    bench.run(0.1)
                }
            }
            return (bench, id, coarse, root)
        }
        var (bench, id, coarse, root) = script(places: true)
        let plain = script(places: false)
        #expect(bench.lines[coarse] == plain.bench.lines[coarse])
        let puck = bench.pucks(to: id).last
        #expect(puck?.heading?.degrees == 45 && puck?.headingAccuracy.map { $0 >= 3 } == true)
        #expect(puck?.pitch == 2 && puck?.roll == -1 && puck?.coordinate == plain.bench.pucks(to: id).last?.coordinate)
        #expect(providers(bench, id).allSatisfy { $0 == .gpsd })
        #expect(bench.records.map(\.reason) == ["attitude"])
        bench.disconnect(root)
        bench.run(0.2)
        #expect(bench.pucks(to: id).last?.heading == nil && bench.pucks(to: id).last?.pitch == nil)
        #expect(bench.records.map(\.event) == [.placed, .released])
    }

    @Test("release ends every attitude; so does policy that takes the role")
    func attitudeEnds() {
        for reload in [false, true] {
            var bench = HubBench()
            let (id, root) = (bench.connect(), bench.connect(HubBench.root))
            bench.send(#"{"type":"subscribe","rate":10}"#, from: id)
            bench.stand(seconds: 5)
            bench.send(#"{"type":"place","heading":45}"#, from: root)
            bench.run(0.2)
            #expect(bench.pucks(to: id).last?.heading?.degrees == 45)
            if reload {
                bench.reconfigure(
                    AccessPolicy(
                        rules: [.init(.anyone, Access(accuracy: .precise, roles: [.observer]))], purposes: []))
            } else {
                bench.send(#"{"type":"release"}"#, from: root)
            }
            bench.run(0.2)
            #expect(bench.pucks(to: id).last?.heading == nil)
        }
    }

    @Test("the instant of a placement: at most two seconds old, and not ahead")
    func instant() throws {
        var bench = HubBench()
        let (id, root) = (bench.connect(), bench.connect(HubBench.root))
        bench.send(#"{"type":"subscribe"}"#, from: id)
        func place(_ age: Double) -> ErrorMessage? {
            let before = bench.errors(to: root).count
            let instant = bench.now.monotonic.seconds - age
            bench.send(#"{"type":"place","position":[9,48],"monotonic":\#(instant)}"#, from: root)
            let errors = bench.errors(to: root)
            return errors.count > before ? errors.last : nil
        }
        for age in [0, 0.5, 1.999, -0.05] {
            #expect(place(age) == nil, "\(age)")
            let shown = try #require(bench.pucks(to: id).last?.age)
            #expect(abs(shown - max(0, age)) < 0.002)
        }
        let old = try #require(place(2.1))
        #expect(old.code == .badValue && old.field == "monotonic")
        #expect(old.message.contains("at most 2 s ago, got 2.1 s ago"))
        #expect(try #require(place(-5)).message.contains("got 5.0 s ahead"))
        #expect(place(4_000)?.code == .badValue)
    }

    @Test("placed late but with its instant, a way is drawn where the vehicle is now")
    func delay() {
        var bench = HubBench()
        let (id, root) = (bench.connect(), bench.connect(HubBench.root))
        bench.send(#"{"type":"subscribe","rate":60}"#, from: id)
        let plane = LocalPlane(origin: Coordinate(wrappingLongitude: 9, clampingLatitude: 48))
        let start = bench.now.monotonic.seconds
        bench.run(0.6)
        for second in 0..<20 {
            let here = plane.unproject(east: Double(second) * 10, north: 0)
            bench.send(
                #"{"type":"place","position":[\#(here.longitude),\#(here.latitude)],"speed":10,"course":90,"monotonic":\#(start + Double(second))}"#,
                from: root)
            bench.run(1)
        }
        for frame in bench.frames(to: id) {
            let east = frame.puck.map { plane.project($0.coordinate).east } ?? .nan
            #expect(abs(east - 10 * (frame.moment.monotonic.seconds - start)) < 0.1)
        }
    }
}
