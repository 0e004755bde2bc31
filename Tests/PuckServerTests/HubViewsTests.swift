import Foundation
import PuckCore
import PuckWire
import Testing

@testable import PuckServer

/// What a view brings its watchers, where it takes longer than a test may wait.
@Suite struct HubViewsTests {
    private func changes(_ bench: HubBench, _ id: ClientID) -> [ViewChangeReason] {
        bench.messages(to: id).compactMap { if case .view(let view) = $0 { view.reason } else { nil } }
    }

    @Test(
        "C5 without a position a transition says so once, after five seconds; the mode stays, and goes on with the position"
    )
    func noPosition() {
        var bench = HubBench()
        let id = bench.connect()
        bench.send(#"{"type":"subscribe","rate":10}"#, from: id)
        bench.clear()
        bench.send(#"{"type":"track","mode":"follow","id":1}"#, from: id)
        bench.run(4.9)
        #expect(changes(bench, id) == [.transitionStarted])
        bench.run(60)
        #expect(changes(bench, id) == [.transitionStarted, .noPosition])
        #expect(bench.errors(to: id).isEmpty && bench.frames(to: id).isEmpty)
        bench.drive(seconds: 5)
        #expect(bench.frames(to: id).last?.camera?.center == bench.pucks(to: id).last?.coordinate)
        guard case .view(let last)? = bench.messages(to: id).last(where: { if case .view = $0 { true } else { false } })
        else {
            Issue.record("no view")
            return
        }
        #expect(last.mode == .follow && last.status == .state && last.reason == .transitionSucceeded)
        #expect(last.cause.request == RequestID(1))
    }

    @Test("C2 no timer of a transition that was let go moves the camera later")
    func lateTimer() {
        var bench = HubBench()
        let id = bench.connect()
        bench.drive(seconds: 3)
        bench.send(#"{"type":"subscribe","rate":60}"#, from: id)
        bench.send(#"{"type":"ease","camera":{"center":[8,47],"zoom":12},"duration":0}"#, from: id)
        bench.run(2)
        bench.send(#"{"type":"track","mode":"follow"}"#, from: id)
        bench.run(0.2)
        #expect(bench.frames(to: id).last?.camera != nil)
        bench.send(#"{"type":"idle"}"#, from: id)
        bench.clear()
        bench.drive(seconds: 10, from: 30)
        #expect(bench.frames(to: id).count > 100)
        #expect(bench.frames(to: id).allSatisfy { $0.camera == nil } && changes(bench, id).isEmpty)
    }

    @Test("frames on demand: while the puck stands still a marker's move makes frames, and after it none")
    func markerOnly() {
        var bench = HubBench()
        let id = bench.connect()
        bench.stand(seconds: 60)
        bench.send(#"{"type":"subscribe","rate":10,"include":["puck","markers"]}"#, from: id)
        bench.send(#"{"type":"marker","marker":"m","position":[8.5,47.4]}"#, from: id)
        bench.stand(seconds: 5)
        bench.clear()
        bench.send(#"{"type":"marker","marker":"m","position":[8.6,47.4]}"#, from: id)
        bench.stand(seconds: 3)
        let moving = bench.frames(to: id)
        #expect((19...23).contains(moving.count))
        #expect(moving.last?.markers?.first?.moving == false)
        #expect(moving.last?.markers?.first?.coordinate.longitude == 8.6)
        // Linear, in two seconds.
        let steps = zip(moving, moving.dropFirst()).compactMap { a, b -> Double? in
            guard b.markers?.first?.moving == true, let x = a.markers?.first?.coordinate.longitude,
                let y = b.markers?.first?.coordinate.longitude
            else { return nil }
            return y - x
        }
        #expect(steps.count > 15 && steps.allSatisfy { abs($0 - 0.005) < 1e-6 })
        bench.clear()
        bench.stand(seconds: 5)
        #expect(bench.frames(to: id).isEmpty)
        #expect(bench.hub.tickers.values.allSatisfy { $0.next == nil })
    }

    @Test("a following view of a puck that stands still rests: no frame, no tick")
    func resting() {
        var bench = HubBench()
        let id = bench.connect()
        bench.stand(seconds: 60)
        bench.send(#"{"type":"subscribe","rate":60}"#, from: id)
        bench.send(#"{"type":"viewport","width":400,"height":800}"#, from: id)
        bench.send(#"{"type":"follow"}"#, from: id)
        bench.stand(seconds: 10)
        bench.clear()
        bench.stand(seconds: 20)
        #expect(bench.frames(to: id).count <= 2)
        #expect(bench.hub.tickers.values.allSatisfy { $0.next == nil })
    }

    @Test("each client has its own rate: with each fix, or from 1 to 120 a second", arguments: [1.0, 10, 60, 120])
    func rates(_ rate: Double) {
        var bench = HubBench()
        let (fixes, ticks) = (bench.connect(), bench.connect())
        bench.drive(seconds: 5, speed: 20)
        bench.send(#"{"type":"subscribe"}"#, from: fixes)
        bench.send(#"{"type":"subscribe","rate":\#(rate)}"#, from: ticks)
        bench.clear()
        bench.drive(seconds: 10, speed: 20, from: 100)
        #expect(bench.frames(to: fixes).count == 10)
        #expect(abs(Double(bench.frames(to: ticks).count) - 10 * rate) <= 1)
        let times = bench.frames(to: ticks).map(\.moment.monotonic)
        #expect(zip(times, times.dropFirst()).allSatisfy { abs($1.seconds(since: $0) - 1 / rate) < 1e-5 })
    }

    @Test("minDistance and minInterval: no frame before the puck has moved so far, or so long has passed")
    func thresholds() {
        var bench = HubBench()
        let (far, slow) = (bench.connect(), bench.connect())
        bench.drive(seconds: 5, speed: 10)
        bench.send(#"{"type":"subscribe","minDistance":45}"#, from: far)
        bench.send(#"{"type":"subscribe","rate":30,"minInterval":2.5}"#, from: slow)
        bench.drive(seconds: 20, speed: 10, from: 50)
        let pucks = bench.pucks(to: far)
        // At 10 m a second with each fix: every fifth.
        #expect((3...5).contains(pucks.count))
        #expect(zip(pucks, pucks.dropFirst()).allSatisfy { greatCircleDistance($0.coordinate, $1.coordinate) >= 45 })
        let times = bench.frames(to: slow).map(\.moment.monotonic)
        #expect((7...9).contains(times.count))
        #expect(zip(times, times.dropFirst()).allSatisfy { $1.seconds(since: $0) >= 2.5 - 1e-6 })
    }

    @Test("the approximate camera: on the point, its circle in sight, north up, not tilted, whatever the puck knows")
    func approximateCamera() throws {
        var bench = HubBench()
        let id = bench.connect(HubBench.stranger)
        bench.send(#"{"type":"subscribe"}"#, from: id)
        bench.drive(seconds: 150, speed: 10)
        for mode in ["follow", "followWithHeading", "followWithCourse"] {
            bench.send(#"{"type":"track","mode":"\#(mode)"}"#, from: id)
            bench.clear()
            bench.drive(seconds: 3, speed: 10, from: 1_500)
            bench.send(#"{"type":"subscribe"}"#, from: id)
            let frame = try #require(bench.frames(to: id).last)
            let (puck, camera) = (try #require(frame.puck), try #require(frame.camera))
            #expect(puck.accuracyMode == .approximate && camera.center == puck.coordinate)
            #expect(camera.bearing ?? 0 == 0 && camera.pitch ?? 0 == 0)
            // 512 points round the Earth at zoom 0: the circle's width on a screen of 320 points.
            let zoom = try #require(camera.zoom)
            let metresPerPoint = 40_075_016.686 * cos(puck.coordinate.latitude * .pi / 180) / (512 * exp2(zoom))
            #expect(2 * (try #require(puck.accuracy)) / metresPerPoint <= 320)
        }
    }

    @Test("a placed location is approximate for whoever is: within its circle, and not the place itself")
    func placedApproximate() throws {
        var bench = HubBench()
        let (id, root) = (bench.connect(HubBench.stranger), bench.connect(HubBench.root))
        bench.send(#"{"type":"subscribe"}"#, from: id)
        bench.drive(seconds: 150)
        let place = try #require(Coordinate(longitude: 9.123_456, latitude: 48.234_567))
        bench.send(#"{"type":"place","position":[9.123456,48.234567]}"#, from: root)
        // Not at once: when a place is taken is no more told than where.
        #expect(bench.pucks(to: id).allSatisfy { greatCircleDistance($0.coordinate, place) > 20_000 })
        bench.run(3_600)
        let puck = try #require(bench.pucks(to: id).last)
        #expect(puck.accuracyMode == .approximate && puck.heading == nil && puck.age == nil && !puck.discontinuity)
        let distance = greatCircleDistance(puck.coordinate, place)
        #expect(distance <= (try #require(puck.accuracy)) && distance > 1)
        let lines = (bench.lines[id] ?? []).joined()
        #expect(!lines.contains("9.1234") && !lines.contains("48.2345"))
        bench.send(#"{"type":"release"}"#, from: root)
        #expect(!(bench.lines[id] ?? []).joined().contains("provider"))
    }

    @Test("a view that all have left is as it was for a minute, and then forgotten")
    func forgotten() {
        var bench = HubBench()
        let (map, again) = (bench.connect(), bench.connect())
        bench.drive(seconds: 3)
        bench.send(#"{"type":"subscribe","view":"kiosk"}"#, from: map)
        bench.send(#"{"type":"track","view":"kiosk","mode":"follow"}"#, from: map)
        bench.send(#"{"type":"unsubscribe"}"#, from: map)
        bench.run(50)
        func mode(seenBy id: ClientID) -> TrackingMode? {
            bench.send(#"{"type":"subscribe","view":"kiosk"}"#, from: id)
            let told = bench.messages(to: id).last { if case .view = $0 { true } else { false } }
            bench.send(#"{"type":"unsubscribe"}"#, from: id)
            if case .view(let view)? = told { return view.mode }
            return nil
        }
        #expect(mode(seenBy: again) == .follow)
        bench.run(61)
        #expect(mode(seenBy: again) == TrackingMode.none)
    }
}
