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
}
