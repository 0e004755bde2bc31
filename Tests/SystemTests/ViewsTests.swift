import PuckCore
import PuckTestKit
import PuckWire
import Testing

/// C1 to C8 on a real puckd, through its socket. The location is placed, so that the test says where the puck is.
@Suite("Views through the socket") struct ViewsTests {
    private let puckd: PuckdBench
    init() throws { puckd = try PuckdBench(gpsdPort: try freePort()) }

    @Test("C1 puck and camera of a frame share one instant and one number: the camera is on the puck")
    func oneInstant() throws {
        let map = try ViewClient(puckd)
        try map.place(8.5, 47.4)
        try map.subscribe(#""rate":60"#)
        try map.ask(#""type":"follow","transition":"immediate""#)
        for i in 1...20 {
            let longitude = Double(8_500 + i) / 1_000
            try map.place(longitude, 47.4)
            let frame = try map.frame { $0.puck?.coordinate.longitude == longitude }
            #expect(frame.camera?.center == frame.puck?.coordinate)
        }
        let numbers = map.frames.map(\.sequence)
        #expect(numbers == Array(1...UInt64(numbers.count)))
    }

    @Test("C2 after idle, or a pan, is answered no camera comes from following, nor from a transition on its way")
    func letGo() throws {
        let map = try ViewClient(puckd)
        try map.place(8.5, 47.4)
        try map.subscribe()
        let ends = [#""type":"idle""#, #""type":"gesture","kind":"pan","phase":"began""#]
        for (n, end) in ends.enumerated() {
            try map.ask(#""type":"follow","transition":"immediate""#)
            try map.frame { $0.camera != nil }
            // On its way to a closer zoom when it is let go.
            try map.ask(#""type":"follow","zoom":\#(10 + n)"#)
            try map.change { $0.reason == .transitionStarted }
            try map.ask(end)
            let after = try map.messagesFromNow {
                for i in 1...30 {
                    let longitude = Double(8_500 + i + 100 * n) / 1_000
                    try map.place(longitude, 47.4)
                    try map.frame { $0.puck?.coordinate.longitude == longitude }
                }
            }
            #expect(map.frames.count >= 30)
            #expect(map.frames.allSatisfy { $0.camera == nil })
            let reasons = after.compactMap { if case .view(let view) = $0 { view.reason } else { nil } }
            #expect(Set(reasons).isSubset(of: [.transitionCancelled, n == 0 ? .idleRequested : .userInteraction]))
        }
    }

    @Test("C3 the button goes round the modes; each change is told to all who watch, with its reason and who caused it")
    func button() throws {
        let (map, wall, button, other) = (
            try ViewClient(puckd), try ViewClient(puckd), try ViewClient(puckd), try ViewClient(puckd)
        )
        try map.place(8.5, 47.4)
        for watcher in [map, wall] { try watcher.subscribe(#""view":"map""#) }
        try other.subscribe()
        for mode in [TrackingMode.follow, .followWithHeading, .followWithCourse, .none] {
            let request = try button.ask(#""type":"track","view":"map","mode":"next""#)
            for watcher in [map, wall] {
                let change = try watcher.change { $0.cause.request == request }
                #expect(change.mode == mode && change.view == "map")
                // The third client that connected.
                #expect(change.cause.client == 3)
                #expect(mode != .none || change.reason == .idleRequested)
            }
        }
        try map.ask(#""type":"fly","view":"map","camera":{"center":[9,48],"zoom":10},"duration":100"#)
        #expect(try wall.change { $0.state == .camera }.reason == .transitionStarted)
        try map.ask(#""type":"gesture","view":"map","kind":"pinch","phase":"began""#)
        #expect(try wall.change().reason == .transitionCancelled)
        #expect(try wall.change().reason == .userInteraction)
        try map.ask(#""type":"ease","view":"map","camera":{"zoom":11},"duration":0.05"#)
        #expect(try wall.change().reason == .transitionStarted)
        #expect(try wall.change().reason == .transitionSucceeded)
        // Nobody else is told.
        let rest = try other.messagesFromNow {}
        #expect(!rest.contains { if case .view(let view) = $0 { view.reason != .current } else { false } })
    }

    @Test(
        "C4 options hold from the next frame on; an axis given to the client is never sent, so the user's zoom survives"
    )
    func options() throws {
        let map = try ViewClient(puckd)
        try map.place(8.5, 47.4)
        try map.subscribe()
        try map.ask(
            #""type":"follow","zoom":15,"bearing":20,"pitch":30,"padding":{"bottom":240},"transition":"immediate""#)
        let first = try map.frame { $0.camera != nil }
        #expect(first.camera?.zoom == 15 && first.camera?.bearing == 20 && first.camera?.pitch == 30)
        #expect(first.camera?.padding == Padding(bottom: 240))
        try map.ask(#""type":"follow","zoom":null,"pitch":10,"transition":"immediate""#)
        map.forget()
        for mode in ["followWithHeading", "followWithCourse", "none", "follow"] {
            try map.ask(#""type":"track","mode":"\#(mode)""#)
            try map.place(8.5 + Double(mode.count) / 100, 47.4, #""heading":90"#)
        }
        try map.frame { $0.camera?.center == $0.puck?.coordinate }
        let cameras = map.frames.compactMap(\.camera)
        #expect(!cameras.isEmpty && cameras.allSatisfy { $0.zoom == nil && $0.pitch == 10 })
    }

    @Test("C5 a transition skips what has nothing to do: with nothing to do at all it is there at once")
    func nothingToDo() throws {
        let map = try ViewClient(puckd)
        try map.place(8.5, 47.4)
        try map.subscribe()
        try map.ask(#""type":"follow","zoom":15,"bearing":0,"pitch":0,"transition":"immediate""#)
        try map.change { $0.status == .state }
        // Only the tilt moves: 45°/s.
        try map.ask(#""type":"follow","pitch":45"#)
        let begun = try map.change { $0.reason == .transitionStarted }
        #expect(begun.status == .transition)
        let (start, end) = try timed(map) { try map.change { $0.reason == .transitionSucceeded } }
        #expect(end - start < 2)
        let quiet = try map.messagesFromNow { try map.ask(#""type":"follow","pitch":45"#) }
        #expect(!quiet.contains { if case .view = $0 { true } else { false } })
    }

    @Test(
        "C6 a pan ends tracking; a rotation drops to follow; pinch, pitch and double tap keep the mode, and take their axis"
    )
    func gestures() throws {
        let map = try ViewClient(puckd)
        try map.place(8.5, 47.4, #""heading":90"#)
        try map.subscribe()
        let cases: [(kind: String, mode: TrackingMode, zoom: Bool, bearing: Bool, pitch: Bool)] = [
            ("pinch", .followWithHeading, false, true, true), ("doubleTap", .followWithHeading, false, true, true),
            ("pitch", .followWithHeading, true, true, false), ("rotate", .follow, true, false, true),
        ]
        for (n, expected) in cases.enumerated() {
            try map.ask(#""type":"idle""#)
            try map.ask(#""type":"follow","zoom":15,"bearing":"heading","pitch":30,"transition":"immediate""#)
            try map.ask(#""type":"gesture","kind":"\#(expected.kind)","phase":"began""#)
            try map.ask(#""type":"gesture","kind":"\#(expected.kind)","phase":"ended","camera":{"zoom":13.5}"#)
            let longitude = Double(860 + n) / 100
            try map.place(longitude, 47.4, #""heading":90"#)
            let frame = try map.frame { $0.puck?.coordinate.longitude == longitude }
            let camera = try #require(frame.camera)
            #expect((camera.zoom != nil) == expected.zoom, "\(expected)")
            #expect((camera.bearing != nil) == expected.bearing, "\(expected)")
            #expect((camera.pitch != nil) == expected.pitch, "\(expected)")
            try map.ask(#""type":"gesture","kind":"pan","phase":"began""#)
            let change = try map.change { $0.mode == .none && $0.reason == .userInteraction }
            #expect(change.status == .idle)
            let modes = map.log.compactMap { if case .view(let view) = $0 { view.mode } else { nil } }
            #expect(modes.dropLast().last == expected.mode, "\(expected)")
            try map.ask(#""type":"gesture","kind":"pan","phase":"ended""#)
        }
    }

    @Test("C7 follow's defaults; entering below zoom 10.5 flies to 14, else the zoom is kept; 3.5 s at most")
    func entering() throws {
        let map = try ViewClient(puckd)
        try map.place(8.5, 47.4, #""heading":90"#)
        try map.subscribe(#""rate":30"#)
        try map.ask(#""type":"ease","camera":{"center":[2,48],"zoom":5,"bearing":0},"duration":0"#)
        try map.ask(#""type":"track","mode":"follow""#)
        let (start, end) = try timed(map) { try map.change { $0.reason == .transitionSucceeded && $0.mode == .follow } }
        #expect(end - start > 0.3 && end - start < 3.5 + 1)
        // The last of it came with the news or after; a move of the puck makes one more in any case.
        try map.place(8.501, 47.4, #""heading":90"#)
        #expect(try map.frame { $0.camera?.center?.longitude == 8.501 }.camera?.zoom == 14)
        let zooms = map.frames.compactMap { $0.camera?.zoom }
        #expect(zooms.allSatisfy { $0 <= 14.000_01 })

        try map.ask(#""type":"ease","camera":{"center":[8.5001,47.4],"zoom":12},"duration":0"#)
        try map.ask(#""type":"track","mode":"follow""#)
        try map.change { $0.reason == .transitionSucceeded && $0.mode == .follow }
        map.forget()
        try map.place(8.5005, 47.4, #""heading":90"#)
        #expect(try map.frame { $0.camera?.center?.longitude == 8.5005 }.camera?.zoom == nil)

        try map.ask(#""type":"idle""#)
        try map.ask(#""type":"follow","transition":"immediate""#)
        let camera = try #require(try map.frame { $0.camera != nil }.camera)
        #expect(camera.zoom == 16.35 && camera.pitch == 45 && camera.bearing == 90)
    }

    @Test("C7 ease is easeOut: past its middle in half its time; a turn through north is 20°, not 340°")
    func easing() throws {
        let map = try ViewClient(puckd)
        try map.subscribe(#""rate":60,"include":["camera"]"#)
        try map.ask(#""type":"ease","camera":{"zoom":10,"bearing":350},"duration":0"#)
        try map.ask(#""type":"ease","camera":{"zoom":12,"bearing":10},"duration":1"#)
        try map.change { $0.reason == .transitionStarted }
        map.forget()
        try map.change { $0.reason == .transitionSucceeded }
        let bearings = map.frames.compactMap { $0.camera?.bearing }
        #expect(bearings.count > 10 && bearings.allSatisfy { $0 >= 349.99 || $0 <= 10.01 })
        let zooms = map.frames.compactMap { $0.camera?.zoom }
        // Frames are evenly apart: more of them are in the second half of the way.
        #expect(zooms == zooms.sorted())
        #expect(zooms.count { $0 > 11 } > zooms.count { $0 < 11 })
    }

    @Test("C8 a marker sent elsewhere in mid-flight goes on from where it is, by the short way over the antimeridian")
    func marker() throws {
        let map = try ViewClient(puckd)
        try map.subscribe(#""rate":60,"include":["markers"]"#)
        try map.ask(#""type":"marker","marker":"m","position":[179.9,0]"#)
        try map.ask(#""type":"marker","marker":"m","position":[-179.9,0]"#)
        func east(_ frame: Frame) -> Double? {
            frame.markers?.first.map { ($0.coordinate.longitude + 360).truncatingRemainder(dividingBy: 360) - 180 }
        }
        // Over the line it turns off to the north.
        try map.frame { east($0).map { $0 > 0 } ?? false }
        let turned = try #require(map.frames.last?.markers?.first?.coordinate)
        try map.ask(#""type":"marker","marker":"m","position":[179.9,0.2]"#)
        let last = try map.frame { $0.markers?.first.map { !$0.moving && $0.coordinate.latitude > 0 } ?? false }
        let way = map.frames.compactMap { $0.markers?.first?.coordinate }
        #expect(last.markers?.first?.coordinate == Coordinate(longitude: 179.9, latitude: 0.2))
        #expect(map.frames.compactMap(east).allSatisfy { abs($0) <= 0.101 })
        // It has not jumped: two seconds for 0.2°, 60 frames a second, and a busy machine may skip many.
        let after = try #require(way.first { $0.latitude > 0 })
        #expect(greatCircleDistance(turned, after) < 12_000)
        let steps = zip(way, way.dropFirst()).map { greatCircleDistance($0, $1) }
        #expect(steps.allSatisfy { $0 < 12_000 })
    }

    @Test("a placed location: the heading is the geodesic's; take-over, far move and return are discontinuities")
    func placing() throws {
        let map = try ViewClient(puckd)
        try map.subscribe()
        try map.place(8, 50)
        #expect(try map.frame { $0.puck != nil }.puck?.discontinuity == true)
        try map.place(9, 51)
        let moved = try #require(try map.frame { $0.puck?.coordinate.latitude == 51 }.puck)
        // GeodSolve -i: 50 8 51 9 sets out at 32.14539363725°.
        #expect(moved.heading?.degrees == 32.145 && moved.bearingSource == .heading && moved.discontinuity)
        #expect(moved.northReference == .true)
        try map.ask(#""type":"release""#)
        #expect(try map.frame { $0.puck == nil }.puck == nil)
    }

    @Test("a view is made by its first watcher; until then, and by name only, it can't be steered")
    func unknownView() throws {
        let (map, button) = (try ViewClient(puckd), try ViewClient(puckd))
        func code() throws -> ErrorCode? {
            do {
                try button.ask(#""type":"track","view":"map","mode":"next""#)
                return nil
            } catch let error as ErrorMessage { return error.code }
        }
        #expect(try code() == .unknownView)
        try map.subscribe(#""view":"map""#)
        #expect(try code() == nil)
    }

    /// When something began and ended, seconds, by the daemon's clock.
    private func timed(_ client: ViewClient, _ work: () throws -> Void) throws -> (start: Double, end: Double) {
        let start = try client.monotonic()
        try work()
        return (start, try client.monotonic())
    }
}

extension ViewClient {
    /// The daemon's monotonic clock, seconds.
    fileprivate func monotonic() throws -> Double {
        try ask(#""type":"ping""#)
        guard case .ok(_, .pong(let moment)) = log.last else { throw KitError("no pong") }
        return moment.monotonic.seconds
    }
}
