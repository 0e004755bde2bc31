/// The source of the location, and its two tiers: the receiver's pipeline or a placed location, followed by the
/// coarsening stage.
///
/// This is the only place where a precise position reaches the coarsening stage, and the only connection between the
/// two.
public struct Positioning: Sendable {
    /// The result of an event.
    public enum Event: Hashable, Sendable {
        /// The precise position is newer, or it jumped.
        case located
        /// The heading is newer.
        case turned
        /// The precise puck changed with time alone: its state, or whether it has a heading.
        case aged
        /// An epoch was refused.
        case refused(RefusalReason)
        /// A request of the coarsening stage.
        case coarse(CoarsenerAction)
    }

    private let settings: Pipeline.Settings
    private var pipeline: Pipeline
    private var coarsener: Coarsener
    /// The placed location: at most one element. It is an array because reading from a large optional would copy its
    /// content.
    private var placed: ContiguousArray<PlacedMotion> = []
    /// The client that placed it.
    private var placedBy: UInt64 = 0
    /// When the placed location's state next changes with time.
    private var placedAging: Instant?
    /// Counts jumps to a placed location, between placed locations, and back.
    private var placedJumps: UInt64 = 0

    /// A positioning without data.
    public init(settings: Pipeline.Settings, coarsener: Coarsener) {
        self.settings = settings
        pipeline = Pipeline(settings: settings)
        self.coarsener = coarsener
    }

    /// Counts intended jumps: a stream that has seen another count shows a discontinuity.
    public var jumps: UInt64 { pipeline.jumps + placedJumps }
    /// The pipeline's counters.
    public var counters: PipelineCounters { pipeline.counters }
    /// Seconds between the receiver's epochs; nil before they are known.
    public var cycle: Double? { pipeline.cycle }
    /// The usual silence of the receiver, or of the client that places the location, between positions or batches of
    /// them, seconds; nil before it is known.
    public var usualSilence: Double? { placed.isEmpty ? pipeline.usualSilence : placed[0].usualSilence }
    /// The instant of the newest position that ages; nil before the first, and while a placed location is at rest.
    public var lastFix: Instant? {
        guard !placed.isEmpty else { return pipeline.lastFix?.instant }
        return placed[0].placement.isMoving ? placed[0].instant : nil
    }
    /// The provider of the location.
    public var provider: LocationProvider { placed.isEmpty ? .gpsd : .client }
    /// The location that a new approximate client gets.
    public var approximate: ApproximateLocation? { coarsener.present }
    /// The source's state for approximate clients.
    public var approximateSource: SourceStatus { coarsener.source }

    /// When `advance(to:)` must be called, if nothing else happens before.
    public var deadline: Instant? {
        earlier(earlier(pipeline.deadline, coarsener.deadline), placedAging)
    }

    /// When the arrow may turn to another source by itself. What is shown after it is not yet known.
    public var headingDeadline: Instant? { pipeline.headingDeadline }

    /// Takes a report of the receiver in use.
    public mutating func receive(_ report: Report, at moment: Moment) -> [Event] {
        follow(pipeline.receive(report, at: moment), at: moment)
    }

    /// Applies the changes that are due.
    public mutating func advance(to moment: Moment) -> [Event] {
        // The pipeline first: an epoch of the coarsening stage must see the receiver's state at that time.
        var own = follow(pipeline.advance(to: moment), at: moment)
        if let aging = placedAging, aging <= moment.monotonic {
            placedAging = placed.first?.nextChange(after: moment.monotonic, settings.freshness)
            own.append(.aged)
        }
        observePlaced(at: moment)
        return own + coarsener.advance(to: moment).map { .coarse($0) }
    }

    /// Takes the outcome of the coarsening stage's last `.save`: whether the state is permanently on the disk.
    public mutating func saved(isKept: Bool, at moment: Moment) { coarsener.saved(isKept: isKept, at: moment) }

