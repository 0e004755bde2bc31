/// The effect of each command on one tier. Each function is called after `observe`, and returns the reasons of its
/// changes in order; none if nothing changes.
extension TierView {
    /// How long a transition waits for a position before the missing position is reported, seconds.
    static let positionTimeout = 5.0

    /// Moves to a goal by a plan.
    mutating func go(
        to goal: TierGoal, _ plan: TransitionPlan, at instant: Instant, puck: Puck?, mode: TrackingMode,
        cause: ViewCause
    ) -> [ViewChangeReason] {
        let reasons = cancelled
        if puck == nil, case .following(let pursuit) = goal {
            activity = .awaiting(pursuit, plan, deadline: instant.advanced(by: Self.positionTimeout), cause: cause)
            return reasons + [.transitionStarted]
        }
        return reasons + begin(goal, plan, at: instant, puck: puck, mode: mode, cause: cause)
    }

    /// Follows the puck: starts again, or continues with new options. `axes` no longer belong to the user.
    mutating func follow(
        _ plan: TransitionPlan, taking axes: AxisSet, modeChanged: Bool, at instant: Instant, puck: Puck?,
        mode: TrackingMode, cause: ViewCause
    ) -> [ViewChangeReason] {
        var pursuit = activity.pursuit ?? Pursuit()
        pursuit.released.subtract(axes)
        let wasThere = if case .following = activity { !modeChanged } else { false }
        let reasons = go(to: .following(pursuit), plan, at: instant, puck: puck, mode: mode, cause: cause)
        return wasThere && reasons == [.transitionSucceeded] ? [] : reasons
    }

    /// Releases the camera.
    mutating func stop(_ reason: ViewChangeReason) -> [ViewChangeReason] {
        let (status, _) = activity.status
        let reasons = cancelled
        activity = .idle
        return status == .idle ? [] : reasons + [reason]
    }

    /// Gives the user axes of a camera that continues to follow.
    mutating func release(_ axes: AxisSet) { activity.pursuit?.released.formUnion(axes) }

    /// Takes a client's report of its camera.
    mutating func learn(_ camera: Camera) { known = known.overlaid(with: camera) }

    /// Applies the options that a `follow` names. The defaults for other options apply only to the precise tier: an
    /// approximate camera has a pitch only if an approximate client has set one.
    mutating func apply(_ options: FollowOptions) {
        settings.apply(options)
        if tier == .precise { settings.fillDefaults() }
    }

    /// Takes a new screen size, and fits an overview to it. If the screen has no room for it, the overview ends.
    mutating func resize(to viewport: Viewport, at instant: Instant) -> [ViewChangeReason] {
        self.viewport = viewport
        switch activity {
        case .overview(let options, _):
            guard let camera = Self.fit(options, in: viewport) else { break }
            activity = .overview(options, camera)
            known = known.overlaid(with: camera)
            enliven(until: instant)
            return []
        case .moving(let transition, .overview(let options, _)):
            guard let camera = Self.fit(options, in: viewport) else { break }
            activity = .moving(transition, to: .overview(options, camera))
            return []
        case .idle, .landed, .resting, .awaiting, .moving, .following:
            return []
        }
        activity = .idle
        return [.transitionFailed]
    }

    /// The camera that shows a whole geometry; nil if the screen has no room for it.
    static func fit(_ options: OverviewOptions, in viewport: Viewport?) -> Camera? {
        CameraFit(
            viewport: viewport ?? .smallest, padding: options.padding ?? Padding(),
            geometryPadding: options.geometryPadding ?? Padding(), bearing: options.bearing ?? 0,
            pitch: options.pitch ?? 0, maxZoom: options.maxZoom
        ).camera(for: options.geometry.coordinates)
    }

    /// Adds a marker, or moves it from its present position, if the sender may change it.
    mutating func putMarker(
        _ name: String, at target: Coordinate, duration: Double, curve: EasingCurve, by sender: AccuracyMode,
        at instant: Instant
    ) {
        guard isOpen(name, to: sender) else { return }
        let motion =
            markers[name]?.motion.retargeted(to: target, at: instant, duration: duration, curve: curve)
            ?? MarkerMotion(at: target, since: instant)
        markers[name] = PlacedMarker(motion: motion, owner: sender)
        enliven(until: motion.arrival)
    }

    /// Removes a marker, if the sender may change it.
    mutating func takeMarker(_ name: String, by sender: AccuracyMode, at instant: Instant) {
        guard isOpen(name, to: sender) else { return }
        markers[name] = nil
        enliven(until: instant)
    }

    /// The present zoom; nil if it is unknown, or the client controls it.
    var zoomToKeep: Double? {
        let isReleased = activity.pursuit?.released.contains(.zoom) == true
        return isReleased || settings.zoom == .client ? nil : known.zoom
    }

    private var cancelled: [ViewChangeReason] { activity.status.0 == .transition ? [.transitionCancelled] : [] }
}
