/// The tracking modes of a view, as map SDKs name them.
public enum TrackingMode: String, CaseIterable, Hashable, Sendable {
    /// The client controls the camera.
    case none
    /// The puck stays in the middle, with north (or the bearing that the user set) up.
    case follow
    /// The puck stays in the middle, with the heading up.
    case followWithHeading
    /// The puck stays in the middle, with the course up.
    case followWithCourse

    /// The next mode for a button that cycles through them.
    public var next: TrackingMode {
        switch self {
        case .none: .follow
        case .follow: .followWithHeading
        case .followWithHeading: .followWithCourse
        case .followWithCourse: .none
        }
    }
}

/// A change of one option: unchanged, given to the client, or set.
public enum OptionChange<Value: Hashable & Sendable>: Hashable, Sendable {
    /// Not in the request: unchanged.
    case unchanged
    /// `null` in the request: the client controls the axis, and it is never sent.
    case client
    /// Set to a value.
    case set(Value)
}

/// The source of the camera's bearing.
public enum FollowBearing: Hashable, Sendable {
    /// A constant, degrees from true north in [0, 360).
    case constant(Double)
    /// The heading.
    case heading
    /// The course.
    case course
}

/// Options of following the puck. They apply from the next frame on.
public struct FollowOptions: Hashable, Sendable {
    /// Zoom, 0 to 24.
    public var zoom: OptionChange<Double> = .unchanged
    /// The direction that is up.
    public var bearing: OptionChange<FollowBearing> = .unchanged
    /// Pitch, degrees, 0 to 85.
    public var pitch: OptionChange<Double> = .unchanged
    /// Space kept free at the edges.
    public var padding: OptionChange<Padding> = .unchanged
    /// Options without a change.
    public init() {}
}

/// How a view changes from one state to another.
public enum TransitionKind: String, CaseIterable, Hashable, Sendable {
    /// Animated, each component in its own time.
    case `default`
    /// Immediately.
    case immediate
}

/// The geometry that a view shows: every position of a GeoJSON geometry. A fit does not need its structure.
public struct ViewGeometry: Hashable, Sendable {
    /// At least one position.
    public var coordinates: [Coordinate]
    /// A geometry with these positions.
    public init(coordinates: [Coordinate]) { self.coordinates = coordinates }
}

/// Options of the overview state.
public struct OverviewOptions: Hashable, Sendable {
    /// The geometry to show.
    public var geometry: ViewGeometry
    /// Space of the camera's own padding, points.
    public var padding: Padding?
    /// Space around the geometry, points.
    public var geometryPadding: Padding?
    /// The greatest zoom.
    public var maxZoom: Double?
    /// Camera bearing, degrees from true north in [0, 360).
    public var bearing: Double?
    /// Camera pitch, degrees, 0 to 85.
    public var pitch: Double?
    /// Seconds; nil: the default transition.
    public var duration: Double?
    /// An overview of a geometry with default options.
    public init(geometry: ViewGeometry) { self.geometry = geometry }
}

/// An easing by its cubic Bézier control points, as in CSS.
public struct EasingCurve: Hashable, Sendable {
    /// First control point, in [0, 1].
    public var x1: Double
    /// First control point, finite.
    public var y1: Double
    /// Second control point, in [0, 1].
    public var x2: Double
    /// Second control point, finite.
    public var y2: Double
    /// A curve of two control points.
    public init(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) {
        self.x1 = x1
        self.y1 = y1
        self.x2 = x2
        self.y2 = y2
    }
    /// Constant speed.
    public static let linear = EasingCurve(0, 0, 1, 1)
    /// Fast, then slow: (0, 0, .42, 1) as map SDKs use.
    public static let easeOut = EasingCurve(0, 0, 0.42, 1)
    /// CSS's `ease`, with which map SDKs fly: (.25, .1, .25, 1).
    public static let ease = EasingCurve(0.25, 0.1, 0.25, 1)
    /// Slow, then fast.
    public static let easeIn = EasingCurve(0.42, 0, 1, 1)
    /// Slow at both ends: (.42, 0, .58, 1).
    public static let easeInOut = EasingCurve(0.42, 0, 0.58, 1)
}

/// A gesture of the user.
public enum GestureKind: String, CaseIterable, Hashable, Sendable {
    /// Drag the map.
    case pan
    /// Move two fingers apart or together.
    case pinch
    /// Turn two fingers.
    case rotate
    /// Move two fingers up or down.
    case pitch
    /// Tap twice.
    case doubleTap
}

/// The phase of a gesture.
public enum GesturePhase: String, CaseIterable, Hashable, Sendable {
    /// The gesture begins.
    case began
    /// The gesture continues.
    case changed
    /// The gesture ends.
    case ended
}

/// A command of a client to a view.
public enum ViewCommand: Hashable, Sendable {
    /// Sets the tracking mode.
    case track(TrackingMode)
    /// Selects the next tracking mode.
    case trackNext
    /// Sets follow-puck options, and follows.
    case follow(FollowOptions, transition: TransitionKind)
    /// Shows a whole geometry.
    case overview(OverviewOptions)
    /// Moves the camera once, easing. Seconds.
    case ease(Camera, duration: Double?, curve: EasingCurve?)
    /// Moves the camera once, flying. Seconds; nil: by the path's length.
    case fly(Camera, duration: Double?, curve: EasingCurve?)
    /// Releases the camera.
    case idle
    /// Reports a gesture; `camera` is the camera after it.
    case gesture(GestureKind, phase: GesturePhase, camera: Camera?)
    /// Reports the client's screen.
    case viewport(Viewport)
    /// Adds or moves a named marker. Seconds.
    case marker(name: String, to: Coordinate, duration: Double, curve: EasingCurve)
    /// Removes a marker.
    case removeMarker(name: String)
}

/// The reason for a change of a view.
public enum ViewChangeReason: String, Hashable, Sendable {
    /// A client asked for idle.
    case idleRequested
    /// A transition began.
    case transitionStarted
    /// A transition reached its target.
    case transitionSucceeded
    /// A transition could not reach its target.
    case transitionFailed
    /// A transition was replaced by another, or cancelled.
    case transitionCancelled
    /// The user made a gesture.
    case userInteraction
    /// No position arrived in time.
    case noPosition
    /// For a new watcher: nothing changed.
    case current
}

/// The status of a view.
public enum ViewStatus: String, Hashable, Sendable {
    /// Idle: the client controls the camera.
    case idle
    /// Moving to a target.
    case transition
    /// Keeping to a target.
    case state
}
