import PuckCore
import PuckWire
import Testing

@testable import PuckServer

/// When an approximate client that takes no ticks is sent a frame. Something of its own is on the move all the while, so
/// that whatever makes a frame can be seen.
@Suite struct ApproximateTimingTests {
    /// An approximate client that watches a view, where a marker of its own goes a long way.
    private func watch(_ view: String?, on bench: inout HubBench) -> ClientID {
        let id = bench.connect(HubBench.stranger)
        let name = view.map { #","view":"\#($0)""# } ?? ""
        bench.send(#"{"type":"subscribe","include":["puck","camera","markers"]\#(name)}"#, from: id)
        for east in [8, 9] {
            bench.send(
                #"{"type":"marker","marker":"m","position":[\#(east),47],"duration":3600\#(name)}"#, from: id)
        }
        return id
    }

    @Test(
        "how long the camera of precise clients takes to the puck is not told to who sends it there",
        arguments: ["follow", "followWithCourse"])
    func transition(mode: String) {
        func deliveries(east: Double) -> [HubBench.Delivery] {
            var bench = HubBench()
            bench.fix(east: east)
            let id = watch(nil, on: &bench)
            bench.send(#"{"type":"ease","camera":{"center":[8.5,47.4],"zoom":15},"duration":0}"#, from: id)
            bench.run(3)
            bench.send(#"{"type":"track","mode":"\#(mode)"}"#, from: id)
            bench.run(10)
            return bench.deliveries[id] ?? []
        }
        let near = deliveries(east: 10)
        #expect(near.contains { $0.line.contains("moving") })
        #expect(deliveries(east: 700) == near)
        #expect(deliveries(east: 2_500) == near)
    }

    @Test("when a precise client says something of a shared view is not told to who watches it approximately")
    func command() {
        let commands = [
            #"{"type":"marker","view":"map","marker":"p","position":[8.5,47.4]}"#,
            #"{"type":"ease","view":"map","camera":{"center":[8.5,47.4],"zoom":15},"duration":0.7}"#,
            #"{"type":"fly","view":"map","camera":{"center":[8.6,47.4],"zoom":15}}"#,
            #"{"type":"removeMarker","view":"map","marker":"p"}"#,
            #"{"type":"overview","view":"map","geometry":{"type":"Point","coordinates":[8,47]}}"#,
        ]
        func deliveries(saying isSaid: Bool) -> [HubBench.Delivery] {
            var bench = HubBench()
            bench.fix()
            let id = watch("map", on: &bench)
            // A camera on its way as well, which those of precise clients must not end.
            bench.send(
                #"{"type":"ease","view":"map","camera":{"center":[7,46],"zoom":9},"duration":3600}"#, from: id)
            bench.run(1)
            let precise = bench.connect()
            bench.send(#"{"type":"subscribe","view":"map"}"#, from: precise)
            for command in commands where isSaid {
                bench.run(3.3)
                bench.send(command, from: precise)
            }
            bench.run(isSaid ? 10 : 10 + 3.3 * Double(commands.count))
            return bench.deliveries[id] ?? []
        }
        let quiet = deliveries(saying: false)
        #expect(quiet.contains { $0.line.contains("moving") })
        #expect(deliveries(saying: true) == quiet)
    }

    @Test("what a precise client changes for all is shown at once: the mode, and an overview's screen")
    func shared() throws {
        var bench = HubBench()
        bench.fix()
        let id = watch("map", on: &bench)
        let precise = bench.connect()
        bench.send(
            #"{"type":"overview","view":"map","geometry":{"type":"MultiPoint","coordinates":[[8,47],[9,48]]},"duration":0}"#,
            from: id)
        bench.run(3)
        let before = try #require(bench.frames(to: id).last?.camera)
        bench.send(#"{"type":"viewport","view":"map","width":900,"height":900}"#, from: precise)
        bench.run(0.1)
        #expect(try #require(bench.frames(to: id).last?.camera?.zoom) > before.zoom ?? 99)
        bench.send(#"{"type":"idle","view":"map"}"#, from: precise)
        bench.run(0.1)
        #expect(bench.frames(to: id).last?.camera == nil)
    }
}
