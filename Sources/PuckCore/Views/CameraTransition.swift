/// How a camera moves to its target.
enum TransitionPlan: Hashable, Sendable {
    /// Immediately.
    case immediate
    /// Each component in its own time, together at most `TransitionTiming.longest`.
    case standard
    /// All components together, in seconds.
    case uniform(duration: Double, curve: EasingCurve)
    /// Along van Wijk's path; seconds, or nil: by the path's length.
    case flight(duration: Double?, curve: EasingCurve)
}

/// The time span in which one component moves.
struct TransitionSpan: Hashable, Sendable {
    /// Seconds after the start.
    var delay = 0.0
    /// Seconds; 0: the component does not move.
    var duration = 0.0

    var end: Double { delay + duration }

    /// The remaining share `elapsed` seconds after the start, from 1 to 0.
    func remaining(_ elapsed: Double, _ curve: EasingCurve) -> Double {
        guard elapsed < end, duration > 0 else { return 0 }
        return 1 - curve.progress(at: (elapsed - delay) / duration)
    }
}

/// A camera that moves to a target, which may itself move.
///
/// The transition animates the offset from the target, which shrinks to zero. So the camera moves with a moving
/// target from the first instant, reaches it exactly at the last, and needs no special case for the antimeridian and
/// north.
struct CameraTransition: Hashable, Sendable {
    /// The origin of the request.
    let cause: ViewCause
    /// The start.
    let start: Instant
    /// The end.
    var end: Instant { start.advanced(by: length) }
    /// The last known target, which is kept if the target is lost.
    var lastTarget: Camera

    private let offset: CameraOffset
    private let spans: TransitionSpans
    private let flight: CameraFlight?
    private let curve: EasingCurve
    private let length: Double

    /// The transition from `origin` (the known part of the present camera) to `target`; nil if it takes no time. An
    /// axis whose present value is unknown takes its target value at once.
    init?(
        from origin: Camera, to target: Camera, plan: TransitionPlan, viewport: Viewport?, at start: Instant,
        cause: ViewCause
    ) {
        self.cause = cause
        self.start = start
        lastTarget = target
        offset = CameraOffset(of: origin, from: target)
        let screen = viewport ?? .smallest
        switch plan {
        case .immediate:
            return nil
        case .standard:
            let flight = CameraFlight(from: origin, to: target, offset: offset, viewport: screen)
            self.flight = flight.flatMap { $0.isFar ? $0 : nil }
            curve = .easeInOut
            spans = TransitionTiming.standard(offset, zoom: target.zoom ?? origin.zoom, flight: self.flight)
        case .uniform(let duration, let curve):
            flight = nil
            self.curve = curve
            spans = TransitionSpans(all: TransitionSpan(duration: duration), where: offset)
        case .flight(let duration, let curve):
            flight = CameraFlight(from: origin, to: target, offset: offset, viewport: screen)
            self.curve = curve
            let span = TransitionSpan(duration: duration ?? flight?.duration ?? TransitionTiming.easeDuration)
            var spans = TransitionSpans(all: span, where: offset)
            // Zooming out and in again: centre and zoom are one movement.
            if flight != nil, spans.center.duration > 0 || spans.zoom.duration > 0 {
                (spans.center, spans.zoom) = (span, span)
            }
            self.spans = spans
        }
        length = spans.end
        guard length > 0 else { return nil }
    }

    /// The camera at an instant, with the target at that instant.
    func camera(at instant: Instant, target: Camera) -> Camera {
        let elapsed = instant.seconds(since: start)
        guard elapsed < length else { return target }
        var camera = target
        if let flight {
            let progress = 1 - spans.center.remaining(elapsed, curve)
            let (center, zoom) = flight.offset(at: progress)
            camera.center = target.center.map { $0.moved(by: center) }
            camera.zoom = target.zoom.map { $0 + zoom }
        } else {
            let centerLeft = spans.center.remaining(elapsed, curve)
            if centerLeft != 0 { camera.center = target.center.map { $0.moved(by: offset.center * centerLeft) } }
            camera.zoom = target.zoom.map { $0 + offset.zoom * spans.zoom.remaining(elapsed, curve) }
        }
        let turn = offset.bearing * spans.bearing.remaining(elapsed, curve)
        camera.bearing = target.bearing.map { Direction(wrapping: $0 + turn)?.degrees ?? $0 }
        camera.pitch = target.pitch.map { $0 + offset.pitch * spans.pitch.remaining(elapsed, curve) }
        let paddingLeft = spans.padding.remaining(elapsed, curve)
        camera.padding = target.padding.map { $0.moved(by: offset.padding, times: paddingLeft) }
        return camera.withinRange
    }
}

/// The difference between two cameras, in each axis that both know.
struct CameraOffset: Hashable, Sendable {
    /// In points at zoom 0, the shorter way.
    var center = MapPoint(x: 0, y: 0)
    var zoom = 0.0
    /// Degrees, the shorter way.
    var bearing = 0.0
    /// Degrees.
    var pitch = 0.0
    var padding = Padding()

