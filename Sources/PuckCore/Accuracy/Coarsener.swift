/// All data of a location that an approximate client may get. Only the coarsening stage below can create it.
public struct ApproximateLocation: Hashable, Sendable {
    /// A point of a public lattice, to five decimals.
    public let coordinate: Coordinate
    /// The radius of the circle around it, metres: a constant of the level and the point's row.
    public let accuracy: Double
    /// The size of the circle.
    public let level: ApproximationLevel
    /// Whether two scheduled epochs since then have found no fix.
    public let isStale: Bool
    /// The time of the epoch, both clocks rounded down to a minute: the time of its frame.
    public let epoch: Moment
    /// Counts the device's approximate frames, also over restarts: the `seq` of its frame.
    public let sequence: UInt64
    /// The camera's zoom: a constant of the level.
    public let zoom: Double

    fileprivate init(_ shown: SourceEpochs.Shown, _ geometry: Geometry, sequence: UInt64) {
        let point = shown.point
        let exact = geometry.lattice(point.level).coordinate(of: point.place)
        // Not the initializer that wraps: its sums would add noise after the fifth decimal.
        coordinate =
            Coordinate(longitude: Self.rounded(exact.longitude), latitude: Self.rounded(exact.latitude)) ?? exact
        accuracy = geometry.radius(of: point.place, point.level)
        level = point.level
        zoom = point.level.zoom(geometry.radius)
        epoch = point.epoch
        isStale = shown.isStale
        self.sequence = sequence
    }

    /// Five decimals of a degree are a metre; more would only look more accurate.
    private static func rounded(_ degrees: Double) -> Double { (degrees * 1e5).rounded() / 1e5 }
}

/// A request of the coarsening stage.
public enum CoarsenerAction: Hashable, Sendable {
    /// Save this for a restart, and report the outcome to `saved`. Until then, the epoch does not count.
    case save(CoarsenerState)
    /// Send this to every approximate client, in one burst.
    case publish(ApproximateLocation)
    /// Report to every approximate client that the location is gone: a provider's was the only one.
    case withdraw
    /// Report to every approximate client that the source's state, as visible to them, has changed.
    case source(SourceStatus)
}

/// The coarsening stage: it takes precise locations and now and then returns an approximate one. The device has one.
///
/// Its output depends on where the source is at epochs and on the points where it has stayed, and on nothing else;
/// the time of the output is random. The stage does not know whether anyone listens. docs/privacy.md gives the
/// reasons.
///
/// The receiver's epochs continue while a provider's location is shown, as if there were no provider.
public struct Coarsener: Sendable {
    /// The location for a new approximate client; nil before the first epoch with a fix.
    public private(set) var present: ApproximateLocation?
    /// The source's state for approximate clients: `fix` or `noFix`. It changes only at epochs.
    public private(set) var source: SourceStatus
    /// When `advance` must be called at the latest; nil while everything that follows waits for `saved`.
    public private(set) var deadline: Instant?

    private let geometry: Geometry
    private var receiver: SourceEpochs
    /// The epochs of the provider whose location is shown: at most one element. It is an array because a copy of it
    /// is cheap.
    private var provided: [SourceEpochs] = []
    /// The provider of `provided`.
    private var provider: UInt64?
    /// Counts the providers so far.
    private var successions = 0
    /// The source of `present`.
    private var shown: SourceEpochs.Shown?
    private var sequence: UInt64
    /// The epoch that waits until it is saved: at most one.
    private var drafts: [Draft] = []

    private struct Draft {
        /// The source after the epoch.
        var epochs: SourceEpochs
        /// The number of the provider; nil: the receiver.
        var succession: Int?
    }

    /// The stage at `start`, with the saved state of the last run. State for another radius is useless, except for
    /// the count of frames.
    public init(
        radius: ApproximateRadius, state: CoarsenerState?, at start: Moment,
        random: any RandomNumberGenerator & Sendable
    ) {
        geometry = Geometry(radius: radius)
        sequence = state?.sequence ?? 0
        guard let state, state.radius == radius else {
            receiver = SourceEpochs(geometry, at: start, random: random)
            source = receiver.source
            reckonDeadline()
            return
        }
        receiver = SourceEpochs(geometry, resuming: state, at: start, random: random)
        source = receiver.source
        reckonDeadline()
        guard let shown = receiver.shown else { return }
        if shown.isStale, state.misses < receiver.misses { sequence += 1 }
        show(shown)
    }

    private var isProvided: Bool { !provided.isEmpty }

    /// Takes the receiver's newest location and its 95 % radius in metres. It has no effect before the next epoch. A
    /// location that is too inaccurate for the largest circle is ignored.
    public mutating func observe(_ coordinate: Coordinate, accuracy: Double, at moment: Moment) {
        receiver.observe(coordinate, accuracy: accuracy, at: moment)
    }

