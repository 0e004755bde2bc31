/// Everything that an approximate client may get of a location. Only the coarsening stage below can make one.
public struct ApproximateLocation: Hashable, Sendable {
    /// A point of a public lattice, to five decimals.
    public let coordinate: Coordinate
    /// The radius of the circle round it, metres: a constant of the level and the point's row.
    public let accuracy: Double
    /// How large the circle is.
    public let level: ApproximationLevel
    /// Whether two scheduled epochs since have found no fix.
    public let isStale: Bool
    /// When the epoch was, both clocks floored to a minute: the time of its frame.
    public let epoch: Moment
    /// Counts the approximate frames of the device, over restarts too: the `seq` of its frame.
    public let sequence: UInt64
    /// The camera's zoom: a constant of the level.
    public let zoom: Double

    fileprivate init(_ shown: SourceEpochs.Shown, _ geometry: Geometry, sequence: UInt64) {
        let point = shown.point
        let exact = geometry.lattice(point.level).coordinate(of: point.place)
        // Not by the initializer that wraps: its sums would put noise behind the fifth decimal.
        coordinate =
            Coordinate(longitude: Self.rounded(exact.longitude), latitude: Self.rounded(exact.latitude)) ?? exact
        accuracy = geometry.radius(of: point.place, point.level)
        level = point.level
        zoom = point.level.zoom(geometry.radius)
        epoch = point.epoch
        isStale = shown.isStale
        self.sequence = sequence
    }

    /// Five decimals of a degree are a metre; more would only look precise.
    private static func rounded(_ degrees: Double) -> Double { (degrees * 1e5).rounded() / 1e5 }
}

/// What the coarsening stage asks for.
public enum CoarsenerAction: Hashable, Sendable {
    /// Keep this over a restart, and say by `saved` what came of it: until then the epoch that it is of does not count.
    case save(CoarsenerState)
    /// Send this to every approximate client, in one burst.
    case publish(ApproximateLocation)
    /// Tell every approximate client that there is no location any more: a provider's was the only one.
    case withdraw
    /// Tell every approximate client that the source's state, as far as it is told to them, has changed.
    case source(SourceStatus)
}

/// The coarsening stage: precise locations in, now and then an approximate one out. One for the whole device.
///
/// What it says depends on where the source is at epochs, on the points that it has stayed at, and on nothing else;
/// when it says it depends on chance. It does not know whether anyone listens. docs/privacy.md says why it is so.
///
/// The receiver's epochs go on whether or not a provider's location is shown instead, as if there were no provider.
public struct Coarsener: Sendable {
    /// What a new approximate client is given; nil before the first epoch with a fix.
    public private(set) var present: ApproximateLocation?
    /// The source's state as approximate clients are told it: `fix` or `noFix`, changed at epochs only.
    public private(set) var source: SourceStatus
    /// When `advance` is to be called at the latest; nil while all that is to come waits for `saved`.
    public private(set) var deadline: Instant?

    private let geometry: Geometry
    private var receiver: SourceEpochs
    /// The epochs of the provider that is shown in its place: one at most. An array, since a copy of it is a count.
    private var provided: [SourceEpochs] = []
    /// Whose they are.
    private var provider: UInt64?
    /// Counts the providers that there ever were.
    private var successions = 0
    /// What `present` shows.
    private var shown: SourceEpochs.Shown?
    private var sequence: UInt64
    /// The epoch that waits to be on the disk: one at most.
    private var drafts: [Draft] = []

    private struct Draft {
        /// The source after the epoch.
        var epochs: SourceEpochs
        /// Which of the providers' it is; nil: the receiver's.
        var succession: Int?
    }

    /// The stage as it starts at `start`, with what was kept of the last run. What was kept for another radius is of no
    /// use, but for the count of frames.
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

    /// Takes note of the receiver's newest location and of its 95 % radius in metres. Nothing follows from it until an
    /// epoch comes. One that is too bad for the largest circle is passed over.
    public mutating func observe(_ coordinate: Coordinate, accuracy: Double, at moment: Moment) {
        receiver.observe(coordinate, accuracy: accuracy, at: moment)
    }

    /// The same of a location that a provider puts in the receiver's place, until `release`. `provider`: any number
    /// that tells it from the others. Of one that others had the place of before, nothing is remembered.
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

    /// Gives the place back to the receiver: what is shown is what would be, had there been no provider.
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

    /// Does what is due by `now`. To be called at every `deadline`; called late, an epoch is late.
    public mutating func advance(to now: Moment) -> [CoarsenerAction] {
        // Most calls are for others' deadlines.
        guard let deadline, deadline <= now.monotonic else { return [] }
        defer { reckonDeadline() }
        var actions = deliver(now)
        guard drafts.isEmpty else { return actions }
        // What is shown goes first: when it is saved must not hang on what isn't.
        if isProvided, let epochs = provided[0].epoch(now) {
            drafts = [Draft(epochs: epochs, succession: successions)]
        } else if let epochs = receiver.epoch(now) {
            drafts = [Draft(epochs: epochs)]
        }
        if let draft = drafts.first { actions.append(.save(state(after: draft, now))) }
        return actions
    }

    /// Takes what came of the last `.save`: whether the state is on the disk for good. What is not there is not told.
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

    /// What is to be kept over a restart, which ends all that is provided: the receiver's, after the draft.
    private func state(after draft: Draft, _ now: Moment) -> CoarsenerState {
        let own = draft.succession == nil ? draft.epochs : receiver
        // A frame that is yet to be sent counts, and the one that shows the receiver's point in the provider's place.
        let isOfShown = (draft.succession == nil) != isProvided
        let burst = isOfShown ? draft.epochs.burst : (provided.last ?? receiver).burst
        let coming = (burst?.shown == nil ? 0 : 1) + (isProvided ? 1 : 0)
        return CoarsenerState(
            radius: geometry.radius, sequence: sequence + UInt64(coming),
            next: now.at(own.clock.next).utc.flooredToSecond, misses: own.misses,
            since: own.burst?.source?.since ?? own.source.since, point: own.point, favourites: own.favourites)
    }

    private mutating func deliver(_ now: Moment) -> [CoarsenerAction] {
        // The receiver's burst is over, too, if another source is shown.
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
    /// This moment of an earlier run as the clocks of this one have it. Where both clocks are as far from it, give or
    /// take what they were floored by, it is of the same boot and stays as it is; else its UTC is what is known.
    func resumed(at start: Moment) -> Moment {
        let age = start.utc.seconds - utc.seconds
        let sameBoot = abs(age - (start.monotonic.seconds - monotonic.seconds)) <= 2 * Moment.minute
        if sameBoot { return self }
        return Moment(monotonic: start.monotonic.advanced(by: -age), utc: utc).flooredToMinute
    }
}

extension UTC {
    /// The whole second before.
    var flooredToSecond: UTC { UTC(nanoseconds: nanoseconds - nanoseconds % 1_000_000_000) }
    /// Days since 1970.
    var day: Int { Int((seconds / 86_400).rounded(.down)) }
}