    /// From `target` to `camera`.
    init(of camera: Camera, from target: Camera) {
        if let a = target.center, let b = camera.center { center = WebMercator.shortestOffset(from: a, to: b) }
        if let a = target.zoom, let b = camera.zoom { zoom = b - a }
        if let a = target.bearing, let b = camera.bearing { bearing = shortestTurn(from: a, to: b) }
        if let a = target.pitch, let b = camera.pitch { pitch = b - a }
        if let a = target.padding, let b = camera.padding { padding = b.moved(by: a, times: -1) }
    }
}

/// The time spans of a transition's components.
struct TransitionSpans: Hashable, Sendable {
    var center = TransitionSpan()
    var zoom = TransitionSpan()
    var bearing = TransitionSpan()
    var pitch = TransitionSpan()
    var padding = TransitionSpan()

    /// Nothing moves.
    init() {}
    /// All moving components have the same span.
    init(all span: TransitionSpan, where offset: CameraOffset) {
        if offset.center.length > 0 { center = span }
        if offset.zoom != 0 { zoom = span }
        if offset.bearing != 0 { bearing = span }
        if offset.pitch != 0 { pitch = span }
        if offset.padding != Padding() { padding = span }
    }

    /// The end of the last span, seconds.
    var end: Double { max(center.end, zoom.end, bearing.end, pitch.end, padding.end) }
}

/// The flown part of a transition: centre and zoom together.
struct CameraFlight: Hashable, Sendable {
    private let path: FlightPath
    private let offset: MapPoint
    private let targetWidth: Double
    /// Whether a slide is unsuitable: over many screens, or from a zoom at which the neighbourhood is a speck.
    let isFar: Bool

    /// The longest slide in screens; a longer one would be a blur.
    private static let farScreens = 4.0

    /// The flight between two cameras; nil if a centre or a zoom is unknown.
    init?(from origin: Camera, to target: Camera, offset: CameraOffset, viewport: Viewport) {
        guard origin.center != nil, target.center != nil, let startZoom = origin.zoom, let endZoom = target.zoom
        else { return nil }
        let side = max(viewport.width, viewport.height)
        let distance = offset.center.length
        targetWidth = side / WebMercator.scale(zoom: endZoom)
        let startWidth = side / WebMercator.scale(zoom: startZoom)
        path = FlightPath(distance: distance, startWidth: startWidth, endWidth: targetWidth)
        self.offset = offset.center
        isFar =
            distance > Self.farScreens * max(startWidth, targetWidth)
            || startZoom < Pursuit.lowestEntry && endZoom >= Pursuit.lowestEntry
    }

    /// Duration at the usual speed, seconds.
    var duration: Double { path.duration }

    /// The camera's offset from the target after a share of the path.
    func offset(at progress: Double) -> (center: MapPoint, zoom: Double) {
        let (travelled, width) = path.at(progress)
        return (offset * (1 - travelled), WebMercator.zoom(scale: targetWidth / width))
    }
}

extension Coordinate {
    /// The coordinate at an offset on the map, in points at zoom 0.
    func moved(by offset: MapPoint) -> Coordinate { WebMercator.unproject(WebMercator.project(self) + offset) }
}

extension Padding {
    /// The range of a padding edge, points: more than any screen has.
    static let range = 0.0...100_000.0

    fileprivate static func within(_ edge: Double) -> Double { min(range.upperBound, max(range.lowerBound, edge)) }

    /// The padding plus a multiple of another's, edge by edge.
    func moved(by other: Padding, times factor: Double) -> Padding {
        Padding(
            top: top + other.top * factor, left: left + other.left * factor, bottom: bottom + other.bottom * factor,
            right: right + other.right * factor)
    }
}

extension Camera {
    /// The camera with another's known axes instead of its own.
    func overlaid(with other: Camera) -> Camera {
        Camera(
            center: other.center ?? center, zoom: other.zoom ?? zoom, bearing: other.bearing ?? bearing,
            pitch: other.pitch ?? pitch, padding: other.padding ?? padding)
    }

    /// The camera with zoom, pitch and padding limited to what renderers can show: a curve may overshoot.
    var withinRange: Camera {
        var camera = self
        camera.zoom = zoom.map { min(WebMercator.zooms.upperBound, max(WebMercator.zooms.lowerBound, $0)) }
        camera.pitch = pitch.map { min(Self.steepestPitch, max(0, $0)) }
        camera.padding = padding.map {
            Padding(
                top: Padding.within($0.top), left: Padding.within($0.left), bottom: Padding.within($0.bottom),
                right: Padding.within($0.right))
        }
        return camera
    }

    /// The maximum pitch, degrees. (MapLibre)
    static let steepestPitch = 85.0
}
