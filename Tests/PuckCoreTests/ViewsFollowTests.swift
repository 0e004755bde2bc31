import Testing

@testable import PuckCore

@Suite("Views: following") struct ViewsFollowTests {
    private func place(_ longitude: Double, _ latitude: Double) throws -> Coordinate {
        try ViewsBench.place(longitude, latitude)
    }

    @Test("A view that nobody has touched owns nothing, and says so to a new watcher")
    func untouched() throws {
        let bench = try ViewsBench.withPucks()
        #expect(bench.camera() == nil)
        #expect(bench.camera(.approximate) == nil)
        #expect(bench.view.deadline == nil)
        let current = bench.view.current(tier: .precise)
        #expect(current.view == "map")
        #expect(current.mode == .none && current.status == .idle && current.state == nil)
        #expect(current.reason == .current)
    }

    @Test("The button goes round all modes, and each change is told with its reason and who caused it")
    func cycle() throws {
        var bench = try ViewsBench.withPucks()
        bench.precise?.drawnCourse = Direction(90)
        bench.precise?.bearing = Direction(80)
        var modes: [TrackingMode] = []
        for _ in 0..<4 {
            try bench.send(.trackNext)
            modes.append(bench.view.mode)
            try bench.run(for: 4)
        }
        #expect(modes == [.follow, .followWithHeading, .followWithCourse, .none])
        let precise = bench.log.filter { $0.tier == .precise }
        #expect(precise.allSatisfy { $0.cause == ViewsBench.preciseClient })
        #expect(
            precise.map(\.reason) == [
                .transitionSucceeded, .transitionStarted, .transitionSucceeded, .transitionStarted,
                .transitionSucceeded, .idleRequested,
            ])
        #expect(
            precise.map(\.mode) == [
                .follow, .followWithHeading, .followWithHeading, .followWithCourse, .followWithCourse, .none,
            ])
        #expect(precise.map(\.status) == [.state, .transition, .state, .transition, .state, .idle])
        #expect(precise.map(\.state) == [.follow, .follow, .follow, .follow, .follow, nil])
    }

    @Test("Asking for the mode that is changes nothing and says nothing")
    func same() throws {
        var bench = try ViewsBench.withPucks()
        try bench.send(.track(.follow))
        let before = bench.view
        #expect(try bench.send(.track(.follow)) == [])
        #expect(bench.view == before)
    }

    @Test("C1 The camera of a frame is of the frame's puck: its centre is exactly there")
    func center() throws {
        var bench = try ViewsBench.withPucks()
        try bench.send(.track(.follow))
        bench.drift = 0.001
        try bench.run(for: 2) { frame, camera in
            let camera = try #require(camera)
            #expect(camera.center == frame.precise?.coordinate)
        }
    }

    @Test("C7 Following the puck is by default at zoom 16.35, tilted by 45°, its heading up")
    func defaults() throws {
        var bench = try ViewsBench.withPucks()
        bench.precise?.bearing = Direction(80)
        bench.precise?.drawnCourse = Direction(90)
        try bench.send(.follow(FollowOptions(), transition: .immediate))
        #expect(bench.view.mode == .followWithHeading)
        #expect(try bench.camera() == Camera(center: place(8, 50), zoom: 16.35, bearing: 80, pitch: 45))
    }

    @Test("C7 Entering follow below zoom 10.5 flies to 14")
    func closer() throws {
        var bench = try ViewsBench.withPucks()
        try bench.tell(Camera(center: try place(8.001, 50), zoom: 10.4, bearing: 0, pitch: 0))
        #expect(try bench.send(.track(.follow)) == [.transitionStarted])
        try bench.run(for: 4)
        #expect(bench.camera()?.zoom == 14)
    }

    @Test("C7 From zoom 10.5 on the zoom is kept: it is not sent at all")
    func kept() throws {
        var bench = try ViewsBench.withPucks()
        try bench.tell(Camera(center: try place(8.001, 50), zoom: 10.5, bearing: 0, pitch: 0))
        try bench.send(.track(.follow))
        try bench.run(for: 4) { _, camera in #expect(camera?.zoom == nil) }
    }

    @Test("C7 A zoom that is kept over a great distance is flown out of and into again")
    func keptFar() throws {
        var bench = try ViewsBench.withPucks()
        try bench.tell(Camera(center: try place(80, -20), zoom: 15, bearing: 0, pitch: 0))
        try bench.send(.track(.follow))
        var lowest = 15.0
        try bench.run(for: 4) { _, camera in lowest = min(lowest, camera?.zoom ?? lowest) }
        #expect(lowest < 5)
        #expect(bench.camera()?.zoom == 15)
        #expect(bench.camera()?.center == bench.precise?.coordinate)
    }

    @Test("C4 An axis given to the client is never sent, whatever else happens")
    func never() throws {
        var bench = try ViewsBench.withPucks()
        try bench.tell(Camera(center: try place(8.01, 50), zoom: 3, bearing: 30, pitch: 10))
        var options = FollowOptions()
        options.zoom = .client
        options.pitch = .client
        try bench.send(.follow(options, transition: .default))
        try bench.run(for: 4) { _, camera in
            #expect(camera?.center != nil)
            #expect(camera?.zoom == nil && camera?.pitch == nil)
        }
        try bench.send(.track(.none))
        try bench.send(.track(.followWithCourse))
        try bench.run(for: 4) { _, camera in #expect(camera?.zoom == nil && camera?.pitch == nil) }
    }

    @Test("C4 An option applies from the next frame, and says nothing where the mode stays")
    func next() throws {
        var bench = try ViewsBench.withPucks()
        try bench.send(.follow(FollowOptions(), transition: .immediate))
        var options = FollowOptions()
        options.zoom = .set(12)
        options.padding = .set(Padding(top: 100))
        #expect(try bench.send(.follow(options, transition: .immediate)) == [])
        #expect(bench.camera()?.zoom == 12)
        #expect(bench.camera()?.padding == Padding(top: 100))
        #expect(bench.camera()?.pitch == 45)
        #expect(bench.view.isAnimating(at: bench.instant, tier: .precise))
    }

    @Test("C4 With the default transition an option is eased to")
    func eased() throws {
        var bench = try ViewsBench.withPucks()
        try bench.send(.follow(FollowOptions(), transition: .immediate))
        var options = FollowOptions()
        options.zoom = .set(12)
        #expect(try bench.send(.follow(options, transition: .default)) == [.transitionStarted])
        #expect(bench.camera()?.zoom == 16.35)
        var last = 16.35
        try bench.run(for: 4) { _, camera in
            let zoom = try #require(camera?.zoom)
            #expect(zoom <= last)
            last = zoom
        }
        #expect(last == 12)
        #expect(bench.told().last == .transitionSucceeded)
    }

    @Test("What is up is by the mode; what is unknown is left out, never north for want of one")
    func bearings() throws {
        var bench = try ViewsBench.withPucks()
        try bench.send(.track(.followWithHeading))
        #expect(try #require(bench.camera()).bearing == nil)
        bench.precise?.bearing = Direction(70)
        bench.precise?.bearingSource = .course
        try bench.run(for: 4.1)
        #expect(bench.camera()?.bearing == 70)
        // The bearing that the arrow shows turns to a heading; the heading itself is where it turns to.
        bench.precise?.heading = Direction(60)
        bench.precise?.bearingSource = .heading
        bench.precise?.bearing = Direction(69)
        #expect(bench.camera()?.bearing == 69)

        // A heading is no course.
        try bench.send(.track(.followWithCourse))
        try bench.run(for: 3)
        #expect(try #require(bench.camera()).bearing == nil)
        bench.precise?.drawnCourse = Direction(61)
        try bench.run(for: 3)
        #expect(bench.camera()?.bearing == 61)
        bench.precise?.course = Direction(0)
        bench.precise?.drawnCourse = Direction(60)
        #expect(bench.camera()?.bearing == 60)
    }

    @Test("Mode follow has north up, or what was set")
    func north() throws {
        var bench = try ViewsBench.withPucks()
        bench.precise?.bearing = Direction(60)
        try bench.send(.track(.follow))
        #expect(bench.camera()?.bearing == 0)
        var options = FollowOptions()
        options.bearing = .set(.constant(123))
        try bench.send(.follow(options, transition: .immediate))
        #expect(bench.view.mode == .follow)
        #expect(bench.camera()?.bearing == 123)
        options.bearing = .client
        try bench.send(.follow(options, transition: .immediate))
        #expect(try #require(bench.camera()).bearing == nil)
        options.bearing = .set(.course)
        try bench.send(.follow(options, transition: .immediate))
        #expect(bench.view.mode == .followWithCourse)
    }

    @Test("A follow that names nothing comes back to what the last one named")
    func unnamed() throws {
        var bench = try ViewsBench.withPucks()
        var options = FollowOptions()
        options.bearing = .set(.constant(10))
        options.zoom = .set(15)
        try bench.send(.follow(options, transition: .immediate))
        try bench.send(.idle)
        try bench.send(.follow(FollowOptions(), transition: .immediate))
        #expect(bench.view.mode == .follow)
        #expect(try bench.camera() == Camera(center: place(8, 50), zoom: 15, bearing: 10, pitch: 45))
    }

    @Test("A course that comes to be known is turned to, not jumped to")
    func swing() throws {
        var bench = try ViewsBench.withPucks()
        try bench.tell(Camera(center: try place(8, 50), zoom: 16, bearing: 350, pitch: 0))
        try bench.send(.track(.followWithCourse))
        try bench.run(for: 1)
        #expect(try #require(bench.camera()).bearing == nil)
        _ = bench.told()
        bench.precise?.drawnCourse = Direction(100)
        var last = 350.0
        try bench.run(for: 4.1) { _, camera in
            let bearing = try #require(camera?.bearing)
            #expect(abs(shortestTurn(from: last, to: bearing)) < 0.6)
            #expect(shortestTurn(from: last, to: bearing) >= 0)
            last = bearing
        }
        #expect(last == 100)
        // It is part of following: nothing has changed that would have to be told.
        #expect(bench.told() == [])
        // And it does not linger: the course is followed exactly from then on.
        bench.precise?.drawnCourse = Direction(110)
        #expect(bench.camera()?.bearing == 110)
    }

    @Test("A position that is lost leaves no camera, and one that returns is followed where it is")
    func lost() throws {
        var bench = try ViewsBench.withPucks()
        try bench.send(.track(.follow))
        try bench.run(for: 1)
        bench.precise = nil
        try bench.run(for: 60) { _, camera in #expect(camera == nil) }
        #expect(bench.view.mode == .follow)
        bench.precise = Puck(state: .live, accuracyMode: .precise, coordinate: try place(8.1, 50), accuracy: 3)
        #expect(try bench.camera()?.center == place(8.1, 50))
        #expect(bench.told() == [.transitionSucceeded])
    }

    @Test("Standing still makes no frames: one second after the last change it is over")
    func rest() throws {
        var bench = try ViewsBench.withPucks()
        try bench.send(.track(.follow))
        #expect(bench.view.isAnimating(at: bench.instant, tier: .precise))
        try bench.run(for: 1.1)
        #expect(!bench.view.isAnimating(at: bench.instant, tier: .precise))
        #expect(bench.view.deadline == nil)
    }
}
