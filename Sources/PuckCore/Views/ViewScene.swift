/// The content of a view for the watchers of one tier at an instant.
public struct ViewScene: Hashable, Sendable {
    /// The requested parts.
    public struct Wanted: Hashable, Sendable {
        /// The tier of the watchers.
        public var tier: AccuracyMode
        /// Whether the camera is requested.
        public var camera: Bool
        /// Whether the markers are requested.
        public var markers: Bool

        /// The parts that a tier's watchers request.
        public init(tier: AccuracyMode, camera: Bool, markers: Bool) {
            self.tier = tier
            self.camera = camera
            self.markers = markers
        }
    }

    /// The camera axes that the view controls; nil if it controls none.
    public var camera: Camera?
    /// The markers, by name; nil if they are not requested.
    public var markers: [Marker]?
    /// Whether frames are due although the puck rests.
    public var isAnimating: Bool
    /// The changes by time and by the pucks, for both tiers.
    public var events: [ViewEvent]
    /// When the view next changes with time.
    public var deadline: Instant?
}

extension ViewState {
    /// The content for a tier's watchers at an instant, after all changes that are due by then.
    public mutating func scene(at instant: Instant, _ wanted: ViewScene.Wanted, pucks: TierPucks) -> ViewScene {
        let events = advance(to: instant, pucks: pucks)
        return ViewScene(
            camera: wanted.camera ? camera(at: instant, puck: pucks[wanted.tier], tier: wanted.tier) : nil,
            markers: wanted.markers ? markers(at: instant, tier: wanted.tier) : nil,
            isAnimating: isAnimating(at: instant, tier: wanted.tier), events: events, deadline: deadline)
    }
}
