/// The radius of a lattice point's circle. It is constant for each row, the same for every device, and large enough
/// for the whole cell, so that the circle is true for every place in the cell.
///
/// It is the configured radius almost everywhere. Next to a pole, and where neighbouring rows have different numbers
/// of columns so that their points may align, it is a little larger.
struct LatticeRadii: Sendable {
    private let rows: [Double]

    /// The greatest ratio between a distance on the ellipsoid and the same angle on the mean sphere: at the poles.
    private static let ellipsoid =
        WGS84.semiMajorAxis / (1 - WGS84.eccentricitySquared).squareRoot() / WGS84.meanRadius
    /// Metres by which rounding to five decimals of a degree may move a point.
    private static let rounding = 1.0
    /// Metres to which a larger radius is rounded up.
    private static let step = 10.0

    /// The radii of all rows of a lattice for circles of `radius` metres.
    init(_ lattice: HexagonalLattice, radius: Double) {
        let bands = (0...lattice.columns.count).map { Self.reach(lattice, band: $0) }
        rows = lattice.columns.indices.map { row in
            let needed =
                max(bands[row], bands[row + 1]) * Self.ellipsoid + ApproximateRadius.receiverError + Self.rounding
            return needed <= radius ? radius : (needed / Self.step).rounded(.up) * Self.step
        }
    }

    /// Metres.
    subscript(row: Int) -> Double { rows[row] }

    /// The greatest distance, in metres, of a place between row `band` - 1 and row `band` from the nearest point of
    /// both rows.
    private static func reach(_ lattice: HexagonalLattice, band: Int) -> Double {
        guard band > 0 else { return capReach(lattice, row: 0, pole: -90) }
        guard band < lattice.columns.count else { return capReach(lattice, row: band - 1, pole: 90) }
        let (south, north) = (band - 1, band)
        let (a, b) = (lattice.halfColumn(row: south), lattice.halfColumn(row: north))
        func worst(_ a: Double, _ b: Double) -> Double {
            farthest(lattice.latitude(row: south), a, lattice.latitude(row: north), b)
        }
        // With equal numbers of columns the rows interleave, and the worst place faces a point of one row and the
        // middle between two points of the other. Otherwise it may face the middle between two points of both rows.
        guard lattice.columns[south] == lattice.columns[north] else { return worst(a, b) }
        return max(worst(a, 0), worst(0, b))
    }

    /// Between the last row and the pole, the distance to a point half a column away is greatest at one end.
    private static func capReach(_ lattice: HexagonalLattice, row: Int, pole: Double) -> Double {
        let latitude = lattice.latitude(row: row)
        let aside = arc(latitude, latitude, lattice.halfColumn(row: row))
        return max(aside, arc(pole, latitude, 0))
    }

    /// The greatest distance to the nearer of two points, along the meridian between their latitudes, from which they
    /// are `a` and `b` degrees of longitude away. Each squared chord is a constant minus a cosine of latitude, so the
    /// distances are equal at one place at most, and the greatest is there or at an end.
    private static func farthest(_ south: Double, _ a: Double, _ north: Double, _ b: Double) -> Double {
        let sine = sin(radians(north)) - sin(radians(south))
        let cosine = cos(radians(north)) * cos(radians(b)) - cos(radians(south)) * cos(radians(a))
        let crossing = min(north, max(south, degrees(atan2(-cosine, sine))))
        return [south, crossing, north].reduce(0) { greatest, latitude in
            max(greatest, min(arc(latitude, south, a), arc(latitude, north, b)))
        }
    }

    private static func arc(_ a: Double, _ b: Double, _ aside: Double) -> Double {
        greatCircleDistance(
            Coordinate(wrappingLongitude: 0, clampingLatitude: a),
            Coordinate(wrappingLongitude: aside, clampingLatitude: b))
    }
}

/// The straight line between two positions on the ellipsoid, metres. Under 30 km it equals the geodesic to 0.1 m,
/// also at the poles.
func chord(_ a: Coordinate, _ b: Coordinate) -> Double {
    func point(_ c: Coordinate) -> (x: Double, y: Double, z: Double) {
        let (s, k) = (sin(radians(c.latitude)), cos(radians(c.latitude)))
        let n = WGS84.semiMajorAxis / (1 - WGS84.eccentricitySquared * s * s).squareRoot()
        return (
            n * k * cos(radians(c.longitude)), n * k * sin(radians(c.longitude)),
            n * (1 - WGS84.eccentricitySquared) * s
        )
    }
    let (p, q) = (point(a), point(b))
    return hypot(hypot(p.x - q.x, p.y - q.y), p.z - q.z)
}
