/// Where the location comes from, and the two tiers in which it goes out: the receiver's pipeline or a placed location
/// in front of it, and the coarsening stage behind.
///
/// This is the single place where a precise position meets the coarsening stage, and the only way from one to the other.
public struct Positioning: Sendable {
    /// What came of an event.
    public enum Event: Hashable, Sendable {
        /// There is a newer precise position, or a jump.
        case located
        /// There is a newer heading.
        case turned
        /// The precise puck changed by the clock alone: its state, or that it has a heading.
        case aged
        /// An epoch was left out.
        case refused(RefusalReason)
        /// What the coarsening stage asks for.
        case coarse(CoarsenerAction)
    }

    private let settings: Pipeline.Settings
    private var pipeline: Pipeline
    private var coarsener: Coarsener
    /// The location that is placed: one at most. An array, since what an optional holds is copied to be asked.
    private var placed: ContiguousArray<PlacedMotion> = []
    /// Who placed it.
    private var placedBy: UInt64 = 0
    /// When the placed location's state next changes by the clock.
    private var placedAging: Instant?
    /// Counts jumps to a placed location, from one to the next, and back.
    private var placedJumps: UInt64 = 0

    /// A positioning that has seen nothing yet.
    public init(settings: Pipeline.Settings, coarsener: Coarsener) {
        self.settings = settings
        pipeline = Pipeline(settings: settings)
        self.coarsener = coarsener
    }

    /// Counts the jumps made on purpose: a stream that has seen another count shows a discontinuity.
    public var jumps: UInt64 { pipeline.jumps + placedJumps }
    /// What the pipeline has seen.
    public var counters: PipelineCounters { pipeline.counters }
    /// Seconds between the receiver's epochs, once learnt.
    public var cycle: Double? { pipeline.cycle }
    /// Seconds for which the receiver, or who places the location, is usually silent between positions, or batches of them;
    /// nil before that is learnt.
    public var usualSilence: Double? { placed.isEmpty ? pipeline.usualSilence : placed[0].usualSilence }
    /// When the newest position was true that ages; nil before the first, and while a location is placed that stands.
    public var lastFix: Instant? {
        guard !placed.isEmpty else { return pipeline.lastFix?.instant }
        return placed[0].placement.isMoving ? placed[0].instant : nil
    }
    /// Who gives the location.
    public var provider: LocationProvider { placed.isEmpty ? .gpsd : .client }
    /// What a new approximate client is given.
    public var approximate: ApproximateLocation? { coarsener.present }
    /// The source's state as approximate clients are told it.
    public var approximateSource: SourceStatus { coarsener.source }

    /// When `advance(to:)` has something to do, if nothing comes before.
    public var deadline: Instant? {
        earlier(earlier(pipeline.deadline, coarsener.deadline), placedAging)
    }

    /// Takes a report of the receiver in use.
    public mutating func receive(_ report: Report, at moment: Moment) -> [Event] {
        follow(pipeline.receive(report, at: moment), at: moment)
    }

    /// Does what is due by the clock.
    public mutating func advance(to moment: Moment) -> [Event] {
        // The pipeline first: an epoch of the coarsening stage is to see what the receiver has said by then.
        var own = follow(pipeline.advance(to: moment), at: moment)
        if let aging = placedAging, aging <= moment.monotonic {
            placedAging = placed.first?.nextChange(after: moment.monotonic, settings.freshness)
            own.append(.aged)
        }
        observePlaced(at: moment)
        return own + coarsener.advance(to: moment).map { .coarse($0) }
    }

    /// Takes what came of the coarsening stage's last `.save`: whether the state is on the disk for good.
    public mutating func saved(isKept: Bool, at moment: Moment) { coarsener.saved(isKept: isKept, at: moment) }

    /// Puts a location in place of the receiver's, until `release`; or an attitude alone, which is heard as an instrument of
    /// the vehicle is. If a location says no heading and moves, the heading is the direction in which it does. `provider`:
    /// any number that tells who places it from others. Returns what came of it.
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

    /// Forgets the attitude that a client placed by itself. Returns what came of it: nothing if there was none.
    public mutating func forgetAttitude(by provider: UInt64, at moment: Moment) -> [Event] {
        pipeline.forgetAttitude(by: provider, at: moment) ? [.aged] : []
    }

    /// Gives the location back to the receiver. Returns what came of it: nothing if nothing was placed.
    public mutating func release(at moment: Moment) -> [Event] {
        guard !placed.isEmpty else { return [] }
        placed = []
        placedAging = nil
        placedJumps += 1
        return [.located] + coarsener.release().map { .coarse($0) }
    }

    /// The precise puck at an instant; nil where there is no position. `staleAfter`: seconds from which a client wants
    /// a position that ages called stale, if sooner. `frameInterval`: seconds that it will be shown.
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
                // Also of a receiver that is not shown now: its epochs go on.
                observeReceiver(at: moment)
                return placed.isEmpty ? .located : nil
            // In front of a placed location they may be of an attitude that is placed by itself.
            case .turned: return placed.isEmpty ? .turned : nil
            case .aged: return .aged
            case .refused(let reason): return .refused(reason)
            }
        }
    }

    private mutating func observeReceiver(at moment: Moment) {
        // What is carried forward or held is no news: at an epoch it would be told as seen then.
        guard let puck = pipeline.puck(at: moment, bearing: .auto, frameInterval: .infinity), puck.state == .live
        else { return }
        coarsener.observe(puck.coordinate, accuracy: puck.accuracy ?? settings.accuracyFloor, at: moment)
    }

    /// A placed location that stands is said once and is true until it is moved or released.
    private mutating func observePlaced(at moment: Moment) {
        guard let placed = placed.first, placed.state(at: moment.monotonic, settings.freshness) == .live else { return }
        let accuracy = max(placed.placement.accuracy ?? 0, settings.accuracyFloor)
        coarsener.observePlaced(placed.coordinate, accuracy: accuracy, by: placedBy, at: moment)
    }
}
