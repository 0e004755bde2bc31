/// The maximum distance of an approximate location from the true one, as configured, and all distances derived from
/// it. docs/privacy.md gives the reasons and the figures measured at 2,500 and 5,000 m; between and beyond these two,
/// every distance here is on the straight line through both.
public struct ApproximateRadius: Hashable, Sendable {
    /// Whole metres, in `range`.
    public let metres: Int

    /// The permitted values, metres. Under 2,000 m, thirty days of trips narrow a home too far; 100,000 m is the size
    /// of a region.
    public static let range = 2_000...100_000
    /// The default.
    public static let standard = ApproximateRadius(unchecked: 5_000)

    /// That radius, or nil outside `range`.
    public init?(metres: Int) {
        guard Self.range.contains(metres) else { return nil }
        self.metres = metres
    }
    private init(unchecked metres: Int) { self.metres = metres }

    /// The receiver's error that the circle allows for, metres. A larger error takes the next level.
    static let receiverError = 50.0

    var value: Double { Double(metres) }
    /// An epoch may come early at this distance from the last epoch's position, metres: 3 km at 2.5 km, 5 km at 5 km.
    var earlyDistance: Double { 1_000 + 0.8 * value }
    /// A greater distance from the last epoch's position counts as moving, metres: 1.5 km at 2.5 km, 2.5 km at 5 km.
    var movingDistance: Double { 500 + 0.4 * value }
    /// The radius of the lattice for moving points, metres: 10 km at 2.5 km, 15 km at 5 km.
    var movingLattice: Double { 5_000 + 2 * value }
    /// The largest receiver error, metres, for which the largest circle is still true: the measured position is less
    /// than one radius from the point, which leaves three of the four.
    var worstError: Double { 3 * value }
}

/// The size of an approximate circle.
public enum ApproximationLevel: String, CaseIterable, Hashable, Sendable {
    /// The configured radius.
    case single
    /// Twice the radius: the receiver's error is over 50 m.
    case double
    /// Four times the radius: the receiver's error is over one radius.
    case quadruple
    /// On the move: twice the radius of the lattice for moving points.
    case moving

    /// The smallest level whose circle allows for a receiver error of that many metres, at a standstill.
    init(error: Double, radius: ApproximateRadius) {
        self = error <= ApproximateRadius.receiverError ? .single : error <= radius.value ? .double : .quadruple
    }

    /// The factor of a point's base radius, at a standstill.
    var factor: Double {
        switch self {
        case .single: 1
        case .double: 2
        case .quadruple, .moving: 4
        }
    }
    /// The circle's radius in the regular part of the lattice, metres.
    func nominalRadius(_ radius: ApproximateRadius) -> Double {
        self == .moving ? 2 * radius.movingLattice : factor * radius.value
    }
    /// The camera's zoom for this level, Web Mercator with 512-point tiles. It is constant for each level, so it
    /// reveals nothing more than the level. The circle is `zoomedDiameter` wide on the equator, and wider on the
    /// screen towards the poles.
    func zoom(_ radius: ApproximateRadius) -> Double {
        let metresPerPoint = 2 * nominalRadius(radius) / Self.zoomedDiameter
        return log2(2 * .pi * WGS84.semiMajorAxis / Self.tileSize / metresPerPoint)
    }
    /// Points; a quarter to a half of a small screen's width up to 60° of latitude.
    private static let zoomedDiameter = 256.0
    /// Points of a vector map's tile.
    private static let tileSize = 512.0
}
