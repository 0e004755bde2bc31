/// Space kept free at the edges of a view, in points.
public struct Padding: Hashable, Sendable {
    /// At the top edge.
    public var top: Double
    /// At the left edge.
    public var left: Double
    /// At the bottom edge.
    public var bottom: Double
    /// At the right edge.
    public var right: Double

    /// Zero at each edge by default.
    public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }
}

/// A map camera, in the form that MapLibre's and Mapbox's `jumpTo` accepts. An axis that the view does not control is
/// nil.
public struct Camera: Hashable, Sendable {
    /// The position in the middle of the padded view.
    public var center: Coordinate?
    /// Web Mercator zoom of 512-point tiles, 0 to 24.
    public var zoom: Double?
    /// The bearing, degrees from true north, in [0, 360).
    public var bearing: Double?
    /// Pitch from straight down, degrees, 0 to 85.
    public var pitch: Double?
    /// Space kept free at the edges.
    public var padding: Padding?

    /// A camera with the given axes.
    public init(
        center: Coordinate? = nil, zoom: Double? = nil, bearing: Double? = nil, pitch: Double? = nil,
        padding: Padding? = nil
    ) {
        self.center = center
        self.zoom = zoom
        self.bearing = bearing
        self.pitch = pitch
        self.padding = padding
    }
    /// Whether it has no axis at all.
    public var isEmpty: Bool {
        center == nil && zoom == nil && bearing == nil && pitch == nil && padding == nil
    }
}

/// A client's screen in points.
public struct Viewport: Hashable, Sendable {
    /// Width, points.
    public var width: Double
    /// Height, points.
    public var height: Double
    /// Vertical field of view, degrees; MapLibre's default is 36.87.
    public var fieldOfView: Double

    /// A screen of that size.
    public init(width: Double, height: Double, fieldOfView: Double = 36.869_897_645_844_02) {
        self.width = width
        self.height = height
        self.fieldOfView = fieldOfView
    }
}
