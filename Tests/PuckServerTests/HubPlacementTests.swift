import PuckCore
import PuckWire
import Testing

@testable import PuckServer

@Suite struct HubPlacementTests {
    private func providers(_ bench: HubBench, _ id: ClientID) -> [LocationProvider] {
        bench.messages(to: id).compactMap { if case .source(let source) = $0 { source.provider } else { nil } }
    }

    @Test("P7 an override and its release are each one discontinuity")
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
        #expect(bench.pucks(to: id).map(\.discontinuity) == [true, false, true, false, false])
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
}
