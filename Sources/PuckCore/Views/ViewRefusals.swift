extension ViewState {
    /// The reason to refuse a command; nil to accept it. Values that a decoder checks are checked again here: a
    /// number that is not finite must not reach a camera.
    func refusal(of command: ViewCommand, from sender: AccuracyMode) -> ViewRefusal? {
        switch command {
        case .track, .trackNext, .idle:
            return nil
        case .follow(let options, _):
            return Self.refusal(of: options)
        case .overview(let options):
            return Self.refusal(of: options) ?? refusal(ofFitting: options, from: sender)
        case .ease(let camera, let duration, let curve), .fly(let camera, let duration, let curve):
            return Self.refusal(ofOnly: camera) ?? Self.refusal(duration: duration) ?? Self.refusal(of: curve)
        case .gesture(_, _, let camera):
            return camera.flatMap(Self.refusal(of:))
        case .viewport(let viewport):
            return Self.refusal(of: viewport)
        case .marker(let name, _, let duration, let curve):
            if hasNoRoom(forMarker: name, from: sender) { return .tooManyMarkers(limit: Self.markerLimit) }
            return Self.refusal(duration: duration) ?? Self.refusal(of: curve)
        case .removeMarker(let name):
            return hasMarker(name, from: sender) ? nil : .unknownMarker(name)
        }
    }

    private static func refusal(of options: FollowOptions) -> ViewRefusal? {
        if case .set(let zoom) = options.zoom, let refusal = refusal(zoom: zoom) { return refusal }
        if case .set(.constant(let degrees)) = options.bearing, let refusal = refusal(bearing: degrees) {
            return refusal
        }
        if case .set(let pitch) = options.pitch, let refusal = refusal(pitch: pitch) { return refusal }
        if case .set(let padding) = options.padding { return refusal(of: padding, field: "padding") }
        return nil
    }

    private static func refusal(of options: OverviewOptions) -> ViewRefusal? {
        if options.geometry.coordinates.isEmpty {
            return .badValue(field: "geometry", expected: "at least one position")
        }
        return options.padding.flatMap { refusal(of: $0, field: "padding") }
            ?? options.geometryPadding.flatMap { refusal(of: $0, field: "geometryPadding") }
            ?? options.maxZoom.flatMap { refusal(zoom: $0, field: "maxZoom") }
            ?? options.bearing.flatMap(refusal(bearing:)) ?? options.pitch.flatMap(refusal(pitch:))
            ?? refusal(duration: options.duration)
    }

    private static func refusal(ofOnly camera: Camera) -> ViewRefusal? {
        camera.isEmpty ? .badValue(field: "camera", expected: "at least one axis") : refusal(of: camera)
    }

    private static func refusal(of camera: Camera) -> ViewRefusal? {
        camera.zoom.flatMap { refusal(zoom: $0) } ?? camera.bearing.flatMap(refusal(bearing:))
            ?? camera.pitch.flatMap(refusal(pitch:)) ?? camera.padding.flatMap { refusal(of: $0, field: "padding") }
    }

    private static func refusal(of viewport: Viewport) -> ViewRefusal? {
        guard sides.contains(viewport.width) else { return .badValue(field: "width", expected: "points, 1 to 100000") }
        guard sides.contains(viewport.height) else {
            return .badValue(field: "height", expected: "points, 1 to 100000")
        }
        guard fields.contains(viewport.fieldOfView) else {
            return .badValue(field: "fov", expected: "degrees, 1 to 150")
        }
        return nil
    }

    private static func refusal(zoom: Double, field: String = "zoom") -> ViewRefusal? {
        WebMercator.zooms.contains(zoom) ? nil : .badValue(field: field, expected: "a zoom, 0 to 24")
    }

    private static func refusal(bearing: Double) -> ViewRefusal? {
        (0..<360).contains(bearing) ? nil : .badValue(field: "bearing", expected: "degrees, 0 to below 360")
    }

    private static func refusal(pitch: Double) -> ViewRefusal? {
        (0...Camera.steepestPitch).contains(pitch) ? nil : .badValue(field: "pitch", expected: "degrees, 0 to 85")
    }

    private static func refusal(of padding: Padding, field: String) -> ViewRefusal? {
        let edges = [padding.top, padding.left, padding.bottom, padding.right]
        return edges.allSatisfy(Padding.range.contains)
            ? nil : .badValue(field: field, expected: "points at each edge, 0 to 100000")
    }

    private static func refusal(duration: Double?) -> ViewRefusal? {
        guard let duration else { return nil }
        return (0...longestDuration).contains(duration)
            ? nil : .badValue(field: "duration", expected: "seconds, 0 to 3600")
    }

    private static func refusal(of curve: EasingCurve?) -> ViewRefusal? {
        guard let curve else { return nil }
        let isCurve =
            (0...1).contains(curve.x1) && (0...1).contains(curve.x2) && overshoots.contains(curve.y1)
            && overshoots.contains(curve.y2)
        return isCurve ? nil : .badValue(field: "curve", expected: "x in 0 to 1, y in -10 to 10")
    }

    /// The size of a screen, points a side: more than any wall of screens has.
    private static let sides = 1.0...100_000.0
    /// Fields of view, degrees.
    private static let fields = 1.0...150.0
    /// The range of a curve's control points in progress.
    private static let overshoots = -10.0...10.0
}
