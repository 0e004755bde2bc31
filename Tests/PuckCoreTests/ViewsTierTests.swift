import Testing

@testable import PuckCore

/// What an approximate watcher of a view gets: made of the published point alone.
@Suite("Views: accuracy tiers") struct ViewsTierTests {
    private func place(_ longitude: Double, _ latitude: Double) throws -> Coordinate {
        try ViewsBench.place(longitude, latitude)
    }
    private static let precise = ViewsBench.preciseClient
    private static let approximate = ViewsBench.approximateClient

    /// A view that runs through everything a precise client can do, along one drive of the precise puck.
    private func drive(seed: UInt64) throws -> [(Camera?, [ViewEvent], [Marker])] {
        var random = SeededGenerator(seed: seed)
        var bench = try ViewsBench.withPucks()
        var seen: [(Camera?, [ViewEvent], [Marker])] = []
        // The same commands at the same times, whatever the drive: only what they say of places differs.
        var script = SeededGenerator(seed: 1)
        for _ in 0..<120 {
            let here = try place(8 + random.next(in: -1...1), 50 + random.next(in: -1...1))
            if script.next() % 4 == 0 {
                bench.precise = nil
            } else {
                bench.precise = Puck(state: .live, accuracyMode: .precise, coordinate: here, accuracy: 3)
                bench.precise?.drawnCourse = Direction(random.next(in: 0...360))
                bench.precise?.bearing = Direction(random.next(in: 0...360))
                bench.precise?.speed = random.next(in: 0...40)
            }
            let camera = Camera(
                center: here, zoom: random.next(in: 10...18), bearing: random.next(in: 0...359),
                pitch: random.next(in: 0...60))
            var options = FollowOptions()
            options.zoom = .set(random.next(in: 10...18))
            options.bearing = .set(.constant(random.next(in: 0...359)))
            options.pitch = .set(random.next(in: 0...60))
            options.padding = .set(Padding(top: random.next(in: 0...100)))
            var overview = OverviewOptions(geometry: ViewGeometry(coordinates: [here]))
            overview.bearing = random.next(in: 0...359)
            let commands: [ViewCommand] = [
                .trackNext, .track(.follow), .track(.followWithCourse), .follow(options, transition: .default),
                .follow(FollowOptions(), transition: .default), .ease(camera, duration: 1, curve: nil),
                .ease(Camera(zoom: camera.zoom, bearing: camera.bearing), duration: 1, curve: nil),
                .fly(camera, duration: nil, curve: nil), .overview(overview),
                .gesture(.pan, phase: .began, camera: camera), .gesture(.pan, phase: .ended, camera: camera),
                .gesture(.pinch, phase: .changed, camera: camera), .gesture(.rotate, phase: .began, camera: camera),
                .gesture(.pitch, phase: .began, camera: camera), .idle,
                .marker(name: "me", to: here, duration: 2, curve: .linear),
            ]
            try bench.send(commands[Int(script.next() % UInt64(commands.count))])
            try bench.run(for: script.next(in: 0.1...4), step: 0.1) { bench, _ in
                seen.append(
                    (bench.camera(.approximate), [], bench.view.markers(at: bench.instant, tier: .approximate)))
            }
        }
        seen.append((nil, bench.log.filter { $0.tier == .approximate }, []))
        return seen
    }

    @Test("What approximate watchers see and are told, and when, does not depend on the precise tier at all")
    func noFlow() throws {
        let one = try drive(seed: 21)
        let other = try drive(seed: 22)
        #expect(one.count == other.count)
        for (a, b) in zip(one, other) {
            #expect(a.0 == b.0)
            #expect(a.1 == b.1)
            #expect(a.2 == b.2)
        }
        // And it is not that nothing was seen.
        #expect(one.contains { $0.0 != nil })
        #expect(one.last?.1.isEmpty == false)
    }

