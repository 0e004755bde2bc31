import Testing

@testable import PuckCore

@Suite("Approximate locations: the circle is true at the epoch, everywhere")
struct AccuracyWorldTests {
    /// A life of stays and drives from `home` on: by turns an hour or three at a place, and a drive of up to 30 m/s.
    private func wander(from home: Coordinate, seed: UInt64, radius: Int, error: Double) -> AccuracyJourney {
        var random = SeededGenerator(seed: seed)
        var journey = AccuracyJourney(radius: radius, seed: seed)
        var place = home
        for _ in 0..<8 {
            journey.stay(place, for: 3_600 + 7_200 * random.unit(), step: 100, accuracy: error)
            let (east, north) = (60 * (random.unit() - 0.5), 60 * (random.unit() - 0.5))
            let (from, start) = (place, journey.now)
            journey.live(for: 600 + 2_400 * random.unit(), step: 40, accuracy: error) { time in
                place = offset(from, east: east * (time - start), north: north * (time - start))
                return place
            }
        }
        return journey
    }

    private static let starts: [Coordinate] =
        worldwide(6, seed: 21).filter { abs($0.latitude) < 89.9 }
        + [-89.7, -60, -23.4, 0, 37, 71, 89.7].map { Coordinate(wrappingLongitude: 179.95, clampingLatitude: $0) }

    @Test(
        "for lives that start all over the world and cross the antimeridian",
        arguments: [
            (2_000, 10.0), (2_500, 50), (5_000, 50), (2_500, 900), (5_000, 9_000),
        ])
    func lives(radius: Int, error: Double) throws {
        let geometry = Geometry(radius: try #require(ApproximateRadius(metres: radius)))
        var levels: Set<ApproximationLevel> = []
        for (index, home) in Self.starts.enumerated() {
            let journey = wander(from: home, seed: UInt64(index), radius: radius, error: error)
            #expect(journey.epochs.count > 20)
            for epoch in journey.epochs {
                guard let place = epoch.place, let point = epoch.state.point, epoch.state.misses == 0 else { continue }
                levels.insert(point.level)
                let shown = geometry.coordinate(of: point.place, point.level)
                let circle = geometry.radius(of: point.place, point.level)
                // The receiver may be wrong by its error in the worst direction.
                #expect(chord(shown, place) + error <= circle, "\(place) \(point.level) \(epoch.time)")
            }
        }
        #expect(levels.count > (error > 5_000 ? 0 : 1))
    }

    @Test("the radius that is told is a constant of the level and the row")
    func constant() throws {
        var told: [Double: Set<Double>] = [:]
        for (index, home) in Self.starts.enumerated() {
            for sent in wander(from: home, seed: UInt64(index), radius: 2_500, error: 8).sent
            where sent.location.level == .single {
                told[sent.location.coordinate.latitude, default: []].insert(sent.location.accuracy)
            }
        }
        #expect(told.count > 40)
        #expect(told.values.allSatisfy { $0.count == 1 })
    }

    @Test("at a pole itself, on every side of it, the circle holds it")
    func poles() throws {
        for pole in [-90.0, 90] {
            for longitude in stride(from: -180.0, to: 180, by: 15) {
                let place = Coordinate(
                    wrappingLongitude: longitude, clampingLatitude: pole == 90 ? 89.995 : -89.995)
                var journey = AccuracyJourney()
                journey.stay(place, for: 4_000)
                let location = try #require(journey.sent.last?.location)
                #expect(chord(location.coordinate, place) + 50 <= location.accuracy)
            }
        }
    }
}
