/// One accuracy tier of a view: its camera, options and markers. It is given its own tier's puck and nothing of the
/// other's, so neither its camera nor the time of any change of it can depend on the other tier.
struct TierView: Hashable, Sendable {
    /// Whose watchers it is shown to.
    let tier: AccuracyMode
    /// The follow options that this tier may know.
    var settings = FollowSettings()
    /// The tier's markers, each with the tier of whoever placed it.
    var markers = PlacedMarkers()
    /// The screen, where a client has told it.
    var viewport: Viewport?
    /// What the camera does.
    var activity = CameraActivity.idle
    /// What is known of the camera that watchers now have: what they were sent, and what their hands told.
    var known = Camera()
    /// Until when frames are to be made.
    private var lively: Instant?

    /// For so long after a change is over frames are still due, so that a watcher at the slowest rate, one frame a
    /// second, has one that shows the end. Seconds.
    static let afterglow = 1.0

    init(tier: AccuracyMode) { self.tier = tier }

    /// Whether frames are due though the puck rests.
    func isAnimating(at instant: Instant) -> Bool {
        if case .moving = activity { return true }
        return lively.map { instant < $0 } ?? false
    }

    /// Whether its watchers see something else than `before`, time apart.
    func differs(from before: TierView) -> Bool {
        activity != before.activity || markers != before.markers || settings != before.settings
            || viewport != before.viewport
    }

    /// Makes frames due until the afterglow of `instant`.
    mutating func enliven(until instant: Instant) {
        let end = instant.advanced(by: Self.afterglow)
        lively = max(lively ?? end, end)
    }

    // MARK: Markers

    /// Whether a marker of that name is the sender's to place, move or take away. An approximate client knows nothing
    /// of precise ones' markers: where precise watchers have one of that name, or as many as there may be, they keep
    /// theirs, and only approximate watchers see the other.
    func isOpen(_ name: String, to sender: AccuracyMode) -> Bool {
        guard tier == .precise, sender == .approximate else { return true }
        return markers[name].map { $0.owner == .approximate } ?? (markers.count < ViewState.markerLimit)
    }

    // MARK: The camera

    /// The axes that the view owns at an instant; nil where it owns none.
    func camera(at instant: Instant, puck: Puck?, mode: TrackingMode) -> Camera? {
        switch activity {
        case .idle, .resting, .awaiting:
            return nil
        case .landed(let camera, let until):
            return instant < until ? camera : nil
        case .following(let pursuit):
            guard let puck else { return nil }
            return shown(aim(at: puck, mode: mode, pursuit: pursuit), at: instant, speed: puck.speed, pursuit.swing)
        case .moving(let transition, let goal):
            return transition.camera(
                at: instant, target: target(of: goal, puck: puck, mode: mode) ?? transition.lastTarget)
        case .overview(_, let camera):
            return camera
        }
    }

    /// The camera that a goal now asks for; nil where that takes a puck and there is none.
    func target(of goal: TierGoal, puck: Puck?, mode: TrackingMode) -> Camera? {
        switch goal {
        case .following(let pursuit): puck.map { aim(at: $0, mode: mode, pursuit: pursuit) }
        case .overview(_, let camera), .camera(let camera): camera
        }
    }

    private func aim(at puck: Puck, mode: TrackingMode, pursuit: Pursuit) -> Camera {
        switch tier {
        case .precise:
            CameraAim.precise(puck, mode: mode, settings: settings, pursuit: pursuit)
        case .approximate:
            CameraAim.approximate(
                point: puck.coordinate, radius: puck.accuracy ?? .infinity, settings: settings,
                released: pursuit.released)
        }
    }

    /// What is shown of the camera that a followed puck asks for.
    private func shown(_ target: Camera, at instant: Instant, speed: Double?, _ swing: BearingTurn?) -> Camera {
        // The approximate point neither trembles nor turns: what is shown of it is the point.
        guard tier == .precise else { return target }
        var camera = target
        if let swing, let bearing = target.bearing {
            camera.bearing = Direction(wrapping: bearing + swing.left(at: instant))?.degrees ?? bearing
        }
        guard let viewport, let zoom = target.zoom ?? known.zoom else { return camera }
        return DeadBand.apply(camera, shown: known, zoom: zoom, speed: speed ?? 0, viewport: viewport)
    }

    // MARK: Time

