import Testing

@testable import PuckCore

@Suite("Views: dead-band") struct ViewsDeadBandTests {
    /// At zoom 16.35 on 400 × 800 points.
    private func following() throws -> ViewsBench {
        var bench = try ViewsBench.withPucks()
        bench.precise?.bearing = Direction(90)
        bench.precise?.speed = 0
        try bench.send(.viewport(Viewport(width: 400, height: 800)))
        try bench.send(.follow(FollowOptions(), transition: .immediate))
        return bench
    }
    private func nudge(_ puck: inout Puck?, by points: Double) {
        guard let old = puck?.coordinate else { return }
        puck?.coordinate = old.moved(by: point * points)
    }
    private var point: MapPoint { MapPoint(x: 1 / WebMercator.scale(zoom: 16.35), y: 0) }

    @Test("A puck that trembles by less than a point makes no other camera")
    func trembles() throws {
        var bench = try following()
        let home = try #require(bench.precise?.coordinate)
        var random = SeededGenerator(seed: 2)
        var cameras: Set<Camera> = []
        for index in 0..<600 {
            bench.precise?.coordinate = home.moved(by: point * random.next(in: -0.5...0.5))
            bench.precise?.bearing = Direction(90 + random.next(in: -0.05...0.05))
            try bench.run(for: 1.0 / 60)
            if index > 100 { cameras.insert(try #require(bench.camera())) }
        }
        #expect(cameras.count == 1)
    }

    @Test("What goes further is followed, without a jump and never more than half a point behind")
    func drawn() throws {
        var bench = try following()
        var last = try #require(bench.camera())
        var moved = 0
        for _ in 0..<600 {
            nudge(&bench.precise, by: 0.01)
            try bench.run(for: 1.0 / 60)
            let camera = try #require(bench.camera())
            #expect(try pointsApart(camera, Camera(center: bench.precise?.coordinate), zoom: 16.35) < 0.57)
            let step = try pointsApart(last, camera, zoom: 16.35)
            #expect(step < 0.08)
            if step > 0 { moved += 1 }
            last = camera
        }
        #expect(moved > 50)
    }

    @Test("C1 A puck that plainly moves is exactly in the middle")
    func taut() throws {
        var bench = try following()
        bench.precise?.speed = 5
        for _ in 0..<60 {
            nudge(&bench.precise, by: 0.1)
            try bench.run(for: 1.0 / 60)
            #expect(bench.camera()?.center == bench.precise?.coordinate)
        }
    }

    @Test("A turn is followed from what a corner of the screen shows of it")
    func turns() throws {
        var bench = try following()
        for step in 0..<100 {
            bench.precise?.bearing = Direction(90 + Double(step) * 0.03)
            try bench.run(for: 1.0 / 60)
            let behind = abs(shortestTurn(from: try #require(bench.camera()?.bearing), to: 90 + Double(step) * 0.03))
            #expect(behind < 0.08)
        }
        #expect(bench.camera()?.bearing != 90)
    }

    @Test("Where the screen's size or zoom is not known there is none")
    func unknown() throws {
        var bench = try ViewsBench.withPucks()
        try bench.send(.track(.follow))
        nudge(&bench.precise, by: 0.1)
        try bench.run(for: 1.0 / 60)
        #expect(bench.camera()?.center == bench.precise?.coordinate)
        try bench.send(.viewport(Viewport(width: 400, height: 800)))
        nudge(&bench.precise, by: 0.1)
        try bench.run(for: 1.0 / 60)
        #expect(bench.camera()?.center == bench.precise?.coordinate)
    }

    @Test("The approximate point has none: it is where it is")
    func approximate() throws {
        var bench = try following()
        nudge(&bench.approximate, by: 0.1)
        try bench.run(for: 1.0 / 60)
        #expect(bench.camera(.approximate)?.center == bench.approximate?.coordinate)
    }
}