    /// Replaces the receiver's location until `release`, or takes an attitude without a position, like an instrument
    /// of the vehicle. Without a heading, a moving location points in its direction of travel. `provider`: any number
    /// that identifies the client. Returns the resulting events.
    public mutating func place(_ placement: Placement, by provider: UInt64 = 0, at moment: Moment) -> [Event] {
        let now = moment.monotonic
        let instant = min(now, placement.instant ?? now)
        guard let coordinate = placement.coordinate else {
            pipeline.place(placement.attitude, by: provider, trueAt: instant, at: moment)
            return [.turned]
        }
        if placed.isEmpty {
            placed = [PlacedMotion(placement, to: coordinate, at: instant, now: now)]
            placedJumps += 1
        } else {
            let shown = placed[0].shown(at: now, settings.freshness)
            if placed[0].take(placement, to: coordinate, at: instant, now: now, shown: shown) { placedJumps += 1 }
        }
        placedBy = provider
        placedAging = placed.first?.nextChange(after: now, settings.freshness)
        observePlaced(at: moment)
        return [.located]
    }

    /// Forgets the attitude that a client placed without a position. Returns the resulting events; none if there was
    /// no such attitude.
    public mutating func forgetAttitude(by provider: UInt64, at moment: Moment) -> [Event] {
        pipeline.forgetAttitude(by: provider, at: moment) ? [.aged] : []
    }

    /// Returns to the receiver's location. Returns the resulting events; none if nothing was placed.
    public mutating func release(at moment: Moment) -> [Event] {
        guard !placed.isEmpty else { return [] }
        placed = []
        placedAging = nil
        placedJumps += 1
        return [.located] + coarsener.release().map { .coarse($0) }
    }

    /// The precise puck at an instant; nil without a position. `staleAfter`: seconds after which a client wants a
    /// position that ages called stale, if sooner. `frameInterval`: seconds for which the puck will be shown.
    public func precisePuck(
        at moment: Moment, bearing preference: BearingPreference = .auto, staleAfter: Double? = nil,
        frameInterval: Double = PositionFilter.usualFrameInterval
    ) -> Puck? {
        guard !placed.isEmpty else {
            return pipeline.puck(
                at: moment, bearing: preference, staleAfter: staleAfter, frameInterval: frameInterval)
        }
        var puck = placed[0].puck(
            at: moment, bearing: preference, staleAfter: staleAfter, frameInterval: frameInterval, settings: settings)
        let attitude = pipeline.placedAttitude(at: moment.monotonic)
        puck?.show(attitude.reading, tilt: attitude.tilt, preference)
        return puck
    }

    /// The approximate puck; nil before the first epoch with a position.
    public var approximatePuck: Puck? { coarsener.present.map { Location.approximate($0).puck } }

    private mutating func follow(_ events: [Pipeline.Event], at moment: Moment) -> [Event] {
        events.compactMap { event in
            switch event {
            case .located:
                // Also for a receiver that is not shown now: its epochs continue.
                observeReceiver(at: moment)
                return placed.isEmpty ? .located : nil
            // While a location is placed, these may come from an attitude that was placed without a position.
            case .turned: return placed.isEmpty ? .turned : nil
            case .aged: return .aged
            case .refused(let reason): return .refused(reason)
            }
        }
    }

    private mutating func observeReceiver(at moment: Moment) {
        // An extrapolated or held position is not new: at an epoch it would seem to be measured then.
        guard let puck = pipeline.puck(at: moment, bearing: .auto, frameInterval: .infinity), puck.state == .live
        else { return }
        coarsener.observe(puck.coordinate, accuracy: puck.accuracy ?? settings.accuracyFloor, at: moment)
    }

    /// A placed location at rest is sent once, and applies until it is moved or released.
    private mutating func observePlaced(at moment: Moment) {
        guard let placed = placed.first, placed.state(at: moment.monotonic, settings.freshness) == .live else { return }
        let accuracy = max(placed.placement.accuracy ?? 0, settings.accuracyFloor)
        coarsener.observePlaced(placed.coordinate, accuracy: accuracy, by: placedBy, at: moment)
    }
}
