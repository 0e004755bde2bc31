/// How a camera is to get to its target.
enum TransitionPlan: Hashable, Sendable {
    /// At once.
    case immediate
    /// Each component in its own time, at most `TransitionTiming.longest` together.
    case standard
    /// All components together, in seconds.
    case uniform(duration: Double, curve: EasingCurve)
    /// Along van Wijk's path; seconds, nil by its length.
    case flight(duration: Double?, curve: EasingCurve)
}

/// When, after the start, one component moves.
struct TransitionSpan: Hashable, Sendable {
    /// Seconds after the start.
    var delay = 0.0
    /// Seconds; 0: nothing to do.
    var duration = 0.0

    var end: Double { delay + duration }

    /// What is still to be done `elapsed` seconds after the start, from 1 to 0.
    func remaining(_ elapsed: Double, _ curve: EasingCurve) -> Double {
        guard elapsed < end, duration > 0 else { return 0 }
        return 1 - curve.progress(at: (elapsed - delay) / duration)
    }
}

/// A camera on its way to a target that may itself move.
///
/// What is animated is the offset from the target, which fades to nothing. So the camera rides with a moving target
/// from the first instant, is exactly on it at the last, and neither the antimeridian nor north is ever a seam.
struct CameraTransition: Hashable, Sendable {
    /// Who asked for it.
    let cause: ViewCause
    /// When it began.
    let start: Instant
    /// When it is over.
    var end: Instant { start.advanced(by: length) }
    /// The target as it was last seen, to hold on to where it is lost.
    var lastTarget: Camera

    private let offset: CameraOffset
    private let spans: TransitionSpans
    private let flight: CameraFlight?
    private let curve: EasingCurve
    private let length: Double

    /// The transition from `origin` (what is known of the present camera) to `target`; nil where nothing is to be
    /// done over time. An axis that the present camera does not know is at its target at once.
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
            // Out and in again: centre and zoom are one movement.
            if flight != nil, spans.center.duration > 0 || spans.zoom.duration > 0 {
                (spans.center, spans.zoom) = (span, span)
            }
            self.spans = spans
        }
        length = spans.end
        guard length > 0 else { return nil }
    }

    /// The camera at an instant, by the target as it then is.
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

/// How far one camera is from another, in each axis that both know.
struct CameraOffset: Hashable, Sendable {
    /// In points of zoom 0, by the short way round.
    var center = MapPoint(x: 0, y: 0)
    var zoom = 0.0
    /// Degrees, by the short way round.
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

/// When each component of a transition moves.
struct TransitionSpans: Hashable, Sendable {
    var center = TransitionSpan()
    var zoom = TransitionSpan()
    var bearing = TransitionSpan()
    var pitch = TransitionSpan()
    var padding = TransitionSpan()

    /// Nothing moves.
    init() {}
    /// Every component that has something to do moves in the same span.
    init(all span: TransitionSpan, where offset: CameraOffset) {
        if offset.center.length > 0 { center = span }
        if offset.zoom != 0 { zoom = span }
        if offset.bearing != 0 { bearing = span }
        if offset.pitch != 0 { pitch = span }
        if offset.padding != Padding() { padding = span }
    }

    /// When the last is done, seconds.
    var end: Double { max(center.end, zoom.end, bearing.end, pitch.end, padding.end) }
}

/// The flown part of a transition: centre and zoom together.
struct CameraFlight: Hashable, Sendable {
    private let path: FlightPath
    private let offset: MapPoint
    private let targetWidth: Double
    /// Whether a slide could not show it: over many screens, or in from where the whole neighbourhood is a speck.
    let isFar: Bool

    /// A slide over more than this many screens shows nothing but a smear.
    private static let farScreens = 4.0

    /// The flight between two cameras; nil where a centre or a zoom is not known.
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

    /// Seconds at the usual speed.
    var duration: Double { path.duration }

    /// How far from the target the camera is after a share of the way.
    func offset(at progress: Double) -> (center: MapPoint, zoom: Double) {
        let (travelled, width) = path.at(progress)
        return (offset * (1 - travelled), WebMercator.zoom(scale: targetWidth / width))
    }
}

extension Coordinate {
    /// The coordinate a way off on the map, in points of zoom 0.
    func moved(by offset: MapPoint) -> Coordinate { WebMercator.unproject(WebMercator.project(self) + offset) }
}

extension Padding {
    /// What an edge may be, points: more than any screen has.
    static let range = 0.0...100_000.0

    fileprivate static func within(_ edge: Double) -> Double { min(range.upperBound, max(range.lowerBound, edge)) }

    /// The padding with so many times another's added, edge by edge.
    func moved(by other: Padding, times factor: Double) -> Padding {
        Padding(
            top: top + other.top * factor, left: left + other.left * factor, bottom: bottom + other.bottom * factor,
            right: right + other.right * factor)
    }
}

extension Camera {
    /// The camera with another's known axes in place of its own.
    func overlaid(with other: Camera) -> Camera {
        Camera(
            center: other.center ?? center, zoom: other.zoom ?? zoom, bearing: other.bearing ?? bearing,
            pitch: other.pitch ?? pitch, padding: other.padding ?? padding)
    }

    /// The camera with zoom, tilt and padding taken into what renderers can show: a curve that overshoots may leave it.
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

    /// The furthest tilt, degrees. (MapLibre)
    static let steepestPitch = 85.0
}