    /// Takes note of what watchers see at an instant, so that whatever comes next starts from there.
    mutating func observe(at instant: Instant, puck: Puck?, mode: TrackingMode) {
        guard let camera = camera(at: instant, puck: puck, mode: mode) else { return }
        known = known.overlaid(with: camera)
    }

    /// What time and the puck bring: reasons, and who caused them.
    mutating func advance(to instant: Instant, puck: Puck?, mode: TrackingMode) -> [(ViewChangeReason, ViewCause)] {
        switch activity {
        case .idle, .resting, .overview:
            return []
        case .landed(let camera, let until):
            if instant >= until { activity = .resting(camera) }
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
            arrive(at: goal, transition.lastTarget, instant)
            return [(.transitionSucceeded, transition.cause)]
        case .following(let pursuit):
            guard let puck else { return [] }
            let target = aim(at: puck, mode: mode, pursuit: pursuit)
            let swing = swing(pursuit, toward: target, at: instant)
            known = known.overlaid(with: shown(target, at: instant, speed: puck.speed, swing))
            return []
        }
    }

    /// A bearing that has come to be known, as when a car sets off, is turned to, not jumped to.
    private mutating func swing(_ pursuit: Pursuit, toward target: Camera, at instant: Instant) -> BearingTurn? {
        let hasBearing = target.bearing != nil
        guard hasBearing != pursuit.hadBearing || pursuit.swing != nil else { return nil }
        var pursuit = pursuit
        if let swing = pursuit.swing, instant >= swing.end { pursuit.swing = nil }
        if !pursuit.hadBearing, let new = target.bearing, let old = known.bearing {
            pursuit.swing = BearingTurn(from: old, to: new, at: instant)
            if let swing = pursuit.swing { enliven(until: swing.end) }
        }
        pursuit.hadBearing = hasBearing
        activity = .following(pursuit)
        return pursuit.swing
    }

    // MARK: Parts of time and orders

    /// Sets out for a goal that can be seen, and says how that goes: it has started, or has nothing to do.
    mutating func begin(
        _ goal: TierGoal, _ plan: TransitionPlan, at instant: Instant, puck: Puck?, mode: TrackingMode,
        cause: ViewCause
    ) -> [ViewChangeReason] {
        var goal = goal
        var plan = plan
        if case .following(let pursuit) = goal, let puck {
            goal = .following(entered(pursuit, at: puck.coordinate))
            if tier == .approximate, plan != .immediate {
                plan = .uniform(duration: TransitionTiming.approximate, curve: .easeInOut)
            }
        }
        guard let target = target(of: goal, puck: puck, mode: mode) else { return [] }
        guard
            let transition = CameraTransition(
                from: known, to: target, plan: plan, viewport: viewport, at: instant, cause: cause)
        else {
            arrive(at: goal, target, instant)
            return [.transitionSucceeded]
        }
        activity = .moving(transition, to: goal)
        return [.transitionStarted]
    }

    private mutating func arrive(at goal: TierGoal, _ target: Camera, _ instant: Instant) {
        known = known.overlaid(with: target)
        enliven(until: instant)
        switch goal {
        case .following(var pursuit):
            pursuit.hadBearing = target.bearing != nil
            pursuit.swing = nil
            activity = .following(pursuit)
        case .overview(let options, let camera):
            activity = .overview(options, camera)
        case .camera(let camera):
            activity = .landed(camera, until: instant.advanced(by: Self.afterglow))
        }
    }

    /// The zoom with which following begins where no option says one: from far off it comes closer, and over a
    /// distance that is flown it comes back to the zoom it had.
    private func entered(_ pursuit: Pursuit, at coordinate: Coordinate) -> Pursuit {
        guard pursuit.entryZoom == nil, settings.zoom == .unset, !pursuit.released.contains(.zoom),
            let zoom = known.zoom
        else { return pursuit }
        var pursuit = pursuit
        if zoom < Pursuit.lowestEntry {
            pursuit.entryZoom = Pursuit.closerEntry
        } else {
            let kept = Camera(center: coordinate, zoom: zoom)
            let flight = CameraFlight(
                from: known, to: kept, offset: CameraOffset(of: known, from: kept), viewport: viewport ?? .smallest)
            if flight?.isFar == true { pursuit.entryZoom = zoom }
        }
        return pursuit
    }
}