    @Test("The approximate camera: on the point, north up, not tilted, no closer than its circle fits")
    func camera() throws {
        for mode in TrackingMode.allCases where mode != .none {
            var bench = try ViewsBench.withPucks()
            bench.precise?.drawnCourse = Direction(77)
            try bench.send(.track(mode), by: Self.approximate)
            let camera = try #require(bench.camera(.approximate))
            #expect(try camera.center == place(8.02, 50.01))
            #expect(camera.bearing == 0 && camera.pitch == 0)
            #expect(camera.zoom == CameraAim.closestZoom(radius: 5000))
        }
    }

    @Test("Its zoom is by the radius alone, and its circle fits 320 points up to 60° of latitude")
    func zoom() throws {
        let zoom = CameraAim.closestZoom(radius: 5000)
        #expect(abs(10_000 / WebMercator.metresPerPoint(latitude: 60, zoom: zoom) - 320) < 1e-6)
        #expect(10_000 / WebMercator.metresPerPoint(latitude: 0, zoom: zoom) < 161)
        for radius in [0.0, -1, .nan, .infinity, 1e12] {
            #expect(WebMercator.zooms.contains(CameraAim.closestZoom(radius: radius)))
        }
    }

    @Test("What an approximate client itself sets is used: constants, and a zoom no closer than the circle")
    func ownOptions() throws {
        var bench = try ViewsBench.withPucks()
        var options = FollowOptions()
        options.zoom = .set(18)
        options.bearing = .set(.constant(40))
        options.pitch = .set(20)
        try bench.send(.follow(options, transition: .immediate), by: Self.approximate)
        let camera = try #require(bench.camera(.approximate))
        #expect(camera.zoom == CameraAim.closestZoom(radius: 5000))
        #expect(camera.bearing == 40 && camera.pitch == 20)
        options.zoom = .set(5)
        try bench.send(.follow(options, transition: .immediate), by: Self.approximate)
        #expect(bench.camera(.approximate)?.zoom == 5)
        // The precise tier has it, too.
        #expect(bench.camera()?.zoom == 5)
    }

    @Test("Following by default does not tilt the approximate camera")
    func defaults() throws {
        var bench = try ViewsBench.withPucks()
        try bench.send(.follow(FollowOptions(), transition: .immediate), by: Self.approximate)
        let camera = try #require(bench.camera(.approximate))
        #expect(camera.pitch == 0 && camera.bearing == 0)
        #expect(bench.camera()?.pitch == 45)
    }

    @Test("Its way to the point has one length, however far it is; between points it does not move")
    func constantLength() throws {
        for longitude in [8.1, 9, -170] {
            var bench = try ViewsBench.withPucks()
            try bench.tell(Camera(center: try place(longitude, 50), zoom: 8), by: Self.approximate)
            bench.precise = nil
            try bench.send(.track(.follow), by: Self.approximate)
            try bench.run(for: 0.99, step: 0.01)
            #expect(bench.told(.approximate) == [.transitionStarted])
            try bench.run(for: 0.02, step: 0.01)
            #expect(bench.told(.approximate) == [.transitionSucceeded])
            bench.approximate?.coordinate = try place(8.5, 50)
            #expect(try bench.camera(.approximate)?.center == place(8.5, 50))
            #expect(bench.told(.approximate) == [])
        }
    }

    @Test("The mode is shared: both tiers are told of it, each with its own status")
    func sharedMode() throws {
        var bench = try ViewsBench.withPucks()
        bench.approximate = nil
        try bench.send(.track(.follow))
        #expect(bench.view.current(tier: .precise).status == .state)
        #expect(bench.view.current(tier: .approximate).status == .transition)
        try bench.run(for: 6)
        #expect(bench.told(.approximate) == [.transitionStarted, .noPosition])
        try bench.send(.gesture(.pan, phase: .began, camera: nil), by: Self.approximate)
        #expect(bench.view.current(tier: .precise).mode == .none)
        #expect(bench.told(.precise).last == .userInteraction)
        #expect(bench.told(.approximate) == [.userInteraction])
    }

