/// A vector in the local plane: metres, or metres a second, or metres a second squared.
struct PlaneVector: Hashable, Sendable {
    var east: Double
    var north: Double

    static let zero = PlaneVector(east: 0, north: 0)

    init(east: Double, north: Double) {
        self.east = east
        self.north = north
    }
    /// A place in the plane.
    init(_ place: (east: Double, north: Double)) { self.init(east: place.east, north: place.north) }
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

    /// The vector turned by an angle, degrees clockwise.
    func turned(by angle: Double) -> PlaneVector {
        let (s, c) = (sin(radians(angle)), cos(radians(angle)))
        return PlaneVector(east: c * east + s * north, north: c * north - s * east)
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
