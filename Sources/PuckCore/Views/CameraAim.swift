/// The camera that a followed puck asks for: one function for each tier, which sees no more than it may.
enum CameraAim {
    /// The precise tier's: everything that the puck knows may turn the camera.
    static func precise(_ puck: Puck, mode: TrackingMode, settings: FollowSettings, pursuit: Pursuit) -> Camera {
        let released = pursuit.released
        let bearing: Double? =
            switch mode {
            // Unknown stays unknown: the axis is left out and the client keeps the last, never north for want of one.
            // Both turn smoothly from one source to the next, which `heading` and `course` don't.
            case .followWithHeading: puck.bearing?.degrees
            case .followWithCourse: puck.drawnCourse?.degrees
            case .follow, .none: settings.bearing == .unset ? 0 : settings.bearing.value
            }
        let zoom = settings.zoom == .unset ? pursuit.entryZoom : settings.zoom.value
        return Camera(
            center: puck.coordinate,
            zoom: released.contains(.zoom) ? nil : zoom,
            bearing: released.contains(.bearing) ? nil : bearing,
            pitch: released.contains(.pitch) ? nil : settings.pitch.value,
            padding: settings.padding.value)
    }

    /// The approximate tier's: made from the published point and its radius, which is all that it is given, and from
    /// what approximate clients themselves have set.
    static func approximate(
        point: Coordinate, radius: Double, settings: FollowSettings, released: AxisSet
    ) -> Camera {
        let limit = closestZoom(radius: radius)
        let zoom: Double? =
            switch settings.zoom {
            case .unset: limit
            case .client: nil
            case .set(let value): min(value, limit)
            }
        return Camera(
            center: point,
            zoom: released.contains(.zoom) ? nil : zoom,
            bearing: released.contains(.bearing) ? nil : constant(settings.bearing),
            pitch: released.contains(.pitch) ? nil : constant(settings.pitch),
            padding: settings.padding.value)
    }

    /// The closest zoom at which a circle of that radius, metres, fits the smallest screen: of the radius alone, so
    /// that it is the same wherever the circle lies. At 60° of latitude, where a metre is twice as long on the map
    /// as at the equator, it just fits; nearer the equator there is room to spare.
    static func closestZoom(radius: Double) -> Double {
        let metresPerPoint = 2 * radius / Viewport.smallestSide
        let zoom = WebMercator.zoom(
            scale: WebMercator.metresPerPoint(latitude: fittingLatitude, zoom: 0) / metresPerPoint)
        return zoom > 0 ? min(zoom, WebMercator.zooms.upperBound) : 0
    }

    /// The latitude up to which the circle fits the smallest screen, degrees.
    private static let fittingLatitude = 60.0

    private static func constant(_ axis: Axis<Double>) -> Double? { axis == .unset ? 0 : axis.value }
}

extension Viewport {
    /// The side of the smallest screen that a map is drawn on, points: what is fitted to while no size is known.
    static let smallestSide = 320.0
    /// That screen.
    static let smallest = Viewport(width: smallestSide, height: smallestSide)
}
