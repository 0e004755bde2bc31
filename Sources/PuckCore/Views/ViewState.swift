/// One named view: what several clients watch and steer together.
///
/// The tracking mode is the view's. Camera, options and markers are kept apart for each accuracy tier: what a precise
/// client says of places and directions stays in the precise tier, what an approximate client says goes to both.
///
/// It reads no clock. Whoever drives it calls `advance` at `deadline`, and with each frame's pucks before `camera`.
public struct ViewState: Hashable, Sendable {
    /// The name that clients share it by; empty for a connection's own.
    public let name: String
    /// The tracking mode. It changes by commands only.
    public private(set) var mode = TrackingMode.none

    var precise = TierView(tier: .precise)
    var approximate = TierView(tier: .approximate)
    /// What a `follow` last named as up; a `follow` of a view that does not follow, and that names nothing, comes back to it.
    private var followMode = TrackingMode.followWithHeading
    private var gestures = GestureTracking()

    /// The most markers that the watchers of either tier are shown of one view.
    public static let markerLimit = 256
    /// The longest animation that may be asked for, seconds.
    public static let longestDuration = 3600.0

    /// A view that nobody has touched.
    public init(name: String) { self.name = name }

    // MARK: Reading

    /// The camera's axes that the view owns at an instant, with that instant's puck of the tier; nil where it owns none.
    public func camera(at instant: Instant, puck: Puck?, tier: AccuracyMode) -> Camera? {
        guard puck == nil || puck?.accuracyMode == tier else { return nil }
        switch tier {
        case .precise: return precise.camera(at: instant, puck: puck, mode: mode)
        case .approximate: return approximate.camera(at: instant, puck: puck, mode: mode)
        }
    }

    /// The camera that a tier's watchers were left with by a movement that is over, as long as nobody has moved it since:
    /// what a new watcher begins with, though the view owns no axis any more.
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

    /// Whether frames are due though the puck rests: while something moves, and a second longer, so that whoever
    /// takes one frame a second has one of the end. (A frame that is like the last need not be sent.)
    public func isAnimating(at instant: Instant, tier: AccuracyMode) -> Bool {
        switch tier {
        case .precise: precise.isAnimating(at: instant)
        case .approximate: approximate.isAnimating(at: instant)
        }
    }

    /// How the view stands, for a new watcher.
    public func current(tier: AccuracyMode) -> ViewEvent {
        event(.current, tier: tier, cause: ViewCause(accuracy: .approximate))
    }

    /// When `advance` has something to do, whatever the pucks do.
    public var deadline: Instant? {
        guard let a = deadline(of: .precise) else { return deadline(of: .approximate) }
        guard let b = deadline(of: .approximate) else { return a }
        return min(a, b)
    }

    /// When it has something to do in a tier. The other tier's watchers must not be shown anything because of it: when a
    /// precise camera arrives tells how far it was from the puck.
    public func deadline(of tier: AccuracyMode) -> Instant? { self[tier].activity.deadline }

    /// Whether a command made of `before` something that a tier's watchers see.
    public func differs(from before: ViewState, in tier: AccuracyMode) -> Bool {
        self[tier].differs(from: before[tier])
    }

    // MARK: Time

    /// What time and the pucks of an instant bring: ends of transitions, time-outs, a position that came.
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

    /// `ease` and `fly`. One that names a centre takes the camera away from following; one that does not changes
    /// the options of a following that goes on.
    private mutating func move(to camera: Camera, _ plan: TransitionPlan, _ order: Order) -> [ViewEvent] {
        if camera.center == nil, mode != .none { return followOn(with: camera, plan, order) }
        let hasFollowed = mode != .none
        mode = .none
        return each(order) { view, puck, mayKnow in
            guard mayKnow else { return hasFollowed ? view.stop(.idleRequested) : [] }
            var camera = camera
            // Without a zoom to come back to a flight would be a slide.
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

    // MARK: What refusals ask

    /// Whether a marker of that name would be one too many. An approximate client's goes to both tiers.
    func hasNoRoom(forMarker name: String, from sender: AccuracyMode) -> Bool {
        self[sender].markers[name] == nil && self[sender].markers.count >= Self.markerLimit
    }

    /// Whether the sender sees a marker of that name.
    func hasMarker(_ name: String, from sender: AccuracyMode) -> Bool { self[sender].markers[name] != nil }

    /// Why an overview has no room in the view.
    func refusal(ofFitting options: OverviewOptions, from sender: AccuracyMode) -> ViewRefusal? {
        guard TierView.fit(options, in: self[sender].viewport) == nil else { return nil }
        return .badValue(field: "padding", expected: "room for the geometry inside padding and geometryPadding")
    }

    // MARK: Both tiers

    private subscript(tier: AccuracyMode) -> TierView { tier == .precise ? precise : approximate }

    /// Does something to each tier, with its puck, and tells of it. `mayKnow` says whether what the command says may
    /// be used there: everywhere if an approximate client said it, in the precise tier alone if a precise one did.
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

/// A command's circumstances.
private struct Order {
    let cause: ViewCause
    let instant: Instant
    let pucks: TierPucks
}
