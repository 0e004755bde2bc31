/// What the watchers of a view's tier see at an instant.
public struct ViewScene: Hashable, Sendable {
    /// Which of it is asked for.
    public struct Wanted: Hashable, Sendable {
        /// Whose watchers see it.
        public var tier: AccuracyMode
        /// Whether the camera is.
        public var camera: Bool
        /// Whether the markers are.
        public var markers: Bool

        /// What a tier's watchers ask for.
        public init(tier: AccuracyMode, camera: Bool, markers: Bool) {
            self.tier = tier
            self.camera = camera
            self.markers = markers
        }
    }

    /// The camera's axes that the view owns; nil where it owns none.
    public var camera: Camera?
    /// The markers, by name; nil where they are not asked for.
    public var markers: [Marker]?
    /// Whether frames are due though the puck rests.
    public var isAnimating: Bool
    /// What time and the pucks have brought, for both tiers.
    public var events: [ViewEvent]
    /// When the view next has something to do by itself.
    public var deadline: Instant?
}

extension ViewState {
    /// What a tier's watchers see at an instant, once all has been done that is due by then.
    public mutating func scene(at instant: Instant, _ wanted: ViewScene.Wanted, pucks: TierPucks) -> ViewScene {
        let events = advance(to: instant, pucks: pucks)
        return ViewScene(
            camera: wanted.camera ? camera(at: instant, puck: pucks[wanted.tier], tier: wanted.tier) : nil,
            markers: wanted.markers ? markers(at: instant, tier: wanted.tier) : nil,
            isAnimating: isAnimating(at: instant, tier: wanted.tier), events: events, deadline: deadline)
    }
}
