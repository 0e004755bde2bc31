/// The target camera for a followed puck: one function for each tier, which gets only the data of that tier.
enum CameraAim {
    /// The precise tier's target: everything that the puck knows may turn the camera.
    static func precise(_ puck: Puck, mode: TrackingMode, settings: FollowSettings, pursuit: Pursuit) -> Camera {
        let released = pursuit.released
        let bearing: Double? =
            switch mode {
            // An unknown direction stays unknown: the axis is absent and the client keeps its last value, never north
            // by default. Both turn smoothly from one source to the next, which `heading` and `course` do not.
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

    /// The approximate tier's target. It is computed only from the published point and its radius, and from options
    /// that approximate clients have set.
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

    /// The closest zoom at which a circle with that radius, metres, fits the smallest screen. It depends on the
    /// radius alone, so it is the same for every place. At 60° of latitude, where a metre is twice as long on the map
    /// as at the equator, the circle just fits; nearer to the equator it fits with room to spare.
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
    /// The side of the smallest screen that shows a map, points: used while the size of the screen is unknown.
    static let smallestSide = 320.0
    /// That screen.
    static let smallest = Viewport(width: smallestSide, height: smallestSide)
}
