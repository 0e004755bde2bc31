/// What the camera of one tier does. What is large is boxed, so that looking at a view sixty times a second copies a
/// pointer.
enum CameraActivity: Hashable, Sendable {
    /// Nothing: it is the client's.
    case idle
    /// It was just let go at the end of a single movement, whose last camera is still to be shown for a while.
    indirect case landed(Camera, until: Instant)
    /// It has been let go since, and nobody has moved it: whoever comes to watch begins with it.
    indirect case resting(Camera)
    /// Following, once there is a position: by this plan; saying so when there is none at `deadline`.
    indirect case awaiting(Pursuit, TransitionPlan, deadline: Instant?, cause: ViewCause)
    /// On its way.
    indirect case moving(CameraTransition, to: TierGoal)
    /// On the puck.
    case following(Pursuit)
    /// On a geometry, with the camera that fits it.
    indirect case overview(OverviewOptions, Camera)

    /// How that is told in events. Once the time-out has been told, waiting is the state that the view is in.
    var status: (ViewStatus, ViewTarget?) {
        switch self {
        case .idle, .landed, .resting: (.idle, nil)
        case .awaiting(_, _, let deadline, _): (deadline == nil ? .state : .transition, .follow)
        case .moving(_, let goal): (.transition, goal.target)
        case .following: (.state, .follow)
        case .overview: (.state, .overview)
        }
    }

    /// When it changes by itself; nil where it does not.
    var deadline: Instant? {
        switch self {
        case .awaiting(_, _, let deadline, _): deadline
        case .moving(let transition, _): transition.end
        case .landed(_, let until): until
        case .idle, .resting, .following, .overview: nil
        }
    }

    /// The following that is under way, or on its way.
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

/// Where a transition goes.
enum TierGoal: Hashable, Sendable {
    /// To the puck.
    case following(Pursuit)
    /// To a geometry, with the camera that fits it.
    case overview(OverviewOptions, Camera)
    /// To a camera, once.
    case camera(Camera)

    /// How it is told in events.
    var target: ViewTarget {
        switch self {
        case .following: .follow
        case .overview: .overview
        case .camera: .camera
        }
    }
}

/// One following, from its entry to its end: what holds for that long only.
struct Pursuit: Hashable, Sendable {
    /// Axes that a hand has taken.
    var released: AxisSet = []
    /// The zoom of the entry, where no option says one.
    var entryZoom: Double?
    /// Whether the puck's bearing was known when it was last looked at.
    var hadBearing = true
    /// The turn to a bearing that has come to be known meanwhile.
    var swing: BearingTurn?

    /// Entering below this zoom, a puck in the middle of the map would say nothing. (MapLibre's
    /// minimumZoomLevelForUserTracking)
    static let lowestEntry = 10.5
    /// Where such an entry goes. (MapLibre's defaultZoomLevelForUserTracking)
    static let closerEntry = 14.0
}