    @Test("Where a precise client moves the camera or puts a marker, approximate watchers are not taken along")
    func noWriteDown() throws {
        var bench = try ViewsBench.withPucks()
        try bench.send(.track(.follow))
        try bench.run(for: 2)
        _ = bench.told(.approximate)
        try bench.send(.ease(Camera(center: try place(8, 50), zoom: 18), duration: 1, curve: nil))
        #expect(bench.camera(.approximate) == nil)
        #expect(bench.told(.approximate) == [.idleRequested])
        // Easing on, fix by fix, makes no traffic there.
        for _ in 0..<5 {
            try bench.run(for: 1)
            try bench.send(.ease(Camera(center: try place(8, 50), zoom: 18), duration: 1, curve: nil))
        }
        #expect(bench.told(.approximate) == [])
        try bench.send(.marker(name: "me", to: try place(8, 50), duration: 2, curve: .linear))
        #expect(bench.view.markers(at: bench.instant, tier: .approximate) == [])
        #expect(bench.view.markers(at: bench.instant, tier: .precise).map(\.name) == ["me"])
        // Not even as the place from which an approximate client's marker of that name sets out.
        try bench.send(.marker(name: "me", to: try place(9, 51), duration: 2, curve: .linear), by: Self.approximate)
        #expect(try bench.view.markers(at: bench.instant, tier: .approximate).map(\.coordinate) == [place(9, 51)])
        try bench.run(for: 3)
        #expect(try bench.view.markers(at: bench.instant, tier: .precise).map(\.coordinate) == [place(8, 50)])
    }

    @Test("An approximate client's markers leave precise clients' alone, and never make more than a view may have")
    func ownMarkers() throws {
        var bench = try ViewsBench.withPucks()
        func names(_ tier: AccuracyMode) -> [String] { bench.view.markers(at: bench.instant, tier: tier).map(\.name) }
        func put(_ name: String, _ longitude: Double) throws -> ViewCommand {
            .marker(name: name, to: try place(longitude, 50), duration: 0, curve: .linear)
        }
        try bench.send(put("me", 8))
        try bench.send(put("me", 9), by: Self.approximate)
        #expect(try bench.view.markers(at: bench.instant, tier: .precise).map(\.coordinate) == [place(8, 50)])
        #expect(try bench.view.markers(at: bench.instant, tier: .approximate).map(\.coordinate) == [place(9, 50)])
        try bench.send(.removeMarker(name: "me"), by: Self.approximate)
        #expect(names(.precise) == ["me"] && names(.approximate) == [])
        // What a precise client takes over is its own from then on.
        try bench.send(put("bus", 8), by: Self.approximate)
        try bench.send(put("bus", 7))
        try bench.send(.removeMarker(name: "bus"), by: Self.approximate)
        #expect(names(.precise) == ["bus", "me"])
        // Both fill the view: the approximate ones are not told that it is full for the others.
        for i in 2..<ViewState.markerLimit { try bench.send(put("p\(i)", 8)) }
        for i in 0..<ViewState.markerLimit { try bench.send(put("a\(i)", 8), by: Self.approximate) }
        #expect(names(.precise).count == ViewState.markerLimit && !names(.precise).contains("a0"))
        #expect(names(.approximate).count == ViewState.markerLimit)
        let more = try put("more", 8)
        for cause in [Self.precise, Self.approximate] {
            let answer = bench.view.handle(more, cause: cause, at: bench.instant, pucks: bench.pucks)
            #expect(answer == .failure(.tooManyMarkers(limit: ViewState.markerLimit)))
        }
    }

    @Test("A puck of the wrong tier is not taken, whoever hands it over")
    func wrongTier() throws {
        var bench = try ViewsBench.withPucks()
        let slip = TierPucks(precise: bench.approximate, approximate: bench.precise)
        #expect(slip == TierPucks())
        try bench.send(.track(.follow))
        #expect(bench.view.camera(at: bench.instant, puck: bench.precise, tier: .approximate) == nil)
        #expect(bench.view.camera(at: bench.instant, puck: bench.approximate, tier: .precise) == nil)
    }
}
