/// One accuracy tier of a view: its camera, options and markers. It is given its own tier's puck and nothing of the
/// other's, so neither its camera nor the time of any change of it can depend on the other tier.
struct TierView: Hashable, Sendable {
    /// Whose watchers it is shown to.
    let tier: AccuracyMode
    /// The follow options that this tier may know.
    var settings = FollowSettings()
    /// The tier's markers.
    var markers: [String: MarkerMotion] = [:]
    /// The screen, where a client has told it.
    var viewport: Viewport?

    private var activity = Activity.idle
    /// What is known of the camera that watchers now have: what they were sent, and what their hands told.
    private var known = Camera()
    /// Until when frames are to be made.
    private var lively: Instant?

    /// For so long after a change is over frames are still due: so that a watcher at the slowest rate, one frame a
    /// second, has one that shows the end. Seconds.
    static let afterglow = 1.0
    /// For so long a transition waits for a position, seconds.
    static let positionTimeout = 5.0

    init(tier: AccuracyMode) { self.tier = tier }

    /// What the tier's camera does.
    enum Activity: Hashable, Sendable {
        /// The camera is the client's.
        case idle
        /// It was just let go at the end of a single movement, whose last camera is still to be shown for a while.
        case landed(Camera, until: Instant)
        /// Following, once there is a position: by this plan; saying so when there is none at `deadline`.
        case awaiting(Pursuit, TransitionPlan, deadline: Instant?, cause: ViewCause)
        /// On its way.
        case moving(CameraTransition, to: Goal)
        /// On the puck; and where the camera was shown last.
        case following(Pursuit, shown: Camera?)
        /// On a geometry, with the camera that fits it.
        case overview(OverviewOptions, Camera)
    }

    /// Where a transition goes.
    enum Goal: Hashable, Sendable {
        case following(Pursuit)
        case overview(OverviewOptions, Camera)
        case camera(Camera)

        var target: ViewTarget {
            switch self {
            case .following: .follow
            case .overview: .overview
            case .camera: .camera
            }
        }
    }

    /// How the tier stands, as told in events.
    var status: (ViewStatus, ViewTarget?) {
        switch activity {
        case .idle, .landed: (.idle, nil)
        case .awaiting(_, _, let deadline, _): (deadline == nil ? .state : .transition, .follow)
        case .moving(_, let goal): (.transition, goal.target)
        case .following: (.state, .follow)
        case .overview: (.state, .overview)
        }
    }

    /// When `advance` has something to do, were no puck to come.
    var deadline: Instant? {
        switch activity {
        case .awaiting(_, _, let deadline, _): deadline
        case .moving(let transition, _): transition.end
        case .landed(_, let until): until
        case .idle, .following, .overview: nil
        }
    }

    /// Whether frames are due though the puck rests.
    func isAnimating(at instant: Instant) -> Bool {
        if case .moving = activity { return true }
        return lively.map { instant < $0 } ?? false
    }

    // MARK: The camera

    /// The axes that the view owns at an instant; nil where it owns none.
    func camera(at instant: Instant, puck: Puck?, mode: TrackingMode) -> Camera? {
        switch activity {
        case .idle, .awaiting:
            return nil
        case .landed(let camera, let until):
            return instant < until ? camera : nil
        case .following(let pursuit, let shown):
            guard let puck else { return nil }
            let target = aim(at: puck, mode: mode, pursuit: pursuit)
            guard tier == .precise, let shown, let viewport, let zoom = target.zoom ?? known.zoom else { return target }
            return DeadBand.apply(target, shown: shown, zoom: zoom, speed: puck.speed ?? 0, viewport: viewport)
        case .moving(let transition, let goal):
            return transition.camera(
                at: instant, target: target(of: goal, puck: puck, mode: mode) ?? transition.lastTarget)
        case .overview(_, let camera):
            return camera
        }
    }

    private func aim(at puck: Puck, mode: TrackingMode, pursuit: Pursuit) -> Camera {
        switch tier {
        case .precise:
            CameraAim.precise(puck, mode: mode, settings: settings, pursuit: pursuit)
        case .approximate:
            CameraAim.approximate(
                point: puck.coordinate, radius: puck.accuracy, settings: settings, released: pursuit.released)
        }
    }

