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

    fileprivate init(_ point: CoarsenerState.Point, _ geometry: Geometry, isStale: Bool, sequence: UInt64) {
        let exact = geometry.lattice(point.level).coordinate(of: point.place)
        // Not by the initializer that wraps: its sums would put noise behind the fifth decimal.
        coordinate =
            Coordinate(longitude: Self.rounded(exact.longitude), latitude: Self.rounded(exact.latitude)) ?? exact
        accuracy = geometry.radius(of: point.place, point.level)
        level = point.level
        zoom = point.level.zoom(geometry.radius)
        epoch = point.epoch
        self.isStale = isStale
        self.sequence = sequence
    }

    /// Five decimals of a degree are a metre; more would only look precise.
    private static func rounded(_ degrees: Double) -> Double { (degrees * 1e5).rounded() / 1e5 }
}

/// What the coarsening stage asks for.
public enum CoarsenerAction: Hashable, Sendable {
    /// Keep this over a restart, before anything that follows it is sent.
    case save(CoarsenerState)
    /// Send this to every approximate client, in one burst.
    case publish(ApproximateLocation)
    /// Tell every approximate client that the source's state, as far as it is told to them, has changed.
    case source(SourceStatus)
}

/// The coarsening stage: precise locations in, now and then an approximate one out. One for the whole device.
///
/// What it says depends on where the receiver is at epochs, on the points that it has stayed at, and on nothing else;
/// when it says it depends on chance. It does not know whether anyone listens. docs/privacy.md says why it is so.
public struct Coarsener: Sendable {
    /// What a new approximate client is given; nil before the first epoch with a fix.
    public private(set) var present: ApproximateLocation?
    /// The source's state as approximate clients are told it: `fix` or `noFix`, changed at epochs only.
    public private(set) var source: SourceStatus

    private var choice: PointChoice
    private var random: any RandomNumberGenerator & Sendable
    private var clock: EpochClock
    private var sequence: UInt64
    /// Scheduled epochs in a row that found no fix. Until the first fix there is one: the one that would have been.
    private var misses: Int
    /// The point shown last, or about to be.
    private var point: CoarsenerState.Point?
    /// The newest precise location.
    private var newest: Observation?
    /// What is to be sent when the epoch's burst is due.
    private var burst: Burst?

    private struct Burst: Hashable, Sendable {
        var due: Instant
        var location: ApproximateLocation?
        var source: SourceStatus?
    }

    /// The oldest location that an epoch takes, seconds; older, there is no fix.
    static let freshness = 60.0
    /// The longest delay between an epoch and its burst, seconds.
    static let longestDelay = 10.0

    /// The stage as it starts at `start`, with what was kept of the last run. What was kept for another radius is of no
    /// use, but for the count of frames.
    public init(
        radius: ApproximateRadius, state: CoarsenerState?, at start: Moment,
        random: any RandomNumberGenerator & Sendable
    ) {
        self.random = random
        let geometry = Geometry(radius: radius)
        sequence = state?.sequence ?? 0
        guard let state, state.radius == radius else {
            clock = EpochClock(start: start.monotonic, random: &self.random)
            misses = 1
            choice = PointChoice(geometry)
            source = SourceStatus(state: .noFix, since: start.flooredToMinute)
            return
        }
        misses = state.misses
        clock = EpochClock(start: start, planned: state.next, missed: &misses, random: &self.random)
        source = SourceStatus(state: misses == 0 ? .fix : .noFix, since: state.since.resumed(at: start))
        if state.misses == 0, misses > 0 { source.since = start.flooredToMinute }
        let isStale = misses >= CoarsenerState.staleMisses
        choice = PointChoice(geometry, favourites: state.favourites, resuming: isStale ? nil : state.point)
        guard var point = state.point else { return }
        point.epoch = point.epoch.resumed(at: start)
        self.point = point
        if isStale, state.misses < misses { sequence += 1 }
        present = ApproximateLocation(point, geometry, isStale: isStale, sequence: sequence)
    }

    /// When `advance` is to be called at the latest.
    public var deadline: Instant { min(clock.deadline, burst?.due ?? clock.deadline) }

    /// Takes note of the newest precise location and of its 95 % radius in metres: from the receiver, or placed by a
    /// client. Nothing follows from it until an epoch comes. One that is too bad for the largest circle is passed over.
    public mutating func observe(_ coordinate: Coordinate, accuracy: Double, at moment: Moment) {
        guard accuracy >= 0, accuracy <= choice.geometry.radius.worstError else { return }
        if let newest, moment.monotonic < newest.moment.monotonic { return }
        newest = Observation(coordinate: coordinate, accuracy: accuracy, moment: moment)
    }

