/// Keeps a following camera still while the puck's movement is too small to see on the screen, so that it causes no
/// frames.
///
/// The camera hangs on the puck like on a slack rope: inside the slack it stays, beyond it the puck pulls it along,
/// so it never jumps. The faster the puck moves on the screen, the shorter the rope. For a clearly moving puck the
/// rope is gone, and the camera is exactly on the puck.
enum DeadBand {
    /// The slack, points: a puck that trembles by one point stays inside.
    static let slack = 0.5
    /// A remaining distance below this, points, is not worth a frame.
    private static let leastPull = 1.0 / 16
    /// The speed on the screen from which there is no slack, points a second.
    private static let tautSpeed = 2.0

    /// The camera to show: `target`, or the part of `shown` that is still close enough to it. `zoom` is the screen's
    /// zoom, which may differ from the view's own; `speed` is the puck's, m/s.
    static func apply(
        _ target: Camera, shown: Camera, zoom: Double, speed: Double, viewport: Viewport
    ) -> Camera {
        guard let center = target.center else { return target }
        // Near the puck, a degree has the same length everywhere, so the map's projection is not needed.
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
            // The angle that moves the corner of the screen, the point farthest from the centre, by `slack` points.
            let degreesPerPoint = degrees(2 / hypot(viewport.width, viewport.height))
            let turn = shortestTurn(from: bearing, to: old)
            let kept = abs(turn) <= (slack + leastPull) * degreesPerPoint ? turn : slack * degreesPerPoint
            camera.bearing = kept == turn ? old : Direction(wrapping: bearing + (turn < 0 ? -kept : kept))?.degrees
        }
        return camera
    }

    /// The cosine of a latitude outside the map, where the computation ends.
    private static let leastShrink = 1e-6
}
