/// The durations of the components of a default transition.
///
/// When it comes closer, the map slides first, and zooms in and turns as it arrives. When it moves away, it zooms out
/// first, and slides once the path is visible. Each component takes as long as its own change needs, and an unchanged
/// component takes no time.
enum TransitionTiming {
    /// The longest default transition, seconds: the longest slide's overlap and the longest zoom, or a flight.
    static let longest = 3.5
    /// The default duration of `ease`, seconds. (MapLibre's easeTo)
    static let easeDuration = 0.5
    /// The duration of every transition of the approximate tier, seconds: constant, so that it reveals nothing.
    static let approximate = 1.0

    /// Speeds of the components: points, zoom levels and degrees a second.
    private static let slide = (speed: 500.0, shortest: 0.3, longest: 2.0)
    private static let zoom = (speed: 2.2, shortest: 0.3, longest: 2.5)
    private static let turn = (speed: 120.0, shortest: 0.3, longest: 1.5)
    private static let tilt = (speed: 45.0, shortest: 0.3, longest: 1.2)
    private static let paddingTime = 0.6
    /// The completed share of one movement at which the following one begins.
    private static let overlap = 0.5

    /// Invisible changes: points, zoom levels and degrees. They take no time.
    private static let least = (points: 0.5, zooms: 0.001, degrees: 0.05)

    /// The spans for an offset from the target; `zoom` (the target's, if known) gives the size of a point.
    static func standard(_ offset: CameraOffset, zoom: Double?, flight: CameraFlight?) -> TransitionSpans {
        var spans = TransitionSpans()
        if let flight {
            spans.center.duration = min(flight.duration, longest)
            spans.zoom.duration = spans.center.duration
        } else {
            let near = WebMercator.scale(zoom: min(zoom ?? 0, (zoom ?? 0) + offset.zoom))
            spans.center.duration = time(offset.center.length * near, least.points, slide)
            spans.zoom.duration = time(offset.zoom, least.zooms, Self.zoom)
            if offset.zoom < 0 {
                spans.zoom.delay = spans.zoom.duration > 0 ? spans.center.duration * overlap : 0
            } else if offset.zoom > 0 {
                spans.center.delay = spans.center.duration > 0 ? spans.zoom.duration * overlap : 0
            }
        }
        spans.bearing.duration = turning(by: offset.bearing)
        spans.pitch.duration = time(offset.pitch, least.degrees, tilt)
        if offset.padding != Padding() { spans.padding.duration = paddingTime }
        if offset.zoom < 0 || flight != nil {
            let arrival = spans.end
            spans.bearing.delay = arrival - spans.bearing.duration
            spans.pitch.delay = arrival - spans.pitch.duration
        }
        return spans
    }

    /// The duration of a turn by that many degrees.
    static func turning(by offset: Double) -> Double { time(offset, least.degrees, turn) }

    private static func time(
        _ change: Double, _ least: Double, _ pace: (speed: Double, shortest: Double, longest: Double)
    ) -> Double {
        let size = abs(change)
        guard size > least else { return 0 }
        return min(pace.longest, max(pace.shortest, size / pace.speed))
    }
}
