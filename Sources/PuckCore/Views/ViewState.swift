/// One named view that several clients watch and steer together.
///
/// The two accuracy tiers share the tracking mode. Camera, options and markers are separate for each tier: places and
/// directions from a precise client stay in the precise tier; those from an approximate client go to both.
///
/// It reads no clock. The owner calls `advance` at `deadline`, and with each frame's pucks before `camera`.
public struct ViewState: Hashable, Sendable {
    /// The name that clients use to share it; empty for a connection's own.
    public let name: String
    /// The tracking mode. Only commands and gestures change it.
    public private(set) var mode = TrackingMode.none

    var precise = TierView(tier: .precise)
    var approximate = TierView(tier: .approximate)
    /// The bearing of the last `follow` that named one. A `follow` without a bearing returns to it if the view does
    /// not follow.
    private var followMode = TrackingMode.followWithHeading
    private var gestures = GestureTracking()

    /// The maximum number of markers that the watchers of one tier see in a view.
    public static let markerLimit = 256
    /// The longest animation that a client may request, seconds.
    public static let longestDuration = 3600.0

    /// A view in its initial state.
    public init(name: String) { self.name = name }

    // MARK: Reading

    /// The camera axes that the view controls at an instant, with that instant's puck of the tier; nil if it controls
    /// none.
    public func camera(at instant: Instant, puck: Puck?, tier: AccuracyMode) -> Camera? {
        guard puck == nil || puck?.accuracyMode == tier else { return nil }
        switch tier {
        case .precise: return precise.camera(at: instant, puck: puck, mode: mode)
        case .approximate: return approximate.camera(at: instant, puck: puck, mode: mode)
        }
    }

    /// The last camera of a completed movement for a tier's watchers, until somebody moves the camera. A new watcher
    /// starts with it, although the view no longer controls any axis.
    public func restingCamera(tier: AccuracyMode) -> Camera? {
        if case .resting(let camera) = self[tier].activity { camera } else { nil }
    }

    /// The markers of a tier at an instant, by name.
    public func markers(at instant: Instant, tier: AccuracyMode) -> [Marker] {
        self[tier].markers.sorted.map { name, marker in
            Marker(
                name: name, coordinate: marker.motion.coordinate(at: instant),
                moving: marker.motion.isMoving(at: instant))
        }
    }

    /// Whether frames are due although the puck rests: while something moves, and for one more second, so that a
    /// client with one frame a second gets one of the end. (A frame that equals the last one need not be sent.)
    public func isAnimating(at instant: Instant, tier: AccuracyMode) -> Bool {
        switch tier {
        case .precise: precise.isAnimating(at: instant)
        case .approximate: approximate.isAnimating(at: instant)
        }
    }

    /// When what moves in a tier comes to rest by itself, at the latest; nil if nothing does.
    public func animationEnd(tier: AccuracyMode) -> Instant? { self[tier].animationEnd }

    /// The zoom of the screens of a tier's watchers, as far as it is known.
    public func screenZoom(tier: AccuracyMode) -> Double? { self[tier].known.zoom }

    /// How the view stands, for a new watcher.
    public func current(tier: AccuracyMode) -> ViewEvent {
        event(.current, tier: tier, cause: ViewCause(accuracy: .approximate))
    }

    /// When `advance` must be called, whatever the pucks do.
    public var deadline: Instant? {
        guard let a = deadline(of: .precise) else { return deadline(of: .approximate) }
        guard let b = deadline(of: .approximate) else { return a }
        return min(a, b)
    }

    /// When the tier next changes with time. The other tier's watchers must not get a frame because of it: the time
    /// at which a precise camera arrives reveals its distance from the puck.
    public func deadline(of tier: AccuracyMode) -> Instant? { self[tier].activity.deadline }

    /// Whether a command changed something, compared with `before`, that a tier's watchers see.
    public func differs(from before: ViewState, in tier: AccuracyMode) -> Bool {
        self[tier].differs(from: before[tier])
    }

    // MARK: Time

    /// Applies the changes by time and by the pucks of an instant: ends of transitions, time-outs, a new position.
    public mutating func advance(to instant: Instant, pucks: TierPucks) -> [ViewEvent] {
        let ofPrecise = precise.advance(to: instant, puck: pucks.precise, mode: mode)
        let ofApproximate = approximate.advance(to: instant, puck: pucks.approximate, mode: mode)
        return ofPrecise.map { event($0.0, tier: .precise, cause: $0.1) }
            + ofApproximate.map { event($0.0, tier: .approximate, cause: $0.1) }
    }

