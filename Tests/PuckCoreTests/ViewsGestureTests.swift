import Testing

@testable import PuckCore

@Suite("Views: gestures") struct ViewsGestureTests {
    static let followingModes = TrackingMode.allCases.filter { $0 != .none }

    private func following(_ mode: TrackingMode) throws -> ViewsBench {
        var bench = try ViewsBench.withPucks()
        bench.precise?.bearing = Direction(60)
        bench.precise?.drawnCourse = Direction(90)
        var options = FollowOptions()
        options.zoom = .set(15)
        try bench.send(.follow(options, transition: .immediate))
        try bench.send(.track(mode))
        try bench.run(for: 4)
        _ = bench.told()
        return bench
    }

    @Test("C2 After idle is answered no camera comes from following, and no late timer moves it")
    func idle() throws {
        var bench = try following(.followWithCourse)
        #expect(try bench.send(.idle) == [.idleRequested])
        bench.drift = 0.01
        try bench.run(for: 30) { _, camera in #expect(camera == nil) }
        #expect(bench.told() == [.idleRequested])
        #expect(bench.view.deadline == nil)
    }

    @Test("C2 Nor does one come of a transition that idle called off, or of one that waits for a position")
    func idleInTransition() throws {
        var bench = try following(.follow)
        try bench.send(.track(.followWithHeading))
        #expect(bench.view.current(tier: .precise).status == .transition)
        #expect(try bench.send(.idle) == [.transitionCancelled, .idleRequested])
        try bench.run(for: 10) { _, camera in #expect(camera == nil) }

        bench.precise = nil
        try bench.send(.track(.follow))
        #expect(try bench.send(.idle) == [.transitionCancelled, .idleRequested])
        bench.precise = try ViewsBench.withPucks().precise
        _ = bench.told()
        try bench.run(for: 10) { _, camera in #expect(camera == nil) }
        #expect(bench.told() == [])
    }

    @Test("C2 Idle of an idle view changes nothing")
    func idleTwice() throws {
        var bench = try following(.follow)
        try bench.send(.idle)
        #expect(try bench.send(.idle) == [])
    }

    @Test("C6 A pan ends tracking at its first word", arguments: followingModes)
    func pan(mode: TrackingMode) throws {
        var bench = try following(mode)
        #expect(try bench.send(.gesture(.pan, phase: .began, camera: nil)) == [.userInteraction])
        #expect(bench.view.mode == .none)
        #expect(bench.camera() == nil)
        bench.drift = 0.01
        try bench.run(for: 5) { _, camera in #expect(camera == nil) }
        #expect(try bench.send(.gesture(.pan, phase: .ended, camera: nil)) == [])
    }

    @Test("C6 A pan ends a transition, too")
    func panInTransition() throws {
        var bench = try following(.follow)
        try bench.send(.track(.followWithHeading))
        #expect(
            try bench.send(.gesture(.pan, phase: .began, camera: nil)) == [.transitionCancelled, .userInteraction])
        #expect(bench.camera() == nil)
    }

    @Test("C6 A rotation drops rotation and goes on following; the bearing is the hand's")
    func rotate() throws {
        var bench = try following(.followWithCourse)
        let events = try bench.send(.gesture(.rotate, phase: .began, camera: nil))
        #expect(events == [.userInteraction])
        #expect(bench.view.mode == .follow)
        let camera = try #require(bench.camera())
        #expect(camera.center == bench.precise?.coordinate)
        #expect(camera.bearing == nil)
        #expect(camera.zoom == 15)
        // Asked for again, the course is up again.
        try bench.send(.track(.followWithCourse))
        try bench.run(for: 4)
        #expect(bench.camera()?.bearing == 90)
    }

    @Test("C6 In mode follow a rotation takes the bearing, and there is nothing to tell")
    func rotateNorth() throws {
        var bench = try following(.follow)
        #expect(try bench.send(.gesture(.rotate, phase: .began, camera: nil)) == [])
        #expect(try #require(bench.camera()).bearing == nil)
    }

    @Test(
        "C6 Pinch and double tap keep the mode, and the zoom is then the user's",
        arguments: [
            GestureKind.pinch, .doubleTap,
        ])
    func pinch(kind: GestureKind) throws {
        var bench = try following(.followWithCourse)
        #expect(try bench.send(.gesture(kind, phase: .began, camera: Camera(zoom: 12))) == [])
        #expect(bench.view.mode == .followWithCourse)
        bench.drift = 0.001
        try bench.run(for: 3) { _, camera in
            let camera = try #require(camera)
            #expect(camera.zoom == nil)
            #expect(camera.center != nil && camera.bearing == 90 && camera.pitch == 45)
        }
        // Through other modes of following, too.
        try bench.send(.track(.follow))
        try bench.run(for: 4) { _, camera in #expect(camera?.zoom == nil) }
        // Until a client names a zoom: then it starts from where the hand left it.
        var options = FollowOptions()
        options.zoom = .set(14)
        try bench.send(.follow(options, transition: .default))
        #expect(bench.camera()?.zoom == 12)
        try bench.run(for: 4)
        #expect(bench.camera()?.zoom == 14)
    }

    @Test("C6 A pitch gesture keeps the mode, and the tilt is then the user's")
    func pitch() throws {
        var bench = try following(.followWithHeading)
        #expect(try bench.send(.gesture(.pitch, phase: .began, camera: nil)) == [])
        let camera = try #require(bench.camera())
        #expect(camera.pitch == nil && camera.zoom == 15 && camera.bearing == 60)
    }

    @Test("What a hand took comes back with the next following")
    func again() throws {
        var bench = try following(.follow)
        try bench.send(.gesture(.pinch, phase: .began, camera: Camera(zoom: 12)))
        try bench.send(.gesture(.pan, phase: .began, camera: nil))
        try bench.send(.track(.follow))
        try bench.run(for: 4)
        #expect(bench.camera()?.zoom == 15)
    }

    @Test("A pinch in the middle of a transition takes the zoom and leaves the rest")
    func pinchInTransition() throws {
        var bench = try following(.follow)
        var options = FollowOptions()
        options.zoom = .set(18)
        options.pitch = .set(0)
        try bench.send(.follow(options, transition: .default))
        try bench.run(for: 1)
        #expect(try bench.send(.gesture(.pinch, phase: .changed, camera: nil)) == [])
        let camera = try #require(bench.camera())
        #expect(camera.zoom == nil)
        #expect(try #require(camera.pitch) < 45)
        try bench.run(for: 4)
        #expect(bench.camera()?.pitch == 0)
    }

    @Test("A late `ended` does not end a following that was asked for since")
    func late() throws {
        var bench = try following(.follow)
        try bench.send(.gesture(.pan, phase: .began, camera: nil))
        try bench.send(.track(.follow))
        #expect(try bench.send(.gesture(.pan, phase: .ended, camera: nil)) == [])
        #expect(bench.view.mode == .follow)
        // Whereas one that tells of a whole gesture does.
        #expect(
            try bench.send(.gesture(.pan, phase: .ended, camera: nil)).contains(.userInteraction))
        #expect(bench.view.mode == .none)
    }

    @Test("A hand on the map ends a flight and an overview, whatever it does", arguments: GestureKind.allCases)
    func others(kind: GestureKind) throws {
        var bench = try ViewsBench.withPucks()
        try bench.tell(Camera(center: bench.precise?.coordinate, zoom: 10))
        try bench.send(.fly(Camera(center: try ViewsBench.place(1, 1), zoom: 10), duration: nil, curve: nil))
        #expect(
            try bench.send(.gesture(kind, phase: .began, camera: nil)) == [.transitionCancelled, .userInteraction])
        #expect(bench.camera() == nil)
        let geometry = ViewGeometry(coordinates: [try ViewsBench.place(1, 1), try ViewsBench.place(2, 2)])
        try bench.send(.gesture(kind, phase: .ended, camera: nil))
        var options = OverviewOptions(geometry: geometry)
        options.duration = 0
        try bench.send(.overview(options))
        #expect(bench.camera() != nil)
        #expect(try bench.send(.gesture(kind, phase: .began, camera: nil)) == [.userInteraction])
        #expect(bench.camera() == nil)
    }

    @Test("Clients that never say `ended` do not fill the memory")
    func bounded() {
        var gestures = GestureTracking()
        for client in 0..<10_000 { _ = gestures.update(.pan, .began, of: UInt64(client)) }
        #expect(gestures.update(.pan, .ended, of: 0) == false)
        #expect(gestures.update(.pan, .ended, of: 9999) == true)
    }
}
