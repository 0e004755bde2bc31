/// A local tangent plane: east and north metres about an origin, by the ellipsoid's radii of curvature there.
/// Good to a part in ten thousand within some tens of kilometres; whoever moves on re-centres it.
public struct LocalPlane: Hashable, Sendable {
    /// Where east and north are both zero.
    public let origin: Coordinate
    private let northPerDegree: Double
    private let eastPerDegree: Double

    /// The plane that touches the ellipsoid at `origin`. Within a metre of a pole, east is reckoned as at a metre from it.
    public init(origin: Coordinate) {
        self.origin = origin
        let s = sin(radians(origin.latitude))
        let w = (1 - WGS84.eccentricitySquared * s * s).squareRoot()
        northPerDegree = radians(WGS84.semiMajorAxis * (1 - WGS84.eccentricitySquared) / (w * w * w))
        eastPerDegree = radians(WGS84.semiMajorAxis / w * max(cos(radians(origin.latitude)), 1.6e-7))
    }
    /// East and north of `coordinate` in metres, by the short way round in longitude.
    public func project(_ coordinate: Coordinate) -> (east: Double, north: Double) {
        (
            shortestTurn(from: origin.longitude, to: coordinate.longitude) * eastPerDegree,
            (coordinate.latitude - origin.latitude) * northPerDegree
        )
    }
    /// The position `east` and `north` metres from the origin. Both must be finite.
    public func unproject(east: Double, north: Double) -> Coordinate {
        Coordinate(
            wrappingLongitude: origin.longitude + east / eastPerDegree,
            clampingLatitude: origin.latitude + north / northPerDegree)
    }
}
