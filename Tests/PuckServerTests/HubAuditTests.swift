import PuckCore
import PuckWire
import Testing

@testable import PuckServer

/// The journal's part of who may see what: each change once, with who and why.
@Suite struct HubAuditTests {
    private static let ada = ClientOrigin(
        identity: ClientIdentity(user: 2_000, groups: [2_000]), process: 4_321, userName: "ada", program: "map")

    private func events(_ bench: HubBench, of id: ClientID) -> [String] {
        bench.records.filter { $0.client == id }.map { "\($0.event.rawValue): \($0.reason)" }
    }

    @Test("a grant, its refusals, its expiry and its end are each recorded once, with user, process and purpose")
    func grants() {
        var bench = HubBench()
        let id = bench.connect(Self.ada)
        bench.send(#"{"type":"requestPrecise","purpose":"fun"}"#, from: id)
        bench.send(#"{"type":"accuracy","mode":"precise"}"#, from: id)
        bench.send(#"{"type":"requestPrecise","purpose":"navigation"}"#, from: id)
        bench.run(61)
        bench.send(#"{"type":"requestPrecise","purpose":"navigation"}"#, from: id)
        bench.send(#"{"type":"requestPrecise","purpose":"navigation"}"#, from: id)
        bench.send(#"{"type":"endPrecise"}"#, from: id)
        bench.send(#"{"type":"requestPrecise","purpose":"navigation"}"#, from: id)
        bench.disconnect(id)
        #expect(
            events(bench, of: id) == [
                "refused: unknown-purpose", "refused: not-permitted",
                "granted: navigation", "switched: precise by purpose",
                "expired: navigation", "switched: approximate by expired",
                "granted: navigation", "switched: precise by purpose", "refused: already-precise for navigation",
                "ended: navigation", "switched: approximate by ended",
                "granted: navigation", "switched: precise by purpose",
                "ended: navigation", "switched: approximate by ended",
            ])
        #expect(bench.records.allSatisfy { $0.user == 2_000 && $0.userName == "ada" && $0.process == 4_321 })
    }

    @Test("a client that goes while it has a grant leaves nothing behind")
    func goneWithGrant() {
        var bench = HubBench()
        let id = bench.connect(Self.ada)
        bench.send(#"{"type":"subscribe"}"#, from: id)
        bench.send(#"{"type":"requestPrecise","purpose":"navigation"}"#, from: id)
        bench.disconnect(id)
        #expect(bench.hub.streams.isEmpty && bench.hub.clients.isEmpty)
        #expect(events(bench, of: id).contains("ended: navigation"))
    }

    @Test("the switch of the system is recorded with the admin who made it, and each client that it moved")
    func system() {
        var bench = HubBench()
        let (root, id, other) = (bench.connect(HubBench.root), bench.connect(), bench.connect(HubBench.stranger))
        bench.send(#"{"type":"requestPrecise","purpose":"navigation"}"#, from: other)
        bench.send(#"{"type":"accuracy","mode":"approximate","scope":"system"}"#, from: id)
        bench.send(#"{"type":"accuracy","mode":"approximate","scope":"system"}"#, from: root)
        bench.send(#"{"type":"accuracy","mode":"approximate","scope":"system"}"#, from: root)
        bench.send(#"{"type":"accuracy","mode":"precise","scope":"system"}"#, from: root)
        #expect(
            events(bench, of: root) == [
                "systemSwitched: approximate", "switched: approximate by system", "systemSwitched: precise",
                "switched: precise by policy",
            ])
        #expect(
            events(bench, of: id) == [
                "refused: not-permitted for system", "switched: approximate by system", "switched: precise by policy",
            ])
        // A grant that an admin ended does not come back by itself.
        #expect(events(bench, of: other).suffix(2) == ["ended: navigation", "switched: approximate by system"])
    }
}
