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
        var camera = target
        let metresPerPoint = WebMercator.metresPerPoint(latitude: center.latitude, zoom: zoom)
        let slack = slack * max(0, 1 - speed / (metresPerPoint * tautSpeed))
        guard slack > 0 else { return target }
        if let old = shown.center {
            let pull = WebMercator.shortestOffset(from: center, to: old) * WebMercator.scale(zoom: zoom)
            let distance = pull.length
            if distance <= slack + leastPull {
                camera.center = old
            } else {
                camera.center = center.moved(by: pull * (slack / distance / WebMercator.scale(zoom: zoom)))
            }
        }
        if let bearing = target.bearing, let old = shown.bearing {
            // What turns by `slack` points at the corner, the furthest from the centre.
            let degreesPerPoint = degrees(2 / hypot(viewport.width, viewport.height))
            let turn = shortestTurn(from: bearing, to: old)
            if abs(turn) <= (slack + leastPull) * degreesPerPoint {
                camera.bearing = old
            } else {
                let slackTurn = turn < 0 ? -slack * degreesPerPoint : slack * degreesPerPoint
                camera.bearing = Direction(wrapping: bearing + slackTurn)?.degrees ?? bearing
            }
        }
        return camera
    }
}
