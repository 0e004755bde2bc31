/// One accuracy tier of a view: its camera, options and markers. It gets only its own tier's puck, so neither its
/// camera nor the time of a change depends on the other tier.
struct TierView: Hashable, Sendable {
    /// The accuracy of its watchers.
    let tier: AccuracyMode
    /// The follow options that this tier may know.
    var settings = FollowSettings()
    /// The tier's markers, each with the tier of the client that placed it.
    var markers = PlacedMarkers()
    /// The screen, if a client has reported it.
    var viewport: Viewport?
    /// The camera's activity.
    var activity = CameraActivity.idle
    /// The known part of the watchers' present camera: what they were sent, and what their gestures reported.
    var known = Camera()
    /// The time until which frames are made.
    private var lively: Instant?

    /// How long frames are due after the end of a change, seconds, so that a watcher at the slowest rate, one frame a
    /// second, gets one that shows the end.
    static let afterglow = 1.0

    init(tier: AccuracyMode) { self.tier = tier }

    /// Whether frames are due although the puck rests.
    func isAnimating(at instant: Instant) -> Bool {
        if case .moving = activity { return true }
        return lively.map { instant < $0 } ?? false
    }

    /// When what moves comes to rest by itself; nil if nothing does.
    var animationEnd: Instant? {
        guard case .moving(let transition, _) = activity else { return lively }
        return max(lively ?? transition.end, transition.end)
    }

    /// Whether its watchers see something else than `before`, time apart.
    func differs(from before: TierView) -> Bool {
        activity != before.activity || markers != before.markers || settings != before.settings
            || viewport != before.viewport
    }

    /// Makes frames due until the afterglow of `instant` ends.
    mutating func enliven(until instant: Instant) {
        let end = instant.advanced(by: Self.afterglow)
        lively = max(lively ?? end, end)
    }

    // MARK: Markers

    /// Whether the sender may place, move or remove a marker with that name. An approximate client does not know the
    /// markers of precise clients. If precise watchers see one with the same name, or the maximum number, they keep
    /// theirs, and only approximate watchers see the new one.
    func isOpen(_ name: String, to sender: AccuracyMode) -> Bool {
        guard tier == .precise, sender == .approximate else { return true }
        return markers[name].map { $0.owner == .approximate } ?? (markers.count < ViewState.markerLimit)
    }

    // MARK: The camera

    /// The axes that the view controls at an instant; nil if it controls none.
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

    /// The present camera for a goal; nil if it needs a puck and there is none.
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

    /// The shown part of the target camera for a followed puck.
    private func shown(_ target: Camera, at instant: Instant, speed: Double?, _ swing: BearingTurn?) -> Camera {
        // The approximate point neither trembles nor turns, so it is shown unchanged.
        guard tier == .precise else { return target }
        var camera = target
        if let swing, let bearing = target.bearing {
            camera.bearing = Direction(wrapping: bearing + swing.left(at: instant))?.degrees ?? bearing
        }
        guard let viewport, let zoom = target.zoom ?? known.zoom else { return camera }
        return DeadBand.apply(camera, shown: known, zoom: zoom, speed: speed ?? 0, viewport: viewport)
    }

    // MARK: Time

    /// Records what watchers see at an instant, so that the next change starts there.
    mutating func observe(at instant: Instant, puck: Puck?, mode: TrackingMode) {
        guard let camera = camera(at: instant, puck: puck, mode: mode) else { return }
        known = known.overlaid(with: camera)
    }

    /// The changes by time and by the puck: reasons, and the clients that caused them.
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
                // A transition was announced when it was requested, unless its time-out has been reported since.
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

    /// If a bearing becomes known, for example when a car sets off, the camera turns to it instead of jumping.
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

    // MARK: Parts shared by time and commands

    /// Starts a transition to a visible goal, and returns its reasons: it has started, or has nothing to do.
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

    /// The zoom at which following starts if no option sets one. From a far zoom it comes closer; over a distance
    /// that it flies, it returns to its previous zoom.
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