    // MARK: Commands

    /// Carries out a client's command. A refused one changes nothing.
    public mutating func handle(
        _ command: ViewCommand, cause: ViewCause, at instant: Instant, pucks: TierPucks
    ) -> Result<[ViewEvent], ViewRefusal> {
        if let refusal = refusal(of: command, from: cause.accuracy) { return .failure(refusal) }
        let order = Order(cause: cause, instant: instant, pucks: pucks)
        precise.observe(at: instant, puck: pucks.precise, mode: mode)
        approximate.observe(at: instant, puck: pucks.approximate, mode: mode)
        return .success(carryOut(command, order))
    }

    private mutating func carryOut(_ command: ViewCommand, _ order: Order) -> [ViewEvent] {
        switch command {
        case .track(let mode): track(mode, order)
        case .trackNext: track(mode.next, order)
        case .follow(let options, let transition): follow(options, transition, order)
        case .overview(let options): overview(options, order)
        case .ease(let camera, let duration, let curve):
            move(
                to: camera,
                .uniform(duration: duration ?? TransitionTiming.easeDuration, curve: curve ?? .easeOut), order)
        case .fly(let camera, let duration, let curve):
            move(to: camera, .flight(duration: duration, curve: curve ?? .ease), order)
        case .idle: letGo(.idleRequested, order)
        case .gesture(let kind, let phase, let camera): gesture(kind, phase, camera, order)
        case .viewport(let viewport): resize(viewport, order)
        case .marker(let name, let target, let duration, let curve):
            putMarker(name, at: target, duration, curve, order)
        case .removeMarker(let name): takeMarker(name, order)
        }
    }

    private mutating func track(_ new: TrackingMode, _ order: Order) -> [ViewEvent] {
        guard new != mode else { return [] }
        guard new != .none else { return letGo(.idleRequested, order) }
        mode = new
        return each(order) { view, puck, _ in
            view.follow(
                .standard, taking: [.bearing], modeChanged: true, at: order.instant, puck: puck, mode: new,
                cause: order.cause)
        }
    }

    private mutating func follow(_ options: FollowOptions, _ kind: TransitionKind, _ order: Order) -> [ViewEvent] {
        switch options.bearing {
        case .set(.heading): followMode = .followWithHeading
        case .set(.course): followMode = .followWithCourse
        case .set(.constant), .client: followMode = .follow
        case .unchanged: if mode != .none { followMode = mode }
        }
        let new = followMode
        let changed = mode != new
        mode = new
        let plan: TransitionPlan = kind == .immediate ? .immediate : .standard
        return each(order) { view, puck, mayKnow in
            if mayKnow { view.apply(options) }
            return view.follow(
                plan, taking: options.named, modeChanged: changed, at: order.instant, puck: puck, mode: new,
                cause: order.cause)
        }
    }

    private mutating func overview(_ options: OverviewOptions, _ order: Order) -> [ViewEvent] {
        let hasFollowed = mode != .none
        mode = .none
        let plan = options.duration.map { TransitionPlan.uniform(duration: $0, curve: .easeInOut) } ?? .standard
        return each(order) { view, puck, mayKnow in
            guard mayKnow else { return hasFollowed ? view.stop(.idleRequested) : [] }
            guard let camera = TierView.fit(options, in: view.viewport) else { return view.stop(.idleRequested) }
            return view.go(
                to: .overview(options, camera), plan, at: order.instant, puck: puck, mode: .none, cause: order.cause)
        }
    }

    /// `ease` and `fly`. With a centre, following ends; without one, the axes become options of the following, which
    /// continues.
    private mutating func move(to camera: Camera, _ plan: TransitionPlan, _ order: Order) -> [ViewEvent] {
        if camera.center == nil, mode != .none { return followOn(with: camera, plan, order) }
        let hasFollowed = mode != .none
        mode = .none
        return each(order) { view, puck, mayKnow in
            guard mayKnow else { return hasFollowed ? view.stop(.idleRequested) : [] }
            var camera = camera
            // Without a zoom to return to, a flight would be a slide.
            if case .flight = plan, camera.center != nil, camera.zoom == nil { camera.zoom = view.zoomToKeep }
            return view.go(to: .camera(camera), plan, at: order.instant, puck: puck, mode: .none, cause: order.cause)
        }
    }

