/// What a client draws from one instant on, until it gets the next: each value that changes as a function of time.
public struct MotionPlan: Hashable, Sendable {
    /// One value over time.
    public struct Track: Hashable, Sendable {
        /// Which value.
        public var channel: MotionChannel
        /// Seconds count from the plan's moment. Angles and longitudes go on beyond a turn.
        public var spline: HermiteSpline
        /// Whether it begins elsewhere than the motion before it ends, on purpose.
        public var jumps = false
        /// By how much it begins beside what it leads to. (`leadLeft`)
        var lead = SIMD4<Double>.zero

        /// A value over time.
        public init(channel: MotionChannel, spline: HermiteSpline, jumps: Bool = false) {
            self.channel = channel
            self.spline = spline
            self.jumps = jumps
        }
    }

    /// Facts that change at an instant.
    public struct Change: Hashable, Sendable {
        /// Seconds after the plan's moment.
        public var after: Double
        /// The puck's facts from then on.
        public var facts: MotionFacts

        /// A change.
        public init(after: Double, facts: MotionFacts) {
            self.after = after
            self.facts = facts
        }
    }

    /// When it begins.
    public var moment: Moment
    /// Seconds after which the last values hold, and a newer one is to be expected; nil: until something happens.
    public var until: Double?
    /// What it shows at its beginning; what has no track is constant.
    public var frame: Frame
    /// The values.
    public var tracks: [Track]
    /// The facts that change, in order.
    public var changes: [Change]

    /// A plan.
    public init(moment: Moment, until: Double?, frame: Frame, tracks: [Track], changes: [Change]) {
        self.moment = moment
        self.until = until
        self.frame = frame
        self.tracks = tracks
        self.changes = changes
    }

    /// A plan in which nothing moves.
    public init(constant frame: Frame) {
        self.init(
            moment: frame.moment, until: nil, frame: frame,
            tracks: MotionChannel.all(in: frame).map { channel in
                Track(channel: channel, spline: HermiteSpline(constant: Self.value(of: channel, in: frame)))
            }, changes: [])
    }

    /// Whether nothing moves and no fact changes.
    public var isConstant: Bool { changes.isEmpty && tracks.allSatisfy(\.spline.isConstant) }

    /// Shows a camera at rest as well.
    public mutating func hold(_ camera: Camera) {
        frame.camera = camera
        for channel in MotionChannel.all(in: frame) where spline(of: channel) == nil {
            tracks.append(Track(channel: channel, spline: HermiteSpline(constant: Self.value(of: channel, in: frame))))
        }
    }

    /// The spline of a channel.
    public func spline(of channel: MotionChannel) -> HermiteSpline? {
        tracks.first { $0.channel == channel }?.spline
    }

    /// Seconds from the plan's moment to an instant.
    public func time(of instant: Instant) -> Double { instant.seconds(since: moment.monotonic) }

    /// What it shows at an instant.
    public func frame(at instant: Instant) -> Frame {
        let time = time(of: instant)
        var frame = frame
        frame.moment = moment.at(instant)
        for track in tracks { track.channel.set(track.spline.value(at: time), in: &frame) }
        facts(at: time)?.set(in: &frame)
        if let age = frame.puck?.age { frame.puck?.age = age + max(0, time) }
        return frame
    }

    /// The puck's facts at a time.
    func facts(at time: Double) -> MotionFacts? {
        changes.last { $0.after <= time }?.facts ?? MotionFacts(frame)
    }

    static func value(of channel: MotionChannel, in frame: Frame) -> SIMD4<Double> {
        var place = 0
        if case .marker(let name) = channel { place = frame.markers?.firstIndex { $0.name == name } ?? 0 }
        return channel.value(in: frame, place: place) ?? .zero
    }
}

/// What of a puck is one thing or another, and changes at an instant.
public struct MotionFacts: Hashable, Sendable {
    /// How fresh it is.
    public var state: PuckState
    /// Whether it stands still.
    public var stationary: Bool?
    /// Where its bearing comes from.
    public var bearingSource: BearingSource?

    /// The facts of a frame's puck; nil if it has none.
    public init?(_ frame: Frame) {
        guard let puck = frame.puck else { return nil }
        (state, stationary, bearingSource) = (puck.state, puck.stationary, puck.bearingSource)
    }

    func set(in frame: inout Frame) {
        frame.puck?.state = state
        frame.puck?.stationary = stationary
        frame.puck?.bearingSource = bearingSource
    }
}
