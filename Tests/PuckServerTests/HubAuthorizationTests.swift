import Foundation
import PuckCore
import PuckWire
import Testing

@testable import PuckServer

@Suite struct HubAuthorizationTests {
    /// A drive long enough for the coarsening stage's first epoch and its burst.
    private func driven(_ bench: inout HubBench) { bench.drive(seconds: 120, speed: 10) }

    @Test("asking for less is told before the first approximate frame; asking for more again is a discontinuity")
    func lessAndMore() throws {
        var bench = HubBench()
        let id = bench.connect()
        bench.send(#"{"type":"subscribe"}"#, from: id)
        driven(&bench)
        bench.clear()
        bench.send(#"{"type":"accuracy","mode":"approximate"}"#, from: id)
        let messages = bench.messages(to: id)
        let told = try #require(messages.firstIndex { if case .authorization = $0 { true } else { false } })
        let frame = try #require(messages.firstIndex { if case .frame = $0 { true } else { false } })
        #expect(told < frame)
        #expect(bench.pucks(to: id).allSatisfy { $0.accuracyMode == .approximate })
        bench.clear()
        bench.send(#"{"type":"accuracy","mode":"precise"}"#, from: id)
        #expect(bench.pucks(to: id).map(\.accuracyMode) == [.precise])
        #expect(bench.pucks(to: id).map(\.discontinuity) == [true])
        bench.drive(seconds: 1, from: 1_200)
        #expect(bench.pucks(to: id).last?.discontinuity == false)
    }

    @Test("whoever policy takes the role of observer from is hung up on, told why, and sent nothing more")
    func observerTaken() throws {
        var bench = HubBench()
        let (watching, silent, other) = (bench.connect(), bench.connect(), bench.connect(HubBench.root))
        for id in [watching, other] { bench.send(#"{"type":"subscribe","rate":5}"#, from: id) }
        bench.drive(seconds: 3)
        bench.clear()
        let rules: [AccessPolicy.Rule] = [
            .init(.user(0), Access(accuracy: .precise, roles: [.observer])),
            .init(.anyone, Access(accuracy: .precise, roles: [.controller])),
        ]
        bench.reconfigure(AccessPolicy(rules: rules, purposes: []))
        bench.drive(seconds: 3, from: 30)
        let last = try #require(bench.errors(to: watching).last)
        #expect(last.code == .notPermitted && last.isFatal)
        #expect(bench.messages(to: watching).count == 1)
        #expect(bench.closed == [watching])
        #expect(bench.messages(to: silent).isEmpty)
        #expect(bench.frames(to: other).count > 10)
    }

    @Test("policy's approximate is not talked up")
    func refusal() {
        var bench = HubBench()
        let id = bench.connect(HubBench.stranger)
        bench.send(#"{"type":"accuracy","mode":"precise"}"#, from: id)
        #expect(bench.errors(to: id).map(\.code) == [.notPermitted])
        bench.send(#"{"type":"subscribe","accuracy":"precise"}"#, from: id)
        driven(&bench)
        #expect(bench.pucks(to: id).allSatisfy { $0.accuracyMode == .approximate })
    }

    @Test("a grant gives precise accuracy for its time, and its end is told before anything approximate")
    func grant() {
        var bench = HubBench()
        let id = bench.connect(HubBench.stranger)
        driven(&bench)
        bench.send(#"{"type":"subscribe"}"#, from: id)
        bench.clear()
        bench.send(#"{"type":"requestPrecise","purpose":"navigation"}"#, from: id)
        #expect(bench.authorizations(to: id).map(\.reason) == [.purpose])
        #expect(bench.pucks(to: id).map(\.accuracyMode) == [.precise])
        bench.send(#"{"type":"requestPrecise","purpose":"navigation"}"#, from: id)
        bench.send(#"{"type":"requestPrecise","purpose":"fun"}"#, from: id)
        #expect(bench.errors(to: id).map(\.code) == [.alreadyPrecise, .unknownPurpose])
        bench.drive(seconds: 59, from: 1_200)
        bench.clear()
        bench.drive(seconds: 3, from: 1_790)
        #expect(bench.authorizations(to: id).map(\.reason) == [.expired])
        #expect(bench.authorizations(to: id).map(\.accuracy) == [.approximate])
        let end = bench.messages(to: id).firstIndex { if case .authorization = $0 { true } else { false } } ?? 0
        for message in bench.messages(to: id)[end...] {
            if case .frame(let frame) = message { #expect(frame.puck?.accuracyMode != .precise) }
        }
        #expect(bench.records.map(\.event).filter { $0 != .switched } == [.granted, .refused, .refused, .expired])
    }

    @Test("a purpose is only for whom it is declared for; a grant ends with endPrecise")
    func grantOfOthers() {
        var bench = HubBench()
        let (root, id) = (bench.connect(HubBench.root), bench.connect(HubBench.stranger))
        let steward = bench.connect(HubBench.steward)
        bench.send(#"{"type":"requestPrecise","purpose":"navigation"}"#, from: steward)
        #expect(bench.errors(to: steward).map(\.code) == [.notPermitted])
        // Who sees all already needs no purpose, and none is refused to it.
        bench.send(#"{"type":"requestPrecise","purpose":"navigation"}"#, from: root)
        #expect(bench.errors(to: root).map(\.code) == [.alreadyPrecise])
        bench.send(#"{"type":"requestPrecise","purpose":"navigation"}"#, from: id)
        bench.send(#"{"type":"endPrecise"}"#, from: id)
        #expect(bench.authorizations(to: id).map(\.reason) == [.policy, .purpose, .ended])
        #expect(bench.authorizations(to: id).last?.accuracy == .approximate)
    }

    @Test("an admin's approximate binds everyone at once, grants included, and is kept; its release frees them")
    func system() {
        var bench = HubBench()
        let (root, id, granted) = (
            bench.connect(HubBench.root), bench.connect(), bench.connect(HubBench.stranger)
        )
        driven(&bench)
        bench.send(#"{"type":"requestPrecise","purpose":"navigation"}"#, from: granted)
        for client in [id, granted] { bench.send(#"{"type":"subscribe"}"#, from: client) }
        bench.clear()
        bench.send(#"{"type":"accuracy","mode":"approximate","scope":"system"}"#, from: root)
        bench.drive(seconds: 3, from: 1_200)
        for client in [id, granted] {
            #expect(bench.authorizations(to: client).map(\.reason) == [.system])
            #expect(bench.pucks(to: client).allSatisfy { $0.accuracyMode == .approximate })
        }
        #expect(bench.kept.contains(.systemAccuracy(.approximate)))
        bench.send(#"{"type":"accuracy","mode":"precise","scope":"system"}"#, from: root)
        #expect(bench.authorizations(to: id).last?.accuracy == .precise)
        #expect(bench.kept.last == .systemAccuracy(nil))
    }
}
