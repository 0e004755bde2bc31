/// The optimal path between two views of a plane: out, across, and in again, at a constant perceived speed.
///
/// J. J. van Wijk, W. A. A. Nuij, "Smooth and efficient zooming and panning", InfoVis 2003, equations (8) to (10).
/// Distances and widths share one unit, any; the path's own length S has none.
struct FlightPath: Hashable, Sendable {
    /// The path's length S: the perceived amount of change.
    let length: Double

    private let startWidth: Double
    private let endWidth: Double
    private let distance: Double
    private let curvature: Double
    /// r₀ if the path swings out; nil if the views differ by zoom alone.
    private let startAngle: Double?

    /// How far the path swings out: the average of what people chose in the paper's study, 1.42.
    static let usualCurvature = 1.42
    /// Path lengths a second: MapLibre's and Mapbox's `speed`.
    static let speed = 1.2
    /// Centres this close, in widths of the nearer view, do not visibly move: only the zoom changes.
    private static let coincidence = 1e-7

    /// The path between two views, `distance` apart, with widths `startWidth` and `endWidth`. The distance must be
    /// finite and not negative, the widths finite and positive.
    init(distance: Double, startWidth: Double, endWidth: Double, curvature: Double = usualCurvature) {
        self.startWidth = startWidth
        self.endWidth = endWidth
        self.distance = distance
        self.curvature = curvature
        guard distance > Self.coincidence * min(startWidth, endWidth) else {
            startAngle = nil
            length = abs(log(endWidth / startWidth)) / curvature
            return
        }
        let square = curvature * curvature
        let widths = (endWidth - startWidth) * (endWidth + startWidth)
        let swing = square * square * distance * distance
        let first = -asinh((widths + swing) / (2 * startWidth * square * distance))
        let last = -asinh((widths - swing) / (2 * endWidth * square * distance))
        startAngle = first
        length = (last - first) / curvature
    }

    /// The duration, seconds.
    var duration: Double { length / Self.speed }

    /// The covered distance and the visible width after the share `progress` in [0, 1] of the path. Both ends are
    /// exact. A progress beyond them continues along the path.
    func at(_ progress: Double) -> (travelled: Double, width: Double) {
        if progress == 0 { return (0, startWidth) }
        if progress == 1 { return (1, endWidth) }
        let s = progress * length
        guard let startAngle else {
            let growth = endWidth < startWidth ? -curvature : curvature
            return (progress, startWidth * exp(growth * s))
        }
        let angle = curvature * s + startAngle
        let reach = startWidth / (curvature * curvature) / distance
        return (
            // cosh r₀ · tanh(ρs + r₀) − sinh r₀, without the difference of large numbers.
            reach * sinh(curvature * s) / cosh(angle),
            startWidth * cosh(startAngle) / cosh(angle)
        )
    }
}
