/// How long each component of a default transition takes.
///
/// Coming closer, the map first slides, then zooms in and turns as it arrives; backing off, it zooms out first and
/// slides when the way is in sight. Each takes as long as its own change needs, and what has nothing to do no time.
enum TransitionTiming {
    /// The longest default transition, seconds: the longest slide's overlap and the longest zoom, or a flight.
    static let longest = 3.5
    /// An `ease` whose duration nobody named, seconds. (MapLibre's easeTo)
    static let easeDuration = 0.5
    /// Any transition of the approximate tier, seconds: constant, so that its length tells nothing.
    static let approximate = 1.0

    /// Speeds of the components: points, zooms, degrees a second.
    private static let slide = (speed: 500.0, shortest: 0.3, longest: 2.0)
    private static let zoom = (speed: 2.2, shortest: 0.3, longest: 2.5)
    private static let turn = (speed: 120.0, shortest: 0.3, longest: 1.5)
    private static let tilt = (speed: 45.0, shortest: 0.3, longest: 1.2)
    private static let paddingTime = 0.6
    /// How much of one movement has gone by when the one that follows it begins.
    private static let overlap = 0.5

    /// Changes that no eye sees, points, zooms and degrees: nothing to do.
    private static let least = (points: 0.5, zooms: 0.001, degrees: 0.05)

    /// The spans for an offset from the target; `zoom` (the target's where known) says how large a point is.
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

    /// How long a turn takes, degrees.
    static func turning(by offset: Double) -> Double { time(offset, least.degrees, turn) }

    private static func time(
        _ change: Double, _ least: Double, _ pace: (speed: Double, shortest: Double, longest: Double)
    ) -> Double {
        let size = abs(change)
        guard size > least else { return 0 }
        return min(pace.longest, max(pace.shortest, size / pace.speed))
    }
}
