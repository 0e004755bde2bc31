import Testing

@testable import PuckCore

/// Positions drawn evenly over the sphere, and the awkward ones.
func worldwide(_ count: Int, seed: UInt64) -> [Coordinate] {
    var random = SeededGenerator(seed: seed)
    let drawn = (0..<count).map { _ in
        Coordinate(
            wrappingLongitude: random.unit() * 360 - 180,
            clampingLatitude: degrees(asin(2 * random.unit() - 1)))
    }
    let awkward = [-90.0, -89.999, -89.98, 0, 51.4778, 89.97, 90].flatMap { latitude in
        [-180.0, -179.9999, 0, 179.9999].map { Coordinate(wrappingLongitude: $0, clampingLatitude: latitude) }
    }
    return drawn + awkward
}

@Suite("Lattice of approximate points")
struct AccuracyLatticeTests {
    static let radii = [2_000.0, 2_500, 5_000, 10_000, 15_000, 100_000]

    @Test("rows and columns are those of the published formula")
    func formula() {
        let lattice = HexagonalLattice(radius: 2_500)
        // π · 6,371,008.8 / (0.866 · 2450/0.6) = 5,660.2
        #expect(lattice.columns.count == 5_660)
        #expect(lattice.columns.first == 2)
        #expect(lattice.columns.last == 2)
        for (row, count) in lattice.columns.enumerated() {
            let limit = 2 * Double.pi * 6_371_008.8 * cos(radians(lattice.latitude(row: row))) / (2_450 / 0.6)
            #expect(Double(count) <= limit)
            // No rung of the ladder lies between the count and the limit.
            var k = 0.0
            while pow(1.04, k).rounded(.down) <= limit { k += 1 }
            #expect(Double(count) == max(1, pow(1.04, k - 1).rounded(.down)))
        }
    }

    @Test("the nearest point is the nearest of all", arguments: [30_000.0, 100_000])
    func nearest(radius: Double) {
        let lattice = HexagonalLattice(radius: radius)
        let all = lattice.columns.indices.flatMap { row in
            (0..<lattice.columns[row]).map { LatticePoint(row: row, column: $0) }
        }
        let coordinates = all.map(lattice.coordinate)
        for place in worldwide(radius > 50_000 ? 50 : 1, seed: 1) {
            let least = coordinates.reduce(.infinity) { min($0, greatCircleDistance($1, place)) }
            let found = greatCircleDistance(lattice.coordinate(of: lattice.nearest(to: place)), place)
            #expect(abs(found - least) < 1e-3, "\(place)")
        }
    }

    @Test("a point of the lattice is its own nearest", arguments: radii)
    func ownNearest(radius: Double) {
        let lattice = HexagonalLattice(radius: radius)
        var random = SeededGenerator(seed: 2)
        for row in lattice.columns.indices {
            let column = Int(random.unit() * Double(lattice.columns[row]))
            for point in [0, column, lattice.columns[row] - 1].map({ LatticePoint(row: row, column: $0) }) {
                #expect(lattice.contains(point))
                #expect(lattice.nearest(to: lattice.coordinate(of: point)) == point)
            }
        }
    }

    @Test("the circle holds its whole cell, all over the world", arguments: radii)
    func circles(radius: Double) {
        let lattice = HexagonalLattice(radius: radius)
        let radii = LatticeRadii(lattice, radius: radius)
        for place in worldwide(4_000, seed: 3) {
            let point = lattice.nearest(to: place)
            let distance = chord(lattice.coordinate(of: point), place)
            #expect(distance + 50 < radii[point.row], "\(place)")
        }
    }

    @Test("the circle holds its whole cell in every row: next to a step in columns, and at the poles")
    func rows() {
        let lattice = HexagonalLattice(radius: 2_500)
        let radii = LatticeRadii(lattice, radius: 2_500)
        var random = SeededGenerator(seed: 4)
        let step = 180 / Double(lattice.columns.count)
        var tightest = Double.infinity
        for row in lattice.columns.indices {
            let steps = row > 0 && lattice.columns[row - 1] != lattice.columns[row]
            for _ in 0..<(steps || row < 20 || row > lattice.columns.count - 20 ? 30 : 2) {
                let place = Coordinate(
                    wrappingLongitude: random.unit() * 360 - 180,
                    clampingLatitude: lattice.latitude(row: row) - step * random.unit())
                let point = lattice.nearest(to: place)
                let slack = radii[point.row] - 50 - chord(lattice.coordinate(of: point), place)
                #expect(slack > 0, "row \(row)")
                tightest = min(tightest, slack)
            }
        }
        // The bound is not slack everywhere either: somewhere a cell nearly fills its circle.
        #expect(tightest < 100)
    }

    @Test("the radius is the configured one but near poles and steps, and never much larger")
    func radiusIsConstant() {
        for radius in Self.radii {
            let lattice = HexagonalLattice(radius: radius)
            let radii = LatticeRadii(lattice, radius: radius)
            let count = lattice.columns.count
            for row in 1..<(count - 1) {
                #expect(
                    radii[row] >= radius && radii[row] <= radius * (row > 30 && row < count - 30 ? 8 / 7 : 4 / 3),
                    "row \(row) of \(count): \(radii[row])")
                let regular =
                    lattice.columns[row - 1] == lattice.columns[row] && lattice.columns[row + 1] == lattice.columns[row]
                // Farther from a pole than a few rows, where parallels are all but straight.
                if regular, row > 30, row < count - 30 { #expect(radii[row] == radius) }
            }
        }
    }

    @Test(
        "the chord is the geodesic's length",
        arguments: [
            // Vincenty's formula on WGS 84.
            (0.0, 0.0, 0.0, 0.05, 5_565.974539664),
            (0.0, 0.0, 0.05, 0.0, 5_528.713752),
            (89.98, 0.0, 89.98, 180.0, 4_467.755),
        ])
    func chords(a: Double, b: Double, c: Double, d: Double, metres: Double) throws {
        let from = try #require(Coordinate(longitude: b, latitude: a))
        let to = try #require(Coordinate(longitude: d, latitude: c))
        #expect(abs(chord(from, to) - metres) < 0.1)
    }
}
