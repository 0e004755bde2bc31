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

    /// None, unless given.
    public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }
}

/// A map camera, as MapLibre's and Mapbox's `jumpTo` takes it. An axis that the view does not own is nil.
public struct Camera: Hashable, Sendable {
    /// What stands in the middle of the padded view.
    public var center: Coordinate?
    /// Web Mercator zoom of 512-point tiles, 0 to 24.
    public var zoom: Double?
    /// The direction that is up, degrees from true north, in [0, 360).
    public var bearing: Double?
    /// Tilt from straight down, degrees, 0 to 85.
    public var pitch: Double?
    /// Space kept free at the edges.
    public var padding: Padding?

    /// A camera of the axes given.
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
    /// Whether it owns no axis at all.
    public var isEmpty: Bool {
        center == nil && zoom == nil && bearing == nil && pitch == nil && padding == nil
    }
}

/// A client's screen in points.
public struct Viewport: Hashable, Sendable {
    /// Points.
    public var width: Double
    /// Points.
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
