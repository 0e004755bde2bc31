/// A point of the Web Mercator world at zoom 0: x to the east and y to the south of the north-west corner, in points.
/// x may leave [0, 512) by whole worlds, so that a path may cross the antimeridian.
struct MapPoint: Hashable, Sendable {
    var x: Double
    var y: Double

    static func + (a: MapPoint, b: MapPoint) -> MapPoint { MapPoint(x: a.x + b.x, y: a.y + b.y) }
    static func - (a: MapPoint, b: MapPoint) -> MapPoint { MapPoint(x: a.x - b.x, y: a.y - b.y) }
    static func * (a: MapPoint, factor: Double) -> MapPoint { MapPoint(x: a.x * factor, y: a.y * factor) }
    var length: Double { hypot(x, y) }
}

/// Spherical Mercator of 512-point tiles, as MapLibre and Mapbox number their zooms. (EPSG:3857)
enum WebMercator {
    /// The world's width and height at zoom 0, points: one tile.
    static let tileSize = 512.0
    /// The latitude at which the square world ends, degrees: atan(sinh π).
    static let maxLatitude = 85.051_128_779_806_6
    /// The zooms of a camera.
    static let zooms = 0.0...24.0

    /// The world's width and height in points.
    static func worldSize(zoom: Double) -> Double { tileSize * scale(zoom: zoom) }
    /// Points at `zoom` per point at zoom 0.
    static func scale(zoom: Double) -> Double { exp2(zoom) }
    /// The zoom at which a point of zoom 0 has the size of `scale` points.
    static func zoom(scale: Double) -> Double { log2(scale) }

    /// Ground metres per point at a latitude, on EPSG:3857's sphere.
    static func metresPerPoint(latitude: Double, zoom: Double) -> Double {
        let onMap = min(maxLatitude, max(-maxLatitude, latitude))
        return 2 * .pi * WGS84.semiMajorAxis * cos(radians(onMap)) / worldSize(zoom: zoom)
    }

    /// The world point of a coordinate; latitudes outside the map are on its edge.
    static func project(_ coordinate: Coordinate) -> MapPoint {
        MapPoint(
            x: tileSize * (coordinate.longitude + 180) / 360,
            y: tileSize * (0.5 - mercatorY(latitude: coordinate.latitude) / (2 * .pi)))
    }

    /// The coordinate of a world point, with its longitude wrapped and its latitude on the map.
    static func unproject(_ point: MapPoint) -> Coordinate {
        let north = (0.5 - point.y / tileSize) * 2 * .pi
        let latitude = degrees(atan(sinh(north)))
        return Coordinate(
            wrappingLongitude: point.x / tileSize * 360 - 180,
            clampingLatitude: min(maxLatitude, max(-maxLatitude, latitude)))
    }

    /// From `a` to `b`, the shorter way in x, in points of zoom 0.
    static func shortestOffset(from a: Coordinate, to b: Coordinate) -> MapPoint {
        let start = project(a)
        let end = project(b)
        return MapPoint(x: tileSize * shortestTurn(from: a.longitude, to: b.longitude) / 360, y: end.y - start.y)
    }

    private static func mercatorY(latitude: Double) -> Double {
        asinh(tan(radians(min(maxLatitude, max(-maxLatitude, latitude)))))
    }
}
