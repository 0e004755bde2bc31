import Testing

@testable import PuckCore

@Suite("Views: overview") struct ViewsOverviewTests {
    private func geometry() throws -> ViewGeometry {
        ViewGeometry(coordinates: [try ViewsBench.place(8, 50), try ViewsBench.place(9, 50.5)])
    }

    @Test("An overview keeps a geometry in sight, as CameraFit has it, until something else is asked for")
    func overview() throws {
        var bench = try ViewsBench.withPucks()
        try bench.send(.viewport(Viewport(width: 400, height: 800)))
        var options = OverviewOptions(geometry: try geometry())
        options.padding = Padding(top: 50)
        options.geometryPadding = Padding(left: 20)
        options.bearing = 30
        options.pitch = 20
        #expect(try bench.send(.overview(options)) == [.transitionSucceeded])
        let expected = CameraFit(
            viewport: Viewport(width: 400, height: 800), padding: Padding(top: 50), geometryPadding: Padding(left: 20),
            bearing: 30, pitch: 20
        ).camera(for: options.geometry.coordinates)
        #expect(bench.camera() == expected)
        bench.drift = 0.1
        try bench.run(for: 10) { _, camera in #expect(camera == expected) }
        let current = bench.view.current(tier: .precise)
        #expect(current.mode == .none && current.status == .state && current.state == .overview)
        #expect(!bench.view.isAnimating(at: bench.instant, tier: .precise))
        #expect(try bench.send(.idle) == [.idleRequested])
        #expect(bench.camera() == nil)
    }

    @Test("It is fitted again when the screen changes, and a frame is due for it")
    func refit() throws {
        var bench = try ViewsBench.withPucks()
        try bench.send(.overview(OverviewOptions(geometry: try geometry())))
        let small = try #require(bench.camera()?.zoom)
        try bench.run(for: 2)
        #expect(try bench.send(.viewport(Viewport(width: 1280, height: 1280))) == [])
        #expect(abs(try #require(bench.camera()?.zoom) - small - 2) < 1e-9)
        #expect(bench.view.isAnimating(at: bench.instant, tier: .precise))
    }

    @Test("It is eased to in its duration, from following too, and refitted on the way")
    func eased() throws {
        var bench = try ViewsBench.withPucks()
        try bench.send(.follow(FollowOptions(), transition: .immediate))
        var options = OverviewOptions(geometry: try geometry())
        options.duration = 2
        #expect(try bench.send(.overview(options)) == [.transitionStarted])
        #expect(bench.view.mode == .none)
        #expect(abs(try #require(bench.camera()?.zoom) - 16.35) < 1e-9)
        try bench.run(for: 1)
        try bench.send(.viewport(Viewport(width: 700, height: 500)))
        try bench.run(for: 1)
        #expect(bench.camera() == TierView.fit(options, in: Viewport(width: 700, height: 500)))
        #expect(bench.told() == [.transitionSucceeded, .transitionStarted, .transitionSucceeded])
    }

    @Test("Where a new screen has no room for it, it is over, and that is said")
    func noRoom() throws {
        var bench = try ViewsBench.withPucks()
        try bench.send(.viewport(Viewport(width: 400, height: 800)))
        var options = OverviewOptions(geometry: try geometry())
        options.padding = Padding(left: 150, right: 150)
        try bench.send(.overview(options))
        #expect(try bench.send(.viewport(Viewport(width: 300, height: 800))) == [.transitionFailed])
        #expect(bench.camera() == nil)
        #expect(bench.view.current(tier: .precise).status == .idle)
    }

    @Test("Where there is no room from the start it is refused, and nothing has changed")
    func refused() throws {
        var bench = try ViewsBench.withPucks()
        try bench.send(.track(.follow))
        let before = bench.view
        var options = OverviewOptions(geometry: try geometry())
        options.padding = Padding(left: 160, right: 160)
        let result = bench.view.handle(
            .overview(options), cause: ViewsBench.preciseClient, at: bench.instant, pucks: bench.pucks)
        #expect(
            result
                == .failure(
                    .badValue(field: "padding", expected: "room for the geometry inside padding and geometryPadding")))
        #expect(bench.view == before)
    }
}
