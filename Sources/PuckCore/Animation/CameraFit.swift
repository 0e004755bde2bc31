/// The closest camera that shows a set of positions, in the renderer's own perspective.
///
/// The map is a plane in points, turned by the bearing. The eye is above the centre at a distance of `eyeDistance`
/// points, tilted by the pitch. A point X to the right and Y ahead of the centre, at scale s, appears at x = sX·D /
/// (D + sY·sin φ) and y = sY·cos φ·D / (D + sY·sin φ). So each edge of the free space is a linear condition on the
/// centre, and both the closest scale and the centre have a closed form.
struct CameraFit {
    /// The screen.
    var viewport: Viewport
    /// The camera's own padding, points: its centre is in the middle of the remaining space.
    var padding = Padding()
    /// Space kept free around the geometry, inside the padding, points.
    var geometryPadding = Padding()
    /// The bearing, degrees from true north.
    var bearing = 0.0
    /// Pitch, degrees, 0 to 85.
    var pitch = 0.0
    /// The greatest zoom; nil: `closestZoom`, or `pointZoom` if all positions are equal.
    var maxZoom: Double?

    /// The default greatest zoom of a fit, as in renderers.
    static let closestZoom = 22.0
    /// How near to the horizon things are still shown, as a share of the distance to it: beyond, the map is a sliver.
    private static let belowHorizon = 0.9
    /// The default zoom for a single position, as for following the puck.
    static let pointZoom = FollowSettings.defaultZoom

    /// The camera, or nil if there is nothing to show or no room.
    func camera(for coordinates: [Coordinate]) -> Camera? {
        guard let points = Self.unwrapped(coordinates), let room else { return nil }
        let turn = radians(bearing)
        let (right, down) = (cos(turn), sin(turn))
        // The map's plane in the camera's axes: X to the right of the screen, Y up it; y of the world points south.
        let xs = points.map { $0.x * right + $0.y * down }
        let ys = points.map { $0.x * down - $0.y * right }
        guard let bottom = ys.min(), let top = ys.max() else { return nil }

        let (tilt, upright) = (sin(radians(pitch)), cos(radians(pitch)))
        let distance = eyeDistance
        // How far ahead and behind, in points, the plane is visible within the room.
        let ahead = room.top * distance / (distance * upright - room.top * tilt)
        let behind = -room.bottom * distance / (distance * upright - room.bottom * tilt)

        // Points further ahead are smaller: at the sides, the room widens by `spread` per point ahead.
        let spread = tilt / distance
        let leftmost = zip(xs, ys).map { $0 - room.left * spread * $1 }.min() ?? 0
        let rightmost = zip(xs, ys).map { $0 - room.right * spread * $1 }.max() ?? 0
        let width = room.right - room.left
        let perScale = max(
            (top - bottom) / (ahead + behind),
            ((rightmost - leftmost) / width + spread * top) / (1 + spread * ahead))

        let isPoint = top == bottom && xs.allSatisfy { $0 == xs[0] }
        let limit = maxZoom ?? (isPoint ? Self.pointZoom : Self.closestZoom)
        let closest = perScale > 0 ? -log2(perScale) : limit
        let zoom = max(WebMercator.zooms.lowerBound, min(closest, limit, WebMercator.zooms.upperBound))

        // The middle one of the centres from which everything is visible.
        let unit = 1 / WebMercator.scale(zoom: zoom)
        let lowest = top - ahead * unit
        let sideways = spread > 0 ? (unit - (rightmost - leftmost) / width) / spread : .infinity
        let centerY = (lowest + min(bottom + behind * unit, sideways)) / 2
        let reach = unit - spread * centerY
        let centerX = ((rightmost - room.right * reach) + (leftmost - room.left * reach)) / 2
        let center = MapPoint(x: centerX * right + centerY * down, y: centerX * down - centerY * right)
        return Camera(
            center: WebMercator.unproject(center), zoom: zoom, bearing: bearing, pitch: pitch, padding: padding)
    }

    /// Points from the eye to the centre.
    private var eyeDistance: Double { viewport.height / 2 / tan(radians(viewport.fieldOfView) / 2) }

    /// The free space around the position of the centre, points to the right and up; nil if there is none.
    private var room: (left: Double, right: Double, bottom: Double, top: Double)? {
        let halfWidth = (viewport.width - padding.left - padding.right) / 2
        let halfHeight = (viewport.height - padding.top - padding.bottom) / 2
        let left = geometryPadding.left - halfWidth
        let right = halfWidth - geometryPadding.right
        let bottom = geometryPadding.bottom - halfHeight
        let horizon = pitch > 0 ? eyeDistance / tan(radians(pitch)) : .infinity
        let top = min(halfHeight - geometryPadding.top, horizon * Self.belowHorizon)
        guard left < right, bottom < top else { return nil }
        return (left, right, bottom, top)
    }

    /// The positions on the map, across the antimeridian if that span is shorter. (The widest gap between
    /// neighbouring longitudes is left out.)
    static func unwrapped(_ coordinates: [Coordinate]) -> [MapPoint]? {
        let longitudes = coordinates.map(\.longitude).sorted()
        guard let first = longitudes.first, let last = longitudes.last else { return nil }
        var widest = first + 360 - last
        var seam = first
        for (west, east) in zip(longitudes, longitudes.dropFirst()) where east - west > widest {
            widest = east - west
            seam = east
        }
        return coordinates.map {
            var point = WebMercator.project($0)
            if $0.longitude < seam { point.x += WebMercator.tileSize }
            return point
        }
    }
}
