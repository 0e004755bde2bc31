import Testing

@testable import PuckCore

@Suite("Views: markers and refusals") struct ViewsCommandTests {
    private func place(_ longitude: Double, _ latitude: Double) throws -> Coordinate {
        try ViewsBench.place(longitude, latitude)
    }

    @Test("Markers are shown by name, in whatever order they are put, moved and taken away")
    func order() throws {
        var bench = ViewsBench()
        var random = SeededGenerator(seed: 3)
        var names: Set<String> = []
        let place = try ViewsBench.place(8, 50)
        for _ in 0..<2_000 {
            let name = "é\(random.next() % 300)"
            if names.contains(name), random.next() % 2 == 0 {
                names.remove(name)
                try bench.send(.removeMarker(name: name))
            } else if names.count < ViewState.markerLimit {
                names.insert(name)
                try bench.send(.marker(name: name, to: place, duration: 0, curve: .linear))
            }
            #expect(bench.view.markers(at: bench.instant, tier: .precise).map(\.name) == names.sorted())
        }
        #expect(names.count > 50)
    }

    @Test("C8 A named marker moves from where it is, and frames are due until it has arrived")
    func marker() throws {
        var bench = try ViewsBench.withPucks()
        try bench.send(.marker(name: "bus", to: try place(179.9, 0), duration: 2, curve: .linear))
        #expect(
            try bench.view.markers(at: bench.instant, tier: .precise) == [
                Marker(name: "bus", coordinate: place(179.9, 0), moving: false)
            ])
        try bench.run(for: 2)
        try bench.send(.marker(name: "bus", to: try place(-179.9, 0), duration: 2, curve: .linear))
        try bench.run(for: 1.5)
        let before = bench.view.markers(at: bench.instant, tier: .precise)
        #expect(abs(before[0].coordinate.longitude + 179.95) < 1e-9 && before[0].moving)
        try bench.send(.marker(name: "bus", to: try place(179, 1), duration: 2, curve: .linear))
        #expect(bench.view.markers(at: bench.instant, tier: .precise) == before)
        #expect(bench.view.isAnimating(at: bench.instant.advanced(by: 2.5), tier: .precise))
        #expect(!bench.view.isAnimating(at: bench.instant.advanced(by: 3.1), tier: .precise))
        #expect(
            try bench.view.markers(at: bench.instant.advanced(by: 2), tier: .precise) == [
                Marker(name: "bus", coordinate: place(179, 1), moving: false)
            ])
        try bench.send(.removeMarker(name: "bus"))
        #expect(bench.view.markers(at: bench.instant, tier: .precise) == [])
    }

    @Test("An unknown marker, and one too many, are refused by name")
    func markerRefusals() throws {
        var bench = try ViewsBench.withPucks()
        func refusal(_ command: ViewCommand) -> ViewRefusal? {
            var view = bench.view
            let result = view.handle(
                command, cause: ViewsBench.preciseClient, at: bench.instant, pucks: bench.pucks)
            if case .failure(let refusal) = result { return refusal }
            return nil
        }
        #expect(refusal(.removeMarker(name: "tram")) == .unknownMarker("tram"))
        let here = try place(1, 1)
        for index in 0..<256 { try bench.send(.marker(name: "\(index)", to: here, duration: 0, curve: .linear)) }
        let more = ViewCommand.marker(name: "256", to: here, duration: 0, curve: .linear)
        #expect(refusal(more) == .tooManyMarkers(limit: 256))
        #expect(refusal(.marker(name: "7", to: here, duration: 0, curve: .linear)) == nil)
    }

    /// Each with the field that is named.
    static let bad: [(ViewCommand, String)] = {
        var cases: [(ViewCommand, String)] = []
        for value in [Double.nan, .infinity, -1, 24.1] {
            var options = FollowOptions()
            options.zoom = .set(value)
            cases.append((.follow(options, transition: .default), "zoom"))
            cases.append((.ease(Camera(zoom: value), duration: nil, curve: nil), "zoom"))
            cases.append((.gesture(.pinch, phase: .ended, camera: Camera(zoom: value)), "zoom"))
        }
        for value in [Double.nan, .infinity, -0.1, 360] {
            var options = FollowOptions()
            options.bearing = .set(.constant(value))
            cases.append((.follow(options, transition: .default), "bearing"))
            cases.append((.fly(Camera(bearing: value), duration: nil, curve: nil), "bearing"))
        }
        for value in [Double.nan, -0.1, 85.1] {
            var options = FollowOptions()
            options.pitch = .set(value)
            cases.append((.follow(options, transition: .immediate), "pitch"))
        }
        for value in [Double.nan, -1, 1e6] {
            var options = FollowOptions()
            options.padding = .set(Padding(left: value))
            cases.append((.follow(options, transition: .immediate), "padding"))
            cases.append((.viewport(Viewport(width: value, height: 100)), "width"))
            cases.append((.viewport(Viewport(width: 100, height: value)), "height"))
        }
        for value in [Double.nan, 0, 180] {
            cases.append((.viewport(Viewport(width: 100, height: 100, fieldOfView: value)), "fov"))
        }
        for value in [Double.nan, -1, 1e10, .infinity] {
            cases.append((.ease(Camera(zoom: 1), duration: value, curve: nil), "duration"))
            cases.append((.fly(Camera(zoom: 1), duration: value, curve: nil), "duration"))
            if let here = Coordinate(longitude: 0, latitude: 0) {
                cases.append((.marker(name: "a", to: here, duration: value, curve: .linear), "duration"))
                var options = OverviewOptions(geometry: ViewGeometry(coordinates: [here]))
                options.duration = value
                cases.append((.overview(options), "duration"))
                options.duration = nil
                options.maxZoom = value
                cases.append((.overview(options), "maxZoom"))
            }
        }
        for value in [Double.nan, -0.1, 1.1] {
            cases.append((.ease(Camera(zoom: 1), duration: 1, curve: EasingCurve(value, 0, 1, 1)), "curve"))
            cases.append((.ease(Camera(zoom: 1), duration: 1, curve: EasingCurve(0, .infinity, 1, 1)), "curve"))
        }
        cases.append((.ease(Camera(), duration: nil, curve: nil), "camera"))
        cases.append((.overview(OverviewOptions(geometry: ViewGeometry(coordinates: []))), "geometry"))
        return cases
    }()

    @Test("A value that is none is refused, naming its field, and changes nothing")
    func values() throws {
        var bench = try ViewsBench.withPucks()
        try bench.send(.track(.follow))
        let before = bench.view
        for (command, field) in Self.bad {
            let result = bench.view.handle(
                command, cause: ViewsBench.preciseClient, at: bench.instant, pucks: bench.pucks)
            guard case .failure(.badValue(let named, let expected)) = result else {
                Issue.record("\(command) was taken")
                continue
            }
            #expect(named == field)
            #expect(!expected.isEmpty)
            #expect(bench.view == before)
        }
    }

    @Test("Whatever is sent, whenever, every camera is one that a renderer can show")
    func hostile() throws {
        var random = SeededGenerator(seed: 13)
        var bench = try ViewsBench.withPucks()
        for _ in 0..<2000 {
            let pole = try place(random.next(in: -180...180), random.next() % 3 == 0 ? 90 : random.next(in: -90...90))
            bench.precise = random.next() % 5 == 0 ? nil : bench.precise
            if random.next() % 3 == 0 {
                bench.precise = Puck(state: .stale, accuracyMode: .precise, coordinate: pole, accuracy: 3)
            }
            let wild = EasingCurve(0.3, random.next(in: -10...10), 0.7, random.next(in: -10...10))
            let camera = Camera(
                center: random.next() % 2 == 0 ? pole : nil, zoom: random.next(in: 0...24),
                bearing: random.next(in: 0...359), pitch: random.next(in: 0...85),
                padding: Padding(top: random.next(in: 0...1000)))
            var overview = OverviewOptions(geometry: ViewGeometry(coordinates: [pole, try place(0, 0)]))
            overview.pitch = random.next(in: 0...85)
            let commands: [ViewCommand] = [
                .trackNext, .ease(camera, duration: random.next(in: 0...5), curve: wild),
                .fly(camera, duration: nil, curve: wild), .overview(overview),
                .follow(FollowOptions(), transition: .default), .idle,
                .viewport(Viewport(width: random.next(in: 1...3000), height: random.next(in: 1...3000))),
                .gesture(.pinch, phase: .changed, camera: camera), .gesture(.pan, phase: .began, camera: camera),
            ]
            let cause = random.next() % 2 == 0 ? ViewsBench.preciseClient : ViewsBench.approximateClient
            _ = bench.view.handle(
                commands[Int(random.next() % UInt64(commands.count))], cause: cause, at: bench.instant,
                pucks: bench.pucks)
            try bench.run(for: random.next(in: 0.01...2), step: 0.1) { bench, _ in
                for tier in [AccuracyMode.precise, .approximate] {
                    guard let camera = bench.camera(tier) else { continue }
                    #expect(camera.zoom.map(WebMercator.zooms.contains) ?? true)
                    #expect(camera.bearing.map((0..<360).contains) ?? true)
                    #expect(camera.pitch.map((0...85).contains) ?? true)
                    #expect(camera.padding.map { $0.top >= 0 } ?? true)
                    #expect(camera.center.map { abs($0.latitude) <= 90 && abs($0.longitude) <= 180 } ?? true)
                }
            }
        }
    }
}
