import Testing

@testable import PuckCore

/// Checked against GeographicLib 2.1.2: `GeodSolve -i -p 6` (Karney's algorithms, good to nanometres).
@Suite("Animation: geodesics") struct AnimationGeodesicTests {
    struct Case: Sendable {
        let from: (latitude: Double, longitude: Double)
        let to: (latitude: Double, longitude: Double)
        let azimuth: Double
        let distance: Double
    }
    static let cases = [
        Case(from: (50, 8), to: (50, 8.00001), azimuth: 89.999_996_169_78, distance: 0.716_958),
        Case(from: (50, 8), to: (50.000_000_1, 8.000_000_1), azimuth: 32.804_921_041_98, distance: 0.013_233),
        Case(from: (50, 8), to: (51, 9), azimuth: 32.145_393_637_25, distance: 131_935.962_781),
        Case(
            from: (52.5163, 13.3777), to: (48.8584, 2.2945), azimuth: -113.081_065_799_03, distance: 881_329.942_153),
        Case(from: (0, 0), to: (0, 1), azimuth: 90, distance: 111_319.490_793),
        Case(from: (0, 0), to: (1, 0), azimuth: 0, distance: 110_574.388_558),
        Case(
            from: (-33.8568, 151.2153), to: (51.5007, -0.1246), azimuth: -40.702_968_588_56,
            distance: 16_988_824.400_148),
        Case(
            from: (40.6413, -73.7781), to: (1.3644, 103.9915), azimuth: 3.305_999_961_41, distance: 15_346_880.806_500),
        Case(from: (10, 179.9), to: (10.5, -179.9), azimuth: 21.595_016_902_50, distance: 59_486.947_784),
        Case(from: (-16.5, -179.95), to: (-16.5, 179.95), azimuth: -90.014_200_770_57, distance: 10_676.415_378),
        Case(from: (89.9, 0), to: (89.9, 120), azimuth: 30.000_037_787_52, distance: 19_345.962_096),
        Case(from: (-89.99999, 45), to: (-89.99998, -100), azimuth: -156.500_262_889_57, distance: 3.213_335),
        Case(from: (60, 10), to: (60, -170.5), azimuth: 0.288_623_728_58, distance: 6_695_715.547_508),
        Case(from: (0, 0), to: (0.4, 179.2), azimuth: 43.868_943_952_04, distance: 19_926_451.053_150),
        Case(from: (35.6586, 139.7454), to: (35.6586, 139.7453), azimuth: -89.999_970_852_29, distance: 9.055_070),
        Case(
            from: (70.6634, 23.6821), to: (-54.8019, -68.3030), azimuth: -113.485_293_392_07,
            distance: 15_660_704.627_359),
    ]

    private func place(_ at: (latitude: Double, longitude: Double)) throws -> Coordinate {
        try #require(Coordinate(longitude: at.longitude, latitude: at.latitude))
    }

    @Test("Distances to 0.1 mm and directions to 1e-6°, as GeodSolve has them", arguments: cases)
    func reference(_ expected: Case) throws {
        let geodesic = try #require(Geodesic(from: try place(expected.from), to: try place(expected.to)))
        let azimuth = try #require(geodesic.azimuth)
        #expect(abs(geodesic.distance - expected.distance) < 1e-4)
        // Over a centimetre GeodSolve's own rounding of the latitudes is 4e-6° of direction.
        let tolerance = expected.distance < 1 ? 1e-5 : 1e-6
        #expect(abs(shortestTurn(from: azimuth.degrees, to: expected.azimuth)) < tolerance)
    }

    @Test("Going so far in that direction comes to where GeodSolve's line ends", arguments: cases)
    func destination(_ expected: Case) throws {
        let azimuth = try #require(Direction(wrapping: expected.azimuth))
        let end = Geodesic.destination(from: try place(expected.from), azimuth: azimuth, distance: expected.distance)
        let off = Geodesic(from: end, to: try place(expected.to))
        // The direction's eleven decimals are a tenth of a millimetre over half the Earth.
        #expect(try #require(off).distance < 0.001)
    }

    @Test("A place that has not moved has no direction")
    func still() throws {
        for at in [(50.0, 8.0), (0, 0), (90, 0), (-90, 12), (12, -180)] {
            let geodesic = Geodesic(from: try place(at), to: try place(at))
            #expect(geodesic?.distance == 0)
            #expect(geodesic?.azimuth == nil)
        }
    }

    @Test("Near the antipode there is no answer, rather than a wrong one")
    func antipode() throws {
        for at in [(0.5, 179.9), (0, 180), (0, 179.9)] {
            #expect(Geodesic(from: try place((0, 0)), to: try place(at)) == nil)
        }
        #expect(Geodesic(from: try place((30, 0)), to: try place((-30, 179.9))) == nil)
    }

    @Test("Whatever the positions, an answer is a number, and the way back is as long")
    func property() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<2000 {
            let a = try place((random.next(in: -90...90), random.next(in: -180...180)))
            let b = try place((random.next(in: -90...90), random.next(in: -180...180)))
            guard let there = Geodesic(from: a, to: b), let back = Geodesic(from: b, to: a) else { continue }
            #expect(abs(there.distance - back.distance) < 1e-3)
            #expect(abs(there.distance - greatCircleDistance(a, b)) < 0.006 * there.distance + 1e-6)
        }
    }
}

extension SeededGenerator {
    /// Uniform in `range`.
    mutating func next(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + unit() * (range.upperBound - range.lowerBound)
    }
}
