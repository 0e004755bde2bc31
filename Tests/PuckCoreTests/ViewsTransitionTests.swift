import Testing

@testable import PuckCore

@Suite("Views: transitions") struct ViewsTransitionTests {
    private func place(_ longitude: Double, _ latitude: Double) throws -> Coordinate {
        try ViewsBench.place(longitude, latitude)
    }
    private func started() throws -> ViewsBench {
        var bench = try ViewsBench.withPucks()
        try bench.tell(Camera(center: try place(8.01, 50), zoom: 14, bearing: 350, pitch: 0, padding: Padding()))
        return bench
    }

    @Test("C7 The default transition is at most 3.5 s, wherever it starts")
    func longest() throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<300 {
            var bench = try ViewsBench.withPucks()
            try bench.tell(
                Camera(
                    center: try place(random.next(in: -180...180), random.next(in: -85...85)),
                    zoom: random.next(in: 0...22), bearing: random.next(in: 0...359), pitch: random.next(in: 0...60),
                    padding: Padding(top: random.next(in: 0...200))))
            bench.precise?.bearing = Direction(random.next(in: 0...360))
            var options = FollowOptions()
            options.padding = .set(Padding(left: 10))
            #expect(try bench.send(.follow(options, transition: .default)) == [.transitionStarted])
            let end = try #require(bench.view.deadline)
            #expect(end.seconds(since: bench.instant) <= 3.5 + 1e-6)
            #expect(end.seconds(since: bench.instant) > 0.2)
        }
    }

    @Test(
        "C7 The longest slide and the longest zoom, both ways, are 3.5 s and less", arguments: [(11.0, 18.0), (18, 11)])
    func longestSlide(zooms: (Double, Double)) throws {
        var bench = try ViewsBench.withPucks()
        let home = try #require(bench.precise?.coordinate)
        // A little under four of the smallest screens, at the wider zoom.
        let far = home.moved(by: MapPoint(x: 1200 / exp2(11), y: 0))
        try bench.tell(Camera(center: far, zoom: zooms.0, bearing: 180, pitch: 60))
        var options = FollowOptions()
        options.zoom = .set(zooms.1)
        options.bearing = .set(.constant(0))
        try bench.send(.follow(options, transition: .default))
        let length = try #require(bench.view.deadline).seconds(since: bench.instant)
        #expect(length == (zooms.0 < zooms.1 ? 3.5 : 3.25))
    }

    @Test("A curve that overshoots leaves no camera beyond what one may be")
    func overshoot() throws {
        var bench = try started()
        let wide = Padding(top: 100_000, left: 100_000, bottom: 100_000, right: 100_000)
        let target = Camera(center: try place(8, 50), zoom: 24, pitch: 85, padding: wide)
        try bench.send(.ease(target, duration: 2, curve: EasingCurve(0, 10, 1, -10)))
        var edges: [Double] = []
        try bench.run(for: 1.9) { _, camera in
            let shown = try #require(camera)
            let padding = try #require(shown.padding)
            edges.append(padding.bottom)
            for edge in [padding.top, padding.left, padding.bottom, padding.right] {
                #expect((0...100_000).contains(edge))
            }
            #expect((0...24).contains(try #require(shown.zoom)))
            #expect((0...85).contains(try #require(shown.pitch)))
        }
        #expect(edges.contains(100_000) && edges.contains(0))
    }

    @Test("It starts from the present camera and meets a moving puck with no jump")
    func moving() throws {
        var bench = try started()
        bench.drift = 0.0005
        bench.precise?.bearing = Direction(100)
        let before = Camera(center: try place(8.01, 50), zoom: 14, bearing: 350, pitch: 0)
        try bench.send(.follow(FollowOptions(), transition: .default))
        let first = try #require(bench.camera())
        #expect(try pointsApart(first, before, zoom: 14) < 1e-6)
        #expect(first.zoom == 14 && first.bearing == 350 && first.pitch == 0)
        var last = first
        var largest = 0.0
        try bench.run(for: 5, step: 0.01) { _, camera in
            let camera = try #require(camera)
            largest = max(largest, try pointsApart(last, camera, zoom: try #require(camera.zoom)))
            #expect(abs(shortestTurn(from: try #require(last.bearing), to: try #require(camera.bearing))) < 3)
            #expect(abs(try #require(last.zoom) - (try #require(camera.zoom))) < 0.05)
            last = camera
        }
        // The puck itself goes 0.0005° a second at zoom 16.35: about 0.6 points in a hundredth of a second.
        #expect(largest < 15)
        #expect(last == Camera(center: bench.precise?.coordinate, zoom: 16.35, bearing: 100, pitch: 45))
        #expect(bench.told() == [.transitionStarted, .transitionSucceeded])
    }

    @Test("It ends on the puck at its very end, whether or not anybody has advanced the view")
    func end() throws {
        var bench = try started()
        try bench.send(.track(.follow))
        let end = try #require(bench.view.deadline)
        let camera = bench.view.camera(at: end, puck: bench.precise, tier: .precise)
        #expect(camera?.center == bench.precise?.coordinate)
        #expect(camera?.bearing == 0)
        bench.log += bench.view.advance(to: end, pucks: bench.pucks)
        #expect(bench.view.camera(at: end, puck: bench.precise, tier: .precise) == camera)
        #expect(bench.view.current(tier: .precise).status == .state)
    }

    @Test("Bearings take the short way: 350° → 10° turns 20° through north")
    func shortWay() throws {
        var bench = try started()
        bench.precise?.bearing = Direction(10)
        try bench.send(.track(.followWithHeading))
        try bench.run(for: 4) { _, camera in
            let bearing = try #require(camera?.bearing)
            #expect(bearing >= 350 || bearing <= 10)
        }
    }

    @Test("Centres take the short way across the antimeridian")
    func antimeridian() throws {
        var bench = try ViewsBench.withPucks()
        bench.precise?.coordinate = try place(-179.999, 10)
        try bench.tell(Camera(center: try place(179.999, 10), zoom: 14, bearing: 0))
        try bench.send(.track(.follow))
        var seen = 0
        try bench.run(for: 4) { _, camera in
            let longitude = try #require(camera?.center?.longitude)
            #expect(abs(longitude) >= 179.999 - 1e-9)
            seen += 1
        }
        #expect(seen == 240)
    }

    @Test("C5 A transition skips what has nothing to do, and is over when the rest is")
    func skips() throws {
        var bench = try ViewsBench.withPucks()
        try bench.tell(Camera(center: try place(8, 50), zoom: 16.35, bearing: 0, pitch: 45))
        bench.precise?.bearing = Direction(12)
        try bench.send(.follow(FollowOptions(), transition: .default))
        // Only a turn of 12°: the least time that a turn takes.
        #expect(try #require(bench.view.deadline).seconds(since: bench.instant) == 0.3)
    }

    @Test("C5 A transition with nothing to do at all is over at once")
    func nothing() throws {
        var bench = try ViewsBench.withPucks()
        bench.precise?.bearing = Direction(12)
        try bench.tell(Camera(center: try place(8, 50), zoom: 16.35, bearing: 12, pitch: 45))
        #expect(try bench.send(.follow(FollowOptions(), transition: .default)) == [.transitionSucceeded])
        #expect(bench.view.deadline == nil)
    }

    @Test("C5 With no position it fails after one time-out, saying so; the mode stays")
    func noPosition() throws {
        var bench = try started()
        bench.precise = nil
        #expect(try bench.send(.track(.follow)) == [.transitionStarted])
        #expect(bench.camera() == nil)
        #expect(bench.view.current(tier: .precise).status == .transition)
        #expect(try #require(bench.view.deadline).seconds(since: bench.instant) == 5)
        _ = bench.told()
        try bench.run(for: 4.9)
        #expect(bench.told() == [])
        try bench.run(for: 0.2)
        let event = try #require(bench.log.first { $0.tier == .precise })
        #expect(event.reason == .noPosition && event.mode == .follow && event.status == .state)
        #expect(event.cause == ViewsBench.preciseClient)
        _ = bench.told()
        try bench.run(for: 60, step: 0.5)
        #expect(bench.told() == [])
        #expect(bench.view.deadline == nil)
        // The mode has not left by itself: when a position comes, the camera goes there.
        bench.precise = Puck(state: .live, accuracyMode: .precise, coordinate: try place(8, 50), accuracy: 3)
        try bench.run(for: 4)
        #expect(bench.told() == [.transitionStarted, .transitionSucceeded])
        #expect(bench.camera()?.center == bench.precise?.coordinate)
    }

    @Test("C5 A position within the time-out starts the transition that was announced")
    func lateposition() throws {
        var bench = try started()
        bench.precise = nil
        try bench.send(.track(.follow))
        try bench.run(for: 3)
        bench.precise = Puck(state: .live, accuracyMode: .precise, coordinate: try place(8, 50), accuracy: 3)
        try bench.run(for: 1.0 / 60)
        #expect(try pointsApart(try #require(bench.camera()), Camera(center: try place(8.01, 50)), zoom: 14) < 1)
        try bench.run(for: 4)
        #expect(bench.told() == [.transitionStarted, .transitionSucceeded])
    }

    @Test("A transition that gives way to another goes on from where it is")
    func interrupted() throws {
        var bench = try started()
        bench.precise?.bearing = Direction(100)
        try bench.send(.follow(FollowOptions(), transition: .default))
        try bench.run(for: 1)
        let before = try #require(bench.camera())
        var options = FollowOptions()
        options.zoom = .set(10)
        options.bearing = .set(.constant(200))
        #expect(try bench.send(.follow(options, transition: .default)) == [.transitionCancelled, .transitionStarted])
        let after = try #require(bench.camera())
        #expect(try pointsApart(before, after, zoom: 16) < 1e-6)
        #expect(abs(try #require(before.zoom) - (try #require(after.zoom))) < 1e-12)
        #expect(abs(shortestTurn(from: try #require(before.bearing), to: try #require(after.bearing))) < 1e-9)
        #expect(abs(try #require(before.pitch) - (try #require(after.pitch))) < 1e-12)
        try bench.run(for: 4)
        #expect(try bench.camera() == Camera(center: place(8, 50), zoom: 10, bearing: 200, pitch: 45))
    }

    @Test("However it is interrupted, no command makes the camera jump")
    func neverJumps() throws {
        var random = SeededGenerator(seed: 9)
        var bench = try started()
        bench.precise?.bearing = Direction(40)
        try bench.send(.viewport(Viewport(width: 400, height: 800)))
        bench.drift = 0.0003
        for _ in 0..<300 {
            let before = bench.camera()
            var options = FollowOptions()
            options.zoom = .set(random.next(in: 11...18))
            options.pitch = .set(random.next(in: 0...60))
            let target = Camera(
                center: try place(8 + random.next(in: -0.01...0.01), 50), zoom: random.next(in: 11...18),
                bearing: random.next(in: 0...359), pitch: random.next(in: 0...60))
            let commands: [ViewCommand] = [
                .trackNext, .track(.follow), .track(.followWithHeading), .follow(options, transition: .default),
                .ease(target, duration: 1, curve: nil), .fly(target, duration: nil, curve: nil),
                .ease(Camera(zoom: target.zoom), duration: 0.5, curve: .easeInOut),
            ]
            try bench.send(commands[Int(random.next() % UInt64(commands.count))])
            if let before, let after = bench.camera() {
                // What no eye sees may be skipped: half a point, a thousandth of a zoom, a twentieth of a degree.
                if before.center != nil, after.center != nil, let zoom = after.zoom ?? before.zoom {
                    #expect(try pointsApart(before, after, zoom: zoom) < 0.6)
                }
                if let a = before.zoom, let b = after.zoom { #expect(abs(a - b) <= 0.001) }
                if let a = before.pitch, let b = after.pitch { #expect(abs(a - b) <= 0.05) }
                if let a = before.bearing, let b = after.bearing { #expect(abs(shortestTurn(from: a, to: b)) < 0.12) }
            }
            try bench.run(for: random.next(in: 0.02...3), step: 1.0 / 30)
        }
    }

    @Test("C7 ease is easeOut unless it says otherwise, moves what it names, and then lets go")
    func ease() throws {
        var bench = try started()
        let target = Camera(zoom: 16)
        #expect(try bench.send(.ease(target, duration: 2, curve: nil)) == [.transitionStarted])
        try bench.run(for: 1)
        let half = try #require(bench.camera())
        #expect(abs(try #require(half.zoom) - (14 + 2 * EasingCurve.easeOut.progress(at: 0.5))) < 1e-6)
        #expect(half.center == nil && half.bearing == nil)
        try bench.run(for: 1)
        // The last camera is there to be shown, and then the camera is the client's.
        #expect(bench.camera() == target)
        #expect(bench.view.current(tier: .precise).status == .idle)
        #expect(bench.view.isAnimating(at: bench.instant, tier: .precise))
        #expect(bench.told() == [.transitionStarted, .transitionSucceeded])
        try bench.run(for: 1.1)
        #expect(bench.camera() == nil)
        #expect(!bench.view.isAnimating(at: bench.instant, tier: .precise))
    }

    @Test("An ease in no time is shown once, too")
    func jump() throws {
        var bench = try started()
        let target = Camera(center: try place(1, 2), zoom: 16)
        #expect(try bench.send(.ease(target, duration: 0, curve: nil)) == [.transitionSucceeded])
        #expect(bench.camera() == target)
        #expect(bench.view.isAnimating(at: bench.instant, tier: .precise))
    }

    @Test("Easing to each new position, as a page may do itself, goes on from where it is")
    func easeAgain() throws {
        var bench = try started()
        for step in 1...5 {
            let before = bench.camera()
            let target = Camera(center: try place(8.01 + 0.001 * Double(step), 50), zoom: 15)
            let told = try bench.send(.ease(target, duration: 1.3, curve: nil))
            #expect(told == (step == 1 ? [.transitionStarted] : [.transitionCancelled, .transitionStarted]))
            if let before { #expect(try pointsApart(before, try #require(bench.camera()), zoom: 15) < 1e-6) }
            try bench.run(for: 1)
        }
    }

    @Test("C7 fly is van Wijk's path: out, across and in again, in S/1.2 s")
    func fly() throws {
        var bench = try started()
        try bench.send(.viewport(Viewport(width: 400, height: 800)))
        let target = Camera(center: try place(13, 52), zoom: 14, bearing: 20)
        try bench.send(.fly(target, duration: nil, curve: .linear))
        let offset = WebMercator.shortestOffset(from: try place(8.01, 50), to: try place(13, 52))
        let width = 800 / exp2(14)
        let path = FlightPath(distance: offset.length, startWidth: width, endWidth: width)
        let end = try #require(bench.view.deadline)
        #expect(abs(end.seconds(since: bench.instant) - path.length / 1.2) < 1e-6)
        let half = Instant(seconds: bench.now + path.duration / 2)
        let camera = try #require(bench.view.camera(at: half, puck: bench.precise, tier: .precise))
        #expect(abs(try #require(camera.zoom) - log2(800 / path.at(0.5).width)) < 1e-6)
        let middle = WebMercator.project(try place(8.01, 50)) + offset * 0.5
        #expect((WebMercator.project(try #require(camera.center)) - middle).length < 1e-6)
        #expect(abs(try #require(camera.bearing) - 5) < 1e-6)
    }

    @Test("A flight that names no zoom comes back to the present one; where that is the client's, it eases")
    func flyWithoutZoom() throws {
        let target = try place(13, 52)
        var bench = try started()
        try bench.send(.fly(Camera(center: target), duration: 2, curve: .linear))
        try bench.run(for: 1)
        #expect(try #require(bench.camera()?.zoom) < 12)
        try bench.run(for: 1)
        #expect(bench.camera()?.zoom == 14 && bench.camera()?.center == target)

        bench = try started()
        var options = FollowOptions()
        options.zoom = .client
        try bench.send(.follow(options, transition: .immediate))
        try bench.send(.fly(Camera(center: target), duration: 2, curve: .linear))
        try bench.run(for: 1)
        #expect(bench.camera()?.center != nil && bench.camera()?.zoom == nil)
    }

    @Test("A flight in place only zooms")
    func flyInPlace() throws {
        var bench = try started()
        try bench.send(.fly(Camera(center: try place(8.01, 50), zoom: 17), duration: 2, curve: .linear))
        try bench.run(for: 1)
        #expect(abs(try #require(bench.camera()?.zoom) - 15.5) < 1e-6)
        #expect(try pointsApart(try #require(bench.camera()), Camera(center: try place(8.01, 50)), zoom: 17) < 1e-6)
    }

    @Test("ease and fly with a centre end following; without one they change how it follows")
    func whileFollowing() throws {
        var bench = try started()
        bench.precise?.drawnCourse = Direction(30)
        try bench.send(.track(.followWithCourse))
        try bench.run(for: 4)
        try bench.send(.ease(Camera(zoom: 17, pitch: 50), duration: 1, curve: nil))
        #expect(bench.view.mode == .followWithCourse)
        bench.drift = 0.001
        try bench.run(for: 1.5)
        #expect(bench.camera() == Camera(center: bench.precise?.coordinate, zoom: 17, bearing: 30, pitch: 50))
        try bench.send(.ease(Camera(bearing: 200), duration: 1, curve: nil))
        #expect(bench.view.mode == .follow)
        try bench.run(for: 1.5)
        #expect(bench.camera()?.bearing == 200)
        try bench.send(.ease(Camera(center: try place(1, 1)), duration: 1, curve: nil))
        #expect(bench.view.mode == .none)
        #expect(bench.view.current(tier: .precise).state == .camera)
    }

    @Test("A transition whose puck is lost on the way ends where it last was")
    func lostOnTheWay() throws {
        var bench = try started()
        try bench.send(.track(.follow))
        try bench.run(for: 0.1)
        bench.precise = nil
        try bench.run(for: 0.1)
        #expect(bench.camera() != nil)
        try bench.run(for: 4)
        #expect(bench.told() == [.transitionStarted, .transitionSucceeded])
        #expect(bench.camera() == nil)
    }
}