    /// The location is the receiver's again. How far that is from the last epoch's is no movement, and no reason for an
    /// early epoch: whoever may place one could have the receiver's own told when they want, by going far and back.
    public mutating func comeBack() { choice.forgetLast() }

    /// Does what is due by `now`. To be called at every `deadline`; called late, an epoch is late.
    public mutating func advance(to now: Moment) -> [CoarsenerAction] {
        var actions = deliver(now)
        switch clock.tick(now.monotonic, random: &random) {
        case .none: return actions
        case .candidate:
            guard let location = fresh(now), misses > 0 || choice.isFar(location) else { return actions }
            take(location, at: now)
        case .epoch:
            if let location = fresh(now) { take(location, at: now) } else { miss(at: now) }
        }
        clock.restart(now.monotonic, random: &random)
        actions.append(.save(state(now)))
        return actions
    }

    /// What is to be kept over a restart, as of `now`.
    private func state(_ now: Moment) -> CoarsenerState {
        CoarsenerState(
            radius: choice.geometry.radius, sequence: sequence, next: now.at(clock.next).utc.flooredToSecond,
            misses: misses,
            since: burst?.source?.since ?? source.since, point: point, favourites: choice.favourites)
    }

    private var isStale: Bool { misses >= CoarsenerState.staleMisses }

    /// The newest location, unless it is too old by either clock: UTC also counts a sleep on a kernel without CLOCK_BOOTTIME.
    private func fresh(_ now: Moment) -> Observation? {
        guard let newest, now.monotonic.seconds(since: newest.moment.monotonic) <= Self.freshness,
            now.utc.seconds(since: newest.moment.utc) <= Self.freshness
        else { return nil }
        return newest
    }

    /// An epoch with a fix.
    private mutating func take(_ location: Observation, at now: Moment) {
        let (place, level) = choice.choose(location, day: now.utc.day)
        let shown = CoarsenerState.Point(place: place, level: level, epoch: now.flooredToMinute)
        point = shown
        misses = 0
        sequence += 1
        plan(
            ApproximateLocation(shown, choice.geometry, isStale: false, sequence: sequence),
            source.state == .fix ? nil : SourceStatus(state: .fix, since: now.flooredToMinute), now)
    }

    /// A scheduled epoch that finds no fix.
    private mutating func miss(at now: Moment) {
        let wasStale = isStale
        misses = min(CoarsenerState.staleMisses, misses + 1)
        var aged: ApproximateLocation?
        if isStale, !wasStale, let point {
            sequence += 1
            aged = ApproximateLocation(point, choice.geometry, isStale: true, sequence: sequence)
        }
        plan(aged, source.state == .noFix ? nil : SourceStatus(state: .noFix, since: now.flooredToMinute), now)
    }

    private mutating func plan(_ location: ApproximateLocation?, _ source: SourceStatus?, _ now: Moment) {
        let delay = Self.longestDelay * random.unit()
        guard location != nil || source != nil else { return }
        burst = Burst(due: now.monotonic.advanced(by: delay), location: location, source: source)
    }

    private mutating func deliver(_ now: Moment) -> [CoarsenerAction] {
        guard let burst, burst.due <= now.monotonic else { return [] }
        self.burst = nil
        var actions: [CoarsenerAction] = []
        if let changed = burst.source {
            source = changed
            actions.append(.source(changed))
        }
        if let location = burst.location {
            present = location
            actions.append(.publish(location))
        }
        return actions
    }
}

/// To what an epoch's moment is floored before it is told or kept, nanoseconds.
private let minute: Int64 = 60_000_000_000

extension Moment {
    /// Both clocks at the whole minute before.
    var flooredToMinute: Moment {
        func floored(_ nanoseconds: Int64) -> Int64 {
            let rest = nanoseconds % minute
            return nanoseconds.lessened(by: rest < 0 ? rest + minute : rest)
        }
        return Moment(
            monotonic: Instant(nanoseconds: floored(monotonic.nanoseconds)),
            utc: UTC(nanoseconds: floored(utc.nanoseconds)))
    }

    /// This moment of an earlier run as the clocks of this one have it. Where both clocks are as far from it, give or
    /// take what they were floored by, it is of the same boot and stays as it is; else its UTC is what is known.
    func resumed(at start: Moment) -> Moment {
        let age = start.utc.seconds - utc.seconds
        let sameBoot = abs(age - (start.monotonic.seconds - monotonic.seconds)) <= 2 * Double(minute) / 1e9
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
