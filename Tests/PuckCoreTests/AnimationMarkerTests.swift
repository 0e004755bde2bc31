import Testing

@testable import PuckCore

@Suite("Animation: markers") struct AnimationMarkerTests {
    private func place(_ longitude: Double, _ latitude: Double) throws -> Coordinate {
        try #require(Coordinate(longitude: longitude, latitude: latitude))
    }
    private func at(_ seconds: Double) -> Instant { Instant(seconds: seconds) }

    @Test("A marker goes linearly and is there when its time is over")
    func linear() throws {
        let marker = MarkerMotion(at: try place(8, 50), since: at(0))
            .retargeted(to: try place(9, 51), at: at(10), duration: 2, curve: .linear)
        #expect(try marker.coordinate(at: at(10)) == place(8, 50))
        #expect(try marker.coordinate(at: at(11)) == place(8.5, 50.5))
        #expect(try marker.coordinate(at: at(12)) == place(9, 51))
        #expect(marker.isMoving(at: at(11.99)))
        #expect(!marker.isMoving(at: at(12)))
    }

    @Test("C8 A marker retargeted in mid-flight starts from where it is, also across the antimeridian")
    func retargeted() throws {
        let first = MarkerMotion(at: try place(179, 0), since: at(0))
            .retargeted(to: try place(-179, 0), at: at(0), duration: 2, curve: .linear)
        // Half way is the antimeridian itself, by the short way.
        #expect(try first.coordinate(at: at(1)) == place(-180, 0))
        let second = first.retargeted(to: try place(178, 4), at: at(1.5), duration: 2, curve: .linear)
        #expect(second.coordinate(at: at(1.5)) == first.coordinate(at: at(1.5)))
        #expect(abs(first.coordinate(at: at(1.5)).longitude + 179.5) < 1e-9)
        var last = second.coordinate(at: at(1.5))
        for step in 1...200 {
            let now = second.coordinate(at: at(1.5 + Double(step) / 100))
            let moved = shortestTurn(from: last.longitude, to: now.longitude)
            #expect(moved <= 1e-9 && moved > -0.02)
            last = now
        }
        #expect(try last == place(178, 4))
    }

    @Test("However often it is retargeted, it never jumps")
    func continuity() throws {
        var random = SeededGenerator(seed: 3)
        var marker = MarkerMotion(at: try place(-180, 0), since: at(0))
        var now = 0.0
        for _ in 0..<500 {
            now += random.next(in: 0...3)
            let target = try place(random.next(in: -180...180), random.next(in: -80...80))
            let before = marker.coordinate(at: at(now))
            marker = marker.retargeted(
                to: target, at: at(now), duration: random.next(in: 0.1...2), curve: .easeInOut)
            #expect(marker.coordinate(at: at(now)) == before)
        }
    }

    @Test("In no time it is there at once")
    func immediate() throws {
        let marker = MarkerMotion(at: try place(8, 50), since: at(0))
            .retargeted(to: try place(9, 51), at: at(1), duration: 0, curve: .linear)
        #expect(try marker.coordinate(at: at(1)) == place(9, 51))
        #expect(!marker.isMoving(at: at(1)))
    }
}
