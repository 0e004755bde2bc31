/// The activity of one tier's camera. Large values are boxed, so that reading a view sixty times a second copies only
/// a pointer.
enum CameraActivity: Hashable, Sendable {
    /// Idle: the client controls the camera.
    case idle
    /// Just released at the end of a single movement. Its last camera is still shown for a while.
    indirect case landed(Camera, until: Instant)
    /// Released earlier, and not moved since. A new watcher starts with this camera.
    indirect case resting(Camera)
    /// Waiting to follow with this plan, until there is a position. At `deadline`, the missing position is reported.
    indirect case awaiting(Pursuit, TransitionPlan, deadline: Instant?, cause: ViewCause)
    /// In a transition.
    indirect case moving(CameraTransition, to: TierGoal)
    /// Following the puck.
    case following(Pursuit)
    /// Showing a geometry, with the camera that fits it.
    indirect case overview(OverviewOptions, Camera)

    /// The status for events. Once the time-out has been reported, waiting counts as the state `follow`.
    var status: (ViewStatus, ViewTarget?) {
        switch self {
        case .idle, .landed, .resting: (.idle, nil)
        case .awaiting(_, _, let deadline, _): (deadline == nil ? .state : .transition, .follow)
        case .moving(_, let goal): (.transition, goal.target)
        case .following: (.state, .follow)
        case .overview: (.state, .overview)
        }
    }

    /// When the activity changes with time; nil if it does not.
    var deadline: Instant? {
        switch self {
        case .awaiting(_, _, let deadline, _): deadline
        case .moving(let transition, _): transition.end
        case .landed(_, let until): until
        case .idle, .resting, .following, .overview: nil
        }
    }

    /// The following that is active, or that a transition leads to.
    var pursuit: Pursuit? {
        get {
            switch self {
            case .following(let pursuit), .awaiting(let pursuit, _, _, _), .moving(_, .following(let pursuit)): pursuit
            case .idle, .landed, .resting, .moving, .overview: nil
            }
        }
        set {
            guard let newValue else { return }
            switch self {
            case .following: self = .following(newValue)
            case .awaiting(_, let plan, let deadline, let cause):
                self = .awaiting(newValue, plan, deadline: deadline, cause: cause)
            case .moving(let transition, .following): self = .moving(transition, to: .following(newValue))
            case .idle, .landed, .resting, .moving, .overview: break
            }
        }
    }
}

/// The goal of a transition.
enum TierGoal: Hashable, Sendable {
    /// The puck.
    case following(Pursuit)
    /// A geometry, with the camera that fits it.
    case overview(OverviewOptions, Camera)
    /// A camera, once.
    case camera(Camera)

    /// The state for events.
    var target: ViewTarget {
        switch self {
        case .following: .follow
        case .overview: .overview
        case .camera: .camera
        }
    }
}

/// One following, from its start to its end: the values that apply only to it.
struct Pursuit: Hashable, Sendable {
    /// The axes that the user owns after a gesture.
    var released: AxisSet = []
    /// The zoom at the start, if no option sets one.
    var entryZoom: Double?
    /// Whether the puck's bearing was known at the last check.
    var hadBearing = true
    /// The turn to a bearing that has become known since.
    var swing: BearingTurn?

    /// If following starts below this zoom, a puck in the middle of the map would be useless. (MapLibre's
    /// minimumZoomLevelForUserTracking)
    static let lowestEntry = 10.5
    /// The zoom to which such a start leads. (MapLibre's defaultZoomLevelForUserTracking)
    static let closerEntry = 14.0
}
