/// Keeps a following camera still while the puck trembles by less than a screen shows, so that no frame is made for it.
///
/// The camera hangs on the puck as by a slack rope: inside the slack it stays, beyond it is drawn along, so it never
/// jumps. The faster the puck goes on the screen the shorter the rope, and a puck that plainly moves has none:
/// the camera is exactly on it.
enum DeadBand {
    /// The slack, points: a puck that trembles by a point across stays inside.
    static let slack = 0.5
    /// What is left of a pull smaller than this, points, is not worth a frame.
    private static let leastPull = 1.0 / 16
    /// From this speed on the screen, points a second, there is no slack.
    private static let tautSpeed = 2.0

    /// The camera to show: `target`, or what of `shown` is still good enough for it.
    /// `zoom` is what the screen has, which need not be the view's own; `speed` is the puck's, m/s.
    static func apply(
        _ target: Camera, shown: Camera, zoom: Double, speed: Double, viewport: Viewport
    ) -> Camera {
        guard let center = target.center else { return target }
        // So near the puck, a degree is as long everywhere: no need to go by way of the map's projection.
        let pointsPerDegree = WebMercator.worldSize(zoom: zoom) / 360
        let shrink = max(cos(radians(center.latitude)), leastShrink)
        let metresPerPoint = WGS84.semiMajorAxis * radians(1) * shrink / pointsPerDegree
        let slack = slack * max(0, 1 - speed / (metresPerPoint * tautSpeed))
        guard slack > 0 else { return target }
        var camera = target
        if let old = shown.center {
            let east = shortestTurn(from: center.longitude, to: old.longitude)
            let north = old.latitude - center.latitude
            let distance = hypot(east, north / shrink) * pointsPerDegree
            let kept = distance <= slack + leastPull ? 1 : slack / distance
            camera.center = Coordinate(
                wrappingLongitude: center.longitude + east * kept, clampingLatitude: center.latitude + north * kept)
            if kept == 1 { camera.center = old }
        }
        if let bearing = target.bearing, let old = shown.bearing {
            // What turns by `slack` points at the corner, the furthest from the centre.
            let degreesPerPoint = degrees(2 / hypot(viewport.width, viewport.height))
            let turn = shortestTurn(from: bearing, to: old)
            let kept = abs(turn) <= (slack + leastPull) * degreesPerPoint ? turn : slack * degreesPerPoint
            camera.bearing = kept == turn ? old : Direction(wrapping: bearing + (turn < 0 ? -kept : kept))?.degrees
        }
        return camera
    }

    /// The cosine of a latitude off the map, where the reckoning ends.
    private static let leastShrink = 1e-6
}