    private mutating func followOn(with camera: Camera, _ plan: TransitionPlan, _ order: Order) -> [ViewEvent] {
        let changed = camera.bearing != nil && mode != .follow
        if changed { mode = .follow }
        let new = mode
        return each(order) { view, puck, mayKnow in
            if mayKnow { view.settings.adopt(camera) }
            return view.follow(
                plan, taking: camera.named, modeChanged: changed, at: order.instant, puck: puck, mode: new,
                cause: order.cause)
        }
    }

    private mutating func letGo(_ reason: ViewChangeReason, _ order: Order) -> [ViewEvent] {
        mode = .none
        return each(order) { view, _, _ in view.stop(reason) }
    }

    private mutating func gesture(
        _ kind: GestureKind, _ phase: GesturePhase, _ camera: Camera?, _ order: Order
    ) -> [ViewEvent] {
        let isOver = gestures.update(kind, phase, of: order.cause.client)
        var events: [ViewEvent] = []
        if !isOver {
            switch kind {
            case .pan: events = letGo(.userInteraction, order)
            case _ where mode == .none: events = letGo(.userInteraction, order)
            case .rotate: events = rotate(order)
            case .pinch, .doubleTap: release(.zoom)
            case .pitch: release(.pitch)
            }
        }
        if let camera {
            _ = each(order) { view, _, mayKnow in
                if mayKnow { view.learn(camera) }
                return []
            }
        }
        return events
    }

    private mutating func rotate(_ order: Order) -> [ViewEvent] {
        release(.bearing)
        guard mode != .follow else { return [] }
        mode = .follow
        return each(order) { _, _, _ in [.userInteraction] }
    }

    private mutating func release(_ axis: AxisSet) {
        precise.release(axis)
        approximate.release(axis)
    }

    private mutating func resize(_ viewport: Viewport, _ order: Order) -> [ViewEvent] {
        each(order) { view, _, _ in
            view.resize(to: viewport, at: order.instant)
        }
    }

    private mutating func putMarker(
        _ name: String, at target: Coordinate, _ duration: Double, _ curve: EasingCurve, _ order: Order
    ) -> [ViewEvent] {
        each(order) { view, _, mayKnow in
            guard mayKnow else { return [] }
            view.putMarker(
                name, at: target, duration: duration, curve: curve, by: order.cause.accuracy, at: order.instant)
            return []
        }
    }

    private mutating func takeMarker(_ name: String, _ order: Order) -> [ViewEvent] {
        each(order) { view, _, mayKnow in
            guard mayKnow else { return [] }
            view.takeMarker(name, by: order.cause.accuracy, at: order.instant)
            return []
        }
    }

    // MARK: Checks for refusals

    /// Whether a marker with that name would exceed the maximum. An approximate client's marker goes to both tiers.
    func hasNoRoom(forMarker name: String, from sender: AccuracyMode) -> Bool {
        self[sender].markers[name] == nil && self[sender].markers.count >= Self.markerLimit
    }

    /// Whether the sender sees a marker with that name.
    func hasMarker(_ name: String, from sender: AccuracyMode) -> Bool { self[sender].markers[name] != nil }

    /// The reason why the view has no room for an overview.
    func refusal(ofFitting options: OverviewOptions, from sender: AccuracyMode) -> ViewRefusal? {
        guard TierView.fit(options, in: self[sender].viewport) == nil else { return nil }
        return .badValue(field: "padding", expected: "room for the geometry inside padding and geometryPadding")
    }

    // MARK: Both tiers

    private subscript(tier: AccuracyMode) -> TierView { tier == .precise ? precise : approximate }

    /// Applies a change to each tier, with its puck, and reports it. `mayKnow`: whether the content of the command
    /// may be used in the tier: in both if an approximate client sent it, only in the precise tier if a precise one
    /// did.
    private mutating func each(
        _ order: Order, _ act: (inout TierView, Puck?, _ mayKnow: Bool) -> [ViewChangeReason]
    ) -> [ViewEvent] {
        let ofPrecise = act(&precise, order.pucks.precise, true)
        let ofApproximate = act(&approximate, order.pucks.approximate, order.cause.accuracy == .approximate)
        return ofPrecise.map { event($0, tier: .precise, cause: order.cause) }
            + ofApproximate.map { event($0, tier: .approximate, cause: order.cause) }
    }

    private func event(_ reason: ViewChangeReason, tier: AccuracyMode, cause: ViewCause) -> ViewEvent {
        let (status, state) = self[tier].activity.status
        return ViewEvent(
            view: name, tier: tier, mode: mode, status: status, state: state, reason: reason, cause: cause)
    }
}

/// The circumstances of a command.
private struct Order {
    let cause: ViewCause
    let instant: Instant
    let pucks: TierPucks
}
