/// The tracking modes of a view, as map SDKs name them.
public enum TrackingMode: String, CaseIterable, Hashable, Sendable {
    /// The camera is the user's.
    case none
    /// The puck stays in the middle, north (or what the user set) up.
    case follow
    /// The puck stays in the middle, the heading is up.
    case followWithHeading
    /// The puck stays in the middle, the course is up.
    case followWithCourse

    /// The one after this when a button cycles through them.
    public var next: TrackingMode {
        switch self {
        case .none: .follow
        case .follow: .followWithHeading
        case .followWithHeading: .followWithCourse
        case .followWithCourse: .none
        }
    }
}

/// A change to one option: left as it is, given to the client, or set.
public enum OptionChange<Value: Hashable & Sendable>: Hashable, Sendable {
    /// Not named in the request: as before.
    case unchanged
    /// `null` in the request: the axis goes to the client, and is never sent.
    case client
    /// Set to a value.
    case set(Value)
}

/// What the camera's bearing follows.
public enum FollowBearing: Hashable, Sendable {
    /// A constant, degrees from true north in [0, 360).
    case constant(Double)
    /// The heading.
    case heading
    /// The course.
    case course
}

/// Options of following the puck: each from the next frame.
public struct FollowOptions: Hashable, Sendable {
    /// Zoom, 0 to 24.
    public var zoom: OptionChange<Double> = .unchanged
    /// What is up.
    public var bearing: OptionChange<FollowBearing> = .unchanged
    /// Tilt, degrees, 0 to 85.
    public var pitch: OptionChange<Double> = .unchanged
    /// Space kept free.
    public var padding: OptionChange<Padding> = .unchanged
    /// No option changed.
    public init() {}
}

/// How a view goes from one state to another.
public enum TransitionKind: String, CaseIterable, Hashable, Sendable {
    /// Animated, each component in its own time.
    case `default`
    /// At once.
    case immediate
}

/// What a view keeps in sight: every position of a GeoJSON geometry. Holes and structure do not matter to a fit.
public struct ViewGeometry: Hashable, Sendable {
    /// At least one position.
    public var coordinates: [Coordinate]
    /// A geometry of these positions.
    public init(coordinates: [Coordinate]) { self.coordinates = coordinates }
}

/// Options of the overview state.
public struct OverviewOptions: Hashable, Sendable {
    /// What to keep in sight.
    public var geometry: ViewGeometry
    /// Space of the camera's own padding, points.
    public var padding: Padding?
    /// Space round the geometry, points.
    public var geometryPadding: Padding?
    /// No closer than this zoom.
    public var maxZoom: Double?
    /// Camera bearing, degrees from true north in [0, 360).
    public var bearing: Double?
    /// Camera tilt, degrees, 0 to 85.
    public var pitch: Double?
    /// Seconds; nil: the default transition.
    public var duration: Double?
    /// An overview of a geometry with all else by default.
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

/// What a user's hand did.
public enum GestureKind: String, CaseIterable, Hashable, Sendable {
    /// Dragged the map.
    case pan
    /// Two fingers apart or together.
    case pinch
    /// Two fingers turned.
    case rotate
    /// Two fingers up or down.
    case pitch
    /// Tapped twice.
    case doubleTap
}

/// Where in its course a gesture is.
public enum GesturePhase: String, CaseIterable, Hashable, Sendable {
    /// It starts.
    case began
    /// It goes on.
    case changed
    /// It is over.
    case ended
}

/// What a client can ask of a view.
public enum ViewCommand: Hashable, Sendable {
    /// Sets the tracking mode.
    case track(TrackingMode)
    /// Goes to the next tracking mode.
    case trackNext
    /// Sets follow-puck options, and follows.
    case follow(FollowOptions, transition: TransitionKind)
    /// Keeps a geometry in sight.
    case overview(OverviewOptions)
    /// Moves the camera once, easing. Seconds.
    case ease(Camera, duration: Double?, curve: EasingCurve?)
    /// Moves the camera once, flying. Seconds; nil: by the path's length.
    case fly(Camera, duration: Double?, curve: EasingCurve?)
    /// Lets the camera go.
    case idle
    /// A hand on the map; `camera` is where it left it.
    case gesture(GestureKind, phase: GesturePhase, camera: Camera?)
    /// The client's screen.
    case viewport(Viewport)
    /// Puts or moves a named marker. Seconds.
    case marker(name: String, to: Coordinate, duration: Double, curve: EasingCurve)
    /// Takes a marker away.
    case removeMarker(name: String)
}

/// Why a view changed.
public enum ViewChangeReason: String, Hashable, Sendable {
    /// A client asked for idle.
    case idleRequested
    /// A transition began.
    case transitionStarted
    /// A transition came to its end.
    case transitionSucceeded
    /// A transition could not come to its end.
    case transitionFailed
    /// A transition gave way to another, or was called off.
    case transitionCancelled
    /// A hand on the map.
    case userInteraction
    /// There was no position in time.
    case noPosition
    /// Told to a new watcher: nothing changed.
    case current
}

/// What a view is doing.
public enum ViewStatus: String, Hashable, Sendable {
    /// Nothing: the camera is the client's.
    case idle
    /// On its way.
    case transition
    /// In a state, and keeping to it.
    case state
}
