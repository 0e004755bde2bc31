/// The projection of a map without tilt onto its screen: Web Mercator, in points from the upper left corner, with x
/// to the right and y down.
public struct ScreenProjection: Sendable {
    private let center: Coordinate
    private let scale: Double
    private let turn: (east: Double, south: Double)
    private let middle: MapPoint
    /// Metres of ground per point at the centre.
    public let metresPerPoint: Double

    /// Creates the projection of a camera onto a screen. `zoom` is 0 to 24, of 512-point tiles; `bearing` is the direction
    /// that is up, in degrees; the size is in points.
    public init(center: Coordinate, zoom: Double, bearing: Double, width: Double, height: Double) {
        self.center = center
        scale = WebMercator.scale(zoom: zoom)
        turn = (cos(radians(bearing)), sin(radians(bearing)))
        middle = MapPoint(x: width / 2, y: height / 2)
        metresPerPoint = WebMercator.metresPerPoint(latitude: center.latitude, zoom: zoom)
    }

    /// Returns the point of a coordinate. It may be off the screen.
    public func point(of coordinate: Coordinate) -> (x: Double, y: Double) {
        let offset = WebMercator.shortestOffset(from: center, to: coordinate) * scale
        return (
            middle.x + offset.x * turn.east + offset.y * turn.south,
            middle.y - offset.x * turn.south + offset.y * turn.east
        )
    }
}
