/// A local tangent plane: east and north metres about an origin on the WGS 84 ellipsoid.
///
/// Up to 85° of latitude it is flat: metres per degree at the origin, accurate to one per cent within `reach`. Nearer
/// to a pole, where meridians meet, it is azimuthal about the origin, and the direction of true north depends on the
/// place: `convergence` gives the angle.
public struct LocalPlane: Hashable, Sendable {
    /// Beyond this latitude, degrees, the plane is azimuthal.
    private static let polarLatitude = 85.0
    /// The maximum distance from the origin, m, and as a share of the distance to the pole.
    private static let farthest = (distance: 20_000.0, share: 0.02)

    /// The position with east and north zero.
    public let origin: Coordinate
    private let northPerDegree: Double
    private let eastPerDegree: Double
    /// Radius of the sphere that the plane touches, m; nil if it is flat.
    private let sphere: Double?

    /// The plane that touches the ellipsoid at `origin`.
    public init(origin: Coordinate) {
        self.origin = origin
        let s = sin(radians(origin.latitude))
        let w = (1 - WGS84.eccentricitySquared * s * s).squareRoot()
        northPerDegree = radians(WGS84.semiMajorAxis * (1 - WGS84.eccentricitySquared) / (w * w * w))
        eastPerDegree = radians(WGS84.semiMajorAxis / w * cos(radians(origin.latitude)))
        sphere = origin.latitude.magnitude > Self.polarLatitude ? WGS84.semiMajorAxis / w : nil
    }

    /// The distance from the origin, m, up to which the plane may be used; beyond it, create a new one.
    public var reach: Double {
        guard sphere == nil else { return Self.farthest.distance }
        let pole = (90 - origin.latitude.magnitude) * northPerDegree
        return min(Self.farthest.distance, Self.farthest.share * pole)
    }

    /// East and north of `coordinate` in metres, the shorter way in longitude.
    public func project(_ coordinate: Coordinate) -> (east: Double, north: Double) {
        let turn = shortestTurn(from: origin.longitude, to: coordinate.longitude)
        guard let sphere else {
            return (turn * eastPerDegree, (coordinate.latitude - origin.latitude) * northPerDegree)
        }
        let ray = Self.ray(from: origin.latitude, to: coordinate.latitude, turn: turn)
        let length = hypot(ray.east, ray.north)
        guard length > 0 else { return (0, 0) }
        let scale = sphere * atan2(length, ray.up) / length
        return (scale * ray.east, scale * ray.north)
    }

    /// The position `east` and `north` metres from the origin. Both must be finite.
    public func unproject(east: Double, north: Double) -> Coordinate {
        guard let sphere else {
            return Coordinate(
                wrappingLongitude: origin.longitude + east / eastPerDegree,
                clampingLatitude: origin.latitude + north / northPerDegree)
        }
        let length = hypot(east, north)
        guard length > 0 else { return origin }
        let (rise, run) = (cos(length / sphere), sin(length / sphere) / length)
        let (s, c) = (sin(radians(origin.latitude)), cos(radians(origin.latitude)))
        let outward = c * rise - s * run * north
        let sideways = run * east
        let upward = s * rise + c * run * north
        return Coordinate(
            wrappingLongitude: origin.longitude + degrees(atan2(sideways, outward)),
            clampingLatitude: degrees(atan2(upward, hypot(outward, sideways))))
    }

    /// The angle in degrees clockwise from the plane's north to true north at `coordinate`. Add it to a true
    /// direction to get one in the plane. 0 if the plane is flat.
    public func convergence(at coordinate: Coordinate) -> Double {
        guard sphere != nil else { return 0 }
        let turn = shortestTurn(from: origin.longitude, to: coordinate.longitude)
        let out = Self.ray(from: origin.latitude, to: coordinate.latitude, turn: turn)
        let back = Self.ray(from: coordinate.latitude, to: origin.latitude, turn: -turn)
        guard out.east != 0 || out.north != 0 else { return 0 }
        // The direction that is `out` in the plane is the opposite of `back` from true north there.
        return degrees(atan2(out.east, out.north) - atan2(-back.east, -back.north))
    }

    /// The unit vector from the centre to a position, in the axes of one at latitude `start` and `turn` degrees west
    /// of it.
    private static func ray(
        from start: Double, to end: Double, turn: Double
    ) -> (east: Double, north: Double, up: Double) {
        let (s1, c1) = (sin(radians(start)), cos(radians(start)))
        let (s2, c2) = (sin(radians(end)), cos(radians(end)))
        let (st, ct) = (sin(radians(turn)), cos(radians(turn)))
        return (c2 * st, c1 * s2 - s1 * c2 * ct, s1 * s2 + c1 * c2 * ct)
    }
}