    /// The same for a location that a provider sets instead of the receiver's, until `release`. `provider`: any
    /// number that identifies it. Nothing is remembered of a provider that another one has replaced.
    public mutating func observePlaced(
        _ coordinate: Coordinate, accuracy: Double, by provider: UInt64, at moment: Moment
    ) {
        if !isProvided || provider != self.provider {
            provided = [(provided.last ?? receiver).successor(geometry)]
            self.provider = provider
            successions += 1
            reckonDeadline()
        }
        provided[0].observe(coordinate, accuracy: accuracy, at: moment)
    }

    /// Returns to the receiver: the shown location is the one that would be shown without the provider.
    public mutating func release() -> [CoarsenerAction] {
        guard isProvided else { return [] }
        provided = []
        provider = nil
        reckonDeadline()
        var actions: [CoarsenerAction] = []
        if source != receiver.source {
            source = receiver.source
            actions.append(.source(source))
        }
        guard shown != receiver.shown else { return actions }
        sequence += 1
        show(receiver.shown)
        actions.append(present.map { .publish($0) } ?? .withdraw)
        return actions
    }

    /// Applies what is due by `now`. Call it at every `deadline`; if it is called late, the epoch is late.
    public mutating func advance(to now: Moment) -> [CoarsenerAction] {
        // Most calls are for other deadlines.
        guard let deadline, deadline <= now.monotonic else { return [] }
        defer { reckonDeadline() }
        var actions = deliver(now)
        guard drafts.isEmpty else { return actions }
        // The shown source goes first: the time of its save must not depend on the source that is not shown.
        if isProvided, let epochs = provided[0].epoch(now) {
            drafts = [Draft(epochs: epochs, succession: successions)]
        } else if let epochs = receiver.epoch(now) {
            drafts = [Draft(epochs: epochs)]
        }
        if let draft = drafts.first { actions.append(.save(state(after: draft, now))) }
        return actions
    }

    /// Takes the outcome of the last `.save`: whether the state is permanently on the disk. A state that is not saved
    /// is not sent.
    public mutating func saved(isKept: Bool, at now: Moment) {
        guard let draft = drafts.popLast() else { return }
        defer { reckonDeadline() }
        if draft.succession == nil {
            receiver.commit(draft.epochs, isKept: isKept, at: now)
        } else if isProvided, draft.succession == successions {
            provided[0].commit(draft.epochs, isKept: isKept, at: now)
        }
    }

    private mutating func reckonDeadline() {
        deadline = ([receiver] + provided).compactMap { $0.deadline(isWaiting: !drafts.isEmpty) }.min()
    }

    /// The state to save for a restart, which ends all placed locations: the receiver's, after the draft.
    private func state(after draft: Draft, _ now: Moment) -> CoarsenerState {
        let own = draft.succession == nil ? draft.epochs : receiver
        // A frame that must still be sent counts, and so does the one that shows the receiver's point after the
        // provider's.
        let isOfShown = (draft.succession == nil) != isProvided
        let burst = isOfShown ? draft.epochs.burst : (provided.last ?? receiver).burst
        let coming = (burst?.shown == nil ? 0 : 1) + (isProvided ? 1 : 0)
        return CoarsenerState(
            radius: geometry.radius, sequence: sequence + UInt64(coming),
            next: now.at(own.clock.next).utc.flooredToSecond, misses: own.misses,
            since: own.burst?.source?.since ?? own.source.since, point: own.point, favourites: own.favourites)
    }

    private mutating func deliver(_ now: Moment) -> [CoarsenerAction] {
        // The receiver's burst is over as well if another source is shown.
        let own = receiver.deliver(now)
        let placed = isProvided ? provided[0].deliver(now) : own
        guard let burst = placed else { return [] }
        var actions: [CoarsenerAction] = []
        if let changed = burst.source {
            source = changed
            actions.append(.source(changed))
        }
        if let shown = burst.shown {
            sequence += 1
            show(shown)
            if let present { actions.append(.publish(present)) }
        }
        return actions
    }

    private mutating func show(_ shown: SourceEpochs.Shown?) {
        self.shown = shown
        present = shown.map { ApproximateLocation($0, geometry, sequence: sequence) }
    }
}

extension Moment {
    /// This moment of an earlier run in the present clocks. If both clocks differ from it by the same amount, within
    /// what they were rounded down by, it belongs to the same boot and stays unchanged; otherwise only its UTC is
    /// valid.
    func resumed(at start: Moment) -> Moment {
        let age = start.utc.seconds - utc.seconds
        let sameBoot = abs(age - (start.monotonic.seconds - monotonic.seconds)) <= 2 * Moment.minute
        if sameBoot { return self }
        return Moment(monotonic: start.monotonic.advanced(by: -age), utc: utc).flooredToMinute
    }
}

extension UTC {
    /// The last whole second.
    var flooredToSecond: UTC { UTC(nanoseconds: nanoseconds - nanoseconds % 1_000_000_000) }
    /// Days since 1970.
    var day: Int { Int((seconds / 86_400).rounded(.down)) }
}
