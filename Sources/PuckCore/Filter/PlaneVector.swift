/// A vector in the local plane: metres, or metres a second, or metres a second squared.
struct PlaneVector: Hashable, Sendable {
    var east: Double
    var north: Double

    static let zero = PlaneVector(east: 0, north: 0)

    init(east: Double, north: Double) {
        self.east = east
        self.north = north
    }
    /// The vector of that length in a direction.
    init(length: Double, direction: Direction) {
        let angle = radians(direction.degrees)
        self.init(east: length * sin(angle), north: length * cos(angle))
    }

    var lengthSquared: Double { east * east + north * north }
    var length: Double { lengthSquared.squareRoot() }
    /// Clockwise from north; nil for the zero vector.
    var direction: Direction? {
        lengthSquared > 0 ? Direction(wrapping: degrees(atan2(east, north))) : nil
    }

    func dot(_ other: PlaneVector) -> Double { east * other.east + north * other.north }

    static func + (a: PlaneVector, b: PlaneVector) -> PlaneVector {
        PlaneVector(east: a.east + b.east, north: a.north + b.north)
    }
    static func - (a: PlaneVector, b: PlaneVector) -> PlaneVector {
        PlaneVector(east: a.east - b.east, north: a.north - b.north)
    }
    static func * (k: Double, v: PlaneVector) -> PlaneVector { PlaneVector(east: k * v.east, north: k * v.north) }
    static func += (a: inout PlaneVector, b: PlaneVector) { a = a + b }
    static func -= (a: inout PlaneVector, b: PlaneVector) { a = a - b }
}

/// A two by two matrix over (east, north).
struct PlaneMatrix: Hashable, Sendable {
    var ee: Double
    var en: Double
    var ne: Double
    var nn: Double

    static let zero = PlaneMatrix(diagonal: 0)

    init(ee: Double, en: Double, ne: Double, nn: Double) {
        self.ee = ee
        self.en = en
        self.ne = ne
        self.nn = nn
    }
    /// The same in every direction.
    init(diagonal: Double) { self.init(ee: diagonal, en: 0, ne: 0, nn: diagonal) }

    /// That much along a unit vector, and `across` at right angles to it.
    static func along(_ unit: PlaneVector, _ along: Double, across: Double) -> PlaneMatrix {
        let more = along - across
        let off = more * unit.east * unit.north
        return PlaneMatrix(
            ee: across + more * unit.east * unit.east, en: off, ne: off, nn: across + more * unit.north * unit.north)
    }

    var trace: Double { ee + nn }
    var transposed: PlaneMatrix { PlaneMatrix(ee: ee, en: ne, ne: en, nn: nn) }
    /// The mean of this matrix and its transpose: what rounding takes from a covariance, put back.
    var symmetric: PlaneMatrix {
        let off = (en + ne) / 2
        return PlaneMatrix(ee: ee, en: off, ne: off, nn: nn)
    }
    /// Its inverse, for a positive definite matrix.
    var inverse: PlaneMatrix {
        let determinant = ee * nn - en * ne
        return PlaneMatrix(ee: nn / determinant, en: -en / determinant, ne: -ne / determinant, nn: ee / determinant)
    }

    static func + (a: PlaneMatrix, b: PlaneMatrix) -> PlaneMatrix {
        PlaneMatrix(ee: a.ee + b.ee, en: a.en + b.en, ne: a.ne + b.ne, nn: a.nn + b.nn)
    }
    static func - (a: PlaneMatrix, b: PlaneMatrix) -> PlaneMatrix {
        PlaneMatrix(ee: a.ee - b.ee, en: a.en - b.en, ne: a.ne - b.ne, nn: a.nn - b.nn)
    }
    static func * (k: Double, m: PlaneMatrix) -> PlaneMatrix {
        PlaneMatrix(ee: k * m.ee, en: k * m.en, ne: k * m.ne, nn: k * m.nn)
    }
    static func * (a: PlaneMatrix, b: PlaneMatrix) -> PlaneMatrix {
        PlaneMatrix(
            ee: a.ee * b.ee + a.en * b.ne, en: a.ee * b.en + a.en * b.nn,
            ne: a.ne * b.ee + a.nn * b.ne, nn: a.ne * b.en + a.nn * b.nn)
    }
    static func * (m: PlaneMatrix, v: PlaneVector) -> PlaneVector {
        PlaneVector(east: m.ee * v.east + m.en * v.north, north: m.ne * v.east + m.nn * v.north)
    }
}
