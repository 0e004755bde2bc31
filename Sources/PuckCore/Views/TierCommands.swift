/// What a command does to one tier. Each order is given after `observe`, and says why what it does is told: reasons, in
/// order; none where nothing changes.
extension TierView {
    /// For so long a transition waits for a position before it is said that there is none, seconds.
    static let positionTimeout = 5.0

    /// Goes to a goal by a plan.
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

    /// Follows the puck: anew, or as it already does but by new options. `axes` are taken back from the hands.
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

    /// Lets the camera go.
    mutating func stop(_ reason: ViewChangeReason) -> [ViewChangeReason] {
        let (status, _) = activity.status
        let reasons = cancelled
        activity = .idle
        return status == .idle ? [] : reasons + [reason]
    }

    /// A hand takes axes of a camera that goes on following.
    mutating func release(_ axes: AxisSet) { activity.pursuit?.released.formUnion(axes) }

    /// A client says what its camera is.
    mutating func learn(_ camera: Camera) { known = known.overlaid(with: camera) }

    /// Takes what a `follow` names. The defaults for what nobody has named are the precise tier's alone: an
    /// approximate camera has a tilt only where an approximate client has said one.
    mutating func apply(_ options: FollowOptions) {
        settings.apply(options)
        if tier == .precise { settings.fillDefaults() }
    }

    /// Takes another screen, and fits an overview to it. Where it has no room any more, that is over.
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

    /// The camera that keeps a geometry in sight; nil where there is no room for it.
    static func fit(_ options: OverviewOptions, in viewport: Viewport?) -> Camera? {
        CameraFit(
            viewport: viewport ?? .smallest, padding: options.padding ?? Padding(),
            geometryPadding: options.geometryPadding ?? Padding(), bearing: options.bearing ?? 0,
            pitch: options.pitch ?? 0, maxZoom: options.maxZoom
        ).camera(for: options.geometry.coordinates)
    }

    /// Puts a marker, or sends it on from where it is, where it is the sender's to do so.
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

    /// Takes a marker away, where it is the sender's to do so.
    mutating func takeMarker(_ name: String, by sender: AccuracyMode, at instant: Instant) {
        guard isOpen(name, to: sender) else { return }
        markers[name] = nil
        enliven(until: instant)
    }

    /// The present zoom; nil where it is not known, or the client's.
    var zoomToKeep: Double? {
        let isReleased = activity.pursuit?.released.contains(.zoom) == true
        return isReleased || settings.zoom == .client ? nil : known.zoom
    }

    private var cancelled: [ViewChangeReason] { activity.status.0 == .transition ? [.transitionCancelled] : [] }
}
