/// How far an approximate location may lie from the true one, as the configuration says it, and all that follows from
/// it. docs/privacy.md gives the reasons and the figures measured at 2,500 and 5,000 m; between and beyond these two
/// every distance here is the straight line through both.
public struct ApproximateRadius: Hashable, Sendable {
    /// Whole metres, in `range`.
    public let metres: Int

    /// What a configuration may say, metres. Under 2,000 m thirty days of trips narrow a home too far; 100,000 m is
    /// the size of a region.
    public static let range = 2_000...100_000
    /// Used where the configuration says nothing.
    public static let standard = ApproximateRadius(unchecked: 5_000)

    /// That radius, or nil outside `range`.
    public init?(metres: Int) {
        guard Self.range.contains(metres) else { return nil }
        self.metres = metres
    }
    private init(unchecked metres: Int) { self.metres = metres }

    /// The receiver's error that the circle allows for, metres: a worse one takes the next level.
    static let receiverError = 50.0

    var value: Double { Double(metres) }
    /// An epoch may come early this far from the last one's position, metres: 3 km at 2.5 km, 5 km at 5 km.
    var earlyDistance: Double { 1_000 + 0.8 * value }
    /// Farther than this from the last epoch's position counts as moving, metres: 1.5 km at 2.5 km, 2.5 km at 5 km.
    var movingDistance: Double { 500 + 0.4 * value }
    /// The radius that the lattice of moving points is made for, metres: 10 km at 2.5 km, 15 km at 5 km.
    var movingLattice: Double { 5_000 + 2 * value }
    /// The worst receiver error, metres, for which the largest circle is still true: the measured position is less
    /// than one radius from the point, which leaves three of the four.
    var worstError: Double { 3 * value }
}

/// How large an approximate circle is.
public enum ApproximationLevel: String, CaseIterable, Hashable, Sendable {
    /// The configured radius.
    case single
    /// Twice the radius: the receiver's error is over 50 m.
    case double
    /// Four times the radius: the receiver's error is over one radius.
    case quadruple
    /// On the move: twice the radius that the moving lattice is made for.
    case moving

    /// The least level whose circle holds a receiver's error of that many metres, standing still.
    init(error: Double, radius: ApproximateRadius) {
        self = error <= ApproximateRadius.receiverError ? .single : error <= radius.value ? .double : .quadruple
    }

    /// What the base radius of a point is multiplied by, standing still.
    var factor: Double {
        switch self {
        case .single: 1
        case .double: 2
        case .quadruple, .moving: 4
        }
    }
    /// The circle's radius where the lattice is regular, metres.
    func nominalRadius(_ radius: ApproximateRadius) -> Double {
        self == .moving ? 2 * radius.movingLattice : factor * radius.value
    }
    /// The camera's zoom for this level, Web Mercator with 512-point tiles: one constant a level, so that it tells
    /// nothing that the level does not. The circle is `zoomedDiameter` wide on the equator, wider on the screen
    /// towards the poles.
    func zoom(_ radius: ApproximateRadius) -> Double {
        let metresPerPoint = 2 * nominalRadius(radius) / Self.zoomedDiameter
        return log2(2 * .pi * WGS84.semiMajorAxis / Self.tileSize / metresPerPoint)
    }
    /// Points; a quarter to a half of a small screen's width up to 60° of latitude.
    private static let zoomedDiameter = 256.0
    /// Points of one tile of a vector map.
    private static let tileSize = 512.0
}