    private func target(of goal: Goal, puck: Puck?, mode: TrackingMode) -> Camera? {
        switch goal {
        case .following(let pursuit): puck.map { aim(at: $0, mode: mode, pursuit: pursuit) }
        case .overview(_, let camera), .camera(let camera): camera
        }
    }

    // MARK: Time

    /// What time and the puck bring; and takes note of what is shown at `instant`.
    mutating func advance(to instant: Instant, puck: Puck?, mode: TrackingMode) -> [(ViewChangeReason, ViewCause)] {
        switch activity {
        case .idle, .overview:
            return []
        case .landed(_, let until):
            if instant >= until { activity = .idle }
            return []
        case .awaiting(let pursuit, let plan, let deadline, let cause):
            if puck != nil {
                let reasons = begin(.following(pursuit), plan, at: instant, puck: puck, mode: mode, cause: cause)
                // A transition was announced when it was asked for, unless its time-out has been told since.
                return reasons.filter { $0 != .transitionStarted || deadline == nil }.map { ($0, cause) }
            }
            guard let deadline, instant >= deadline else { return [] }
            activity = .awaiting(pursuit, plan, deadline: nil, cause: cause)
            return [(.noPosition, cause)]
        case .moving(var transition, let goal):
            if let target = target(of: goal, puck: puck, mode: mode) { transition.lastTarget = target }
            activity = .moving(transition, to: goal)
            guard instant >= transition.end else { return [] }
            known = known.overlaid(with: transition.lastTarget)
            arrive(at: goal, instant)
            return [(.transitionSucceeded, transition.cause)]
        case .following(let pursuit, let shown):
            guard let camera = camera(at: instant, puck: puck, mode: mode), camera != shown else { return [] }
            activity = .following(pursuit, shown: camera)
            return []
        }
    }

    /// Takes note of what watchers see at `instant`, so that whatever comes next starts from there.
    mutating func settle(at instant: Instant, puck: Puck?, mode: TrackingMode) {
        if let camera = camera(at: instant, puck: puck, mode: mode) {
            known = known.overlaid(with: camera)
        } else if case .following(_, let shown?) = activity {
            known = known.overlaid(with: shown)
        }
    }

    // MARK: Orders; each after `settle`

    /// Goes to a goal by a plan. What it says of the way there: reasons, in order.
    mutating func go(
        to goal: Goal, _ plan: TransitionPlan, at instant: Instant, puck: Puck?, mode: TrackingMode, cause: ViewCause
    ) -> [ViewChangeReason] {
        var reasons = cancelled
        if puck == nil, case .following(let pursuit) = goal {
            activity = .awaiting(
                pursuit, plan, deadline: instant.advanced(by: Self.positionTimeout), cause: cause)
            return reasons + [.transitionStarted]
        }
        reasons += begin(goal, plan, at: instant, puck: puck, mode: mode, cause: cause)
        return reasons
    }

    /// Follows the puck: anew, or as it already does but by new options. Nothing is said where nothing changes.
    mutating func follow(
        _ plan: TransitionPlan, taking axes: AxisSet, modeChanged: Bool, at instant: Instant, puck: Puck?,
        mode: TrackingMode, cause: ViewCause
    ) -> [ViewChangeReason] {
        var pursuit = self.pursuit ?? Pursuit()
        pursuit.released.subtract(axes)
        if !modeChanged, case .following(_, let shown) = activity, let puck {
            let target = aim(at: puck, mode: mode, pursuit: pursuit)
            let owned = target.overlaid(with: shown ?? target)
            if owned == (shown ?? target), known.overlaid(with: target) == known {
                activity = .following(pursuit, shown: shown)
                return []
            }
        }
        return go(to: .following(pursuit), plan, at: instant, puck: puck, mode: mode, cause: cause)
    }

    /// Lets the camera go.
    mutating func stop(_ reason: ViewChangeReason) -> [ViewChangeReason] {
        let (status, _) = status
        let reasons = cancelled
        activity = .idle
        return status == .idle ? [] : reasons + [reason]
    }

    /// A hand takes axes of a camera that goes on following.
    mutating func release(_ axes: AxisSet) {
        switch activity {
        case .following(var pursuit, let shown):
            pursuit.released.formUnion(axes)
            activity = .following(pursuit, shown: shown)
        case .moving(let transition, .following(var pursuit)):
            pursuit.released.formUnion(axes)
            activity = .moving(transition, to: .following(pursuit))
        case .awaiting(var pursuit, let plan, let deadline, let cause):
            pursuit.released.formUnion(axes)
            activity = .awaiting(pursuit, plan, deadline: deadline, cause: cause)
        case .idle, .landed, .moving, .overview:
            break
        }
    }

