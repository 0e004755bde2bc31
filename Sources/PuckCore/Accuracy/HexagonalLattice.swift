/// A point of a lattice, by its row and column.
public struct LatticePoint: Hashable, Sendable {
    /// Counts from the south.
    public var row: Int
    /// Counts eastwards from the antimeridian.
    public var column: Int

    /// The point at that row and column.
    public init(row: Int, column: Int) {
        self.row = row
        self.column = column
    }
}

/// A public lattice of points over the whole sphere. Its cells are hexagons almost everywhere. It has no secret: two
/// devices at one place show the same point, so asking many devices gains nothing.
///
/// The rows have equal steps of latitude. The columns of a row have equal steps of longitude; their number comes from
/// a ladder that rises by 4 %, so it rarely changes from row to row. Odd rows are shifted by half a column.
struct HexagonalLattice: Sendable {
    /// The number of columns of each row, from the south.
    let columns: [Int]
    private let rowStep: Double

    /// The share of the circle's radius that half a column and half a row take together: a cell's corner is at 0.577
    /// widths, or at 0.589 where the ladder makes a row 4 % too wide.
    private static let widthShare = 0.60
    /// Row spacing divided by column spacing of a hexagonal lattice, √3/2 to three places.
    private static let rowShare = 0.866
    private static let ladder = 1.04

    /// The lattice whose cells fit into circles of `radius` metres, including the receiver's error. At least 2,000 m.
    init(radius: Double) {
        let width = (radius - ApproximateRadius.receiverError) / Self.widthShare
        let rows = Int((.pi * WGS84.meanRadius / (Self.rowShare * width)).rounded())
        let step = 180 / Double(rows)
        rowStep = step
        columns = (0..<rows).map { row in
            let circumference = 2 * .pi * WGS84.meanRadius * cos(PuckCore.radians(-90 + (Double(row) + 0.5) * step))
            return Self.rung(atMost: circumference / width)
        }
    }

    /// The greatest ⌊1.04^k⌋ that is at most `limit`, and at least 1.
    private static func rung(atMost limit: Double) -> Int {
        var k = max(0, (log(max(1, limit)) / log(ladder)).rounded(.down))
        while pow(ladder, k + 1).rounded(.down) <= limit { k += 1 }
        return max(1, Int(pow(ladder, k)))
    }

    /// Latitude of row `row`, degrees north.
    func latitude(row: Int) -> Double { -90 + (Double(row) + 0.5) * rowStep }

    /// Half a row's column step, degrees.
    func halfColumn(row: Int) -> Double { 180 / Double(columns[row]) }

    /// Whether the lattice has that point.
    func contains(_ point: LatticePoint) -> Bool {
        columns.indices.contains(point.row) && (0..<columns[point.row]).contains(point.column)
    }

    /// The ranges of the row and the column of a point.
    var ranges: [ClosedRange<Int>] { [0...(columns.count - 1), 0...((columns.max() ?? 1) - 1)] }

    /// The position of a point of the lattice.
    func coordinate(of point: LatticePoint) -> Coordinate {
        let place = Double(point.column) + 0.5 + shift(row: point.row)
        return Coordinate(
            wrappingLongitude: place / Double(columns[point.row]) * 360 - 180,
            clampingLatitude: latitude(row: point.row))
    }

    /// The point nearest to `coordinate` by the straight line through the sphere, which is also correct at the poles
    /// and across the antimeridian.
    func nearest(to coordinate: Coordinate) -> LatticePoint {
        let target = UnitVector(coordinate)
        let row = min(columns.count - 1, max(0, Int((coordinate.latitude + 90) / rowStep)))
        var best = LatticePoint(row: row, column: 0)
        var closeness = -Double.infinity
        for row in max(0, row - 2)...min(columns.count - 1, row + 2) {
            let count = columns[row]
            let place = (coordinate.longitude + 180) / 360 * Double(count) - 0.5 - shift(row: row)
            let middle = Int(place.rounded())
            for column in (middle - 1)...(middle + 1) {
                let candidate = LatticePoint(row: row, column: ((column % count) + count) % count)
                let dot = target.dot(UnitVector(self.coordinate(of: candidate)))
                if dot > closeness { (best, closeness) = (candidate, dot) }
            }
        }
        return best
    }

    private func shift(row: Int) -> Double { row % 2 == 1 ? 0.5 : 0 }
}

/// A direction from the sphere's centre. The greater the product of two, the shorter the line between them.
private struct UnitVector {
    let x, y, z: Double

    init(_ coordinate: Coordinate) {
        let latitude = radians(coordinate.latitude)
        let longitude = radians(coordinate.longitude)
        x = cos(latitude) * cos(longitude)
        y = cos(latitude) * sin(longitude)
        z = sin(latitude)
    }
    func dot(_ other: UnitVector) -> Double { x * other.x + y * other.y + z * other.z }
}