    /// A client says what its camera is.
    mutating func learn(_ camera: Camera) { known = known.overlaid(with: camera) }

    /// Makes frames due until the afterglow of `instant`.
    mutating func enliven(at instant: Instant) {
        let end = instant.advanced(by: Self.afterglow)
        lively = max(lively ?? end, end)
    }

    /// Fits the overview to a screen of another size.
    mutating func refit(at instant: Instant) -> [ViewChangeReason] {
        switch activity {
        case .overview(let options, _):
            guard let camera = Self.fit(options, in: viewport) else { return fail() }
            activity = .overview(options, camera)
        case .moving(let transition, .overview(let options, _)):
            guard let camera = Self.fit(options, in: viewport) else { return fail() }
            activity = .moving(transition, to: .overview(options, camera))
        case .idle, .landed, .awaiting, .moving, .following:
            return []
        }
        enliven(at: instant)
        return []
    }

    /// The camera that keeps a geometry in sight.
    static func fit(_ options: OverviewOptions, in viewport: Viewport?) -> Camera? {
        CameraFit(
            viewport: viewport ?? .smallest, padding: options.padding ?? Padding(),
            geometryPadding: options.geometryPadding ?? Padding(), bearing: options.bearing ?? 0,
            pitch: options.pitch ?? 0, maxZoom: options.maxZoom
        ).camera(for: options.geometry.coordinates)
    }

    // MARK: Parts of these

    private var cancelled: [ViewChangeReason] { status.0 == .transition ? [.transitionCancelled] : [] }

    private var pursuit: Pursuit? {
        switch activity {
        case .following(let pursuit, _), .awaiting(let pursuit, _, _, _), .moving(_, .following(let pursuit)): pursuit
        case .idle, .landed, .moving, .overview: nil
        }
    }

    private mutating func begin(
        _ goal: Goal, _ plan: TransitionPlan, at instant: Instant, puck: Puck?, mode: TrackingMode, cause: ViewCause
    ) -> [ViewChangeReason] {
        var goal = goal
        if case .following(let pursuit) = goal, let puck { goal = .following(entered(pursuit, at: puck)) }
        guard let target = target(of: goal, puck: puck, mode: mode) else { return [] }
        var plan = plan
        if tier == .approximate, case .following = goal, plan != .immediate {
            plan = .uniform(duration: TransitionTiming.approximate, curve: .easeInOut)
        }
        guard
            let transition = CameraTransition(
                from: known, to: target, plan: plan, viewport: viewport, at: instant, cause: cause)
        else {
            known = known.overlaid(with: target)
            arrive(at: goal, instant)
            return [.transitionSucceeded]
        }
        activity = .moving(transition, to: goal)
        enliven(at: transition.end)
        return [.transitionStarted]
    }

    private mutating func arrive(at goal: Goal, _ instant: Instant) {
        switch goal {
        case .following(let pursuit): activity = .following(pursuit, shown: nil)
        case .overview(let options, let camera): activity = .overview(options, camera)
        case .camera(let camera):
            activity = .landed(camera, until: instant.advanced(by: Self.afterglow))
        }
        enliven(at: instant)
    }

    private mutating func fail() -> [ViewChangeReason] {
        activity = .idle
        return [.transitionFailed]
    }

    /// The zoom with which following begins where no option says one: from far off it flies closer, and over a
    /// distance that is flown it comes back to the zoom it had.
    private func entered(_ pursuit: Pursuit, at puck: Puck) -> Pursuit {
        guard pursuit.entryZoom == nil, settings.zoom == .unset, !pursuit.released.contains(.zoom),
            let zoom = known.zoom
        else { return pursuit }
        var pursuit = pursuit
        if zoom < Pursuit.lowestEntry {
            pursuit.entryZoom = Pursuit.closerEntry
        } else {
            let kept = Camera(center: puck.coordinate, zoom: zoom)
            let offset = CameraOffset(of: known, from: kept)
            let flight = CameraFlight(from: known, to: kept, offset: offset, viewport: viewport ?? .smallest)
            if flight?.isFar == true { pursuit.entryZoom = zoom }
        }
        return pursuit
    }
}
