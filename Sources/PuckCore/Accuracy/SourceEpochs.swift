/// The epochs of one source of locations, the receiver or one provider: their times, and the point that each shows.
///
/// Two sources are never compared: neither their places, nor their points, nor their favourites. A provider sees the
/// result of its own placements, so a comparison with the receiver's would answer its questions about the receiver.
struct SourceEpochs: Sendable {
    /// The output of a source: a point, and whether two scheduled epochs since then have found no fix.
    struct Shown: Hashable, Sendable {
        var point: CoarsenerState.Point
        var isStale: Bool
    }

    /// The result of an epoch, and when it is due.
    struct Burst: Hashable, Sendable {
        var due: Instant
        var shown: Shown?
        var source: SourceStatus?
    }

    /// The output of the last burst; nil before the first with a fix.
    private(set) var shown: Shown?
    /// Whether there is a fix, according to the last burst.
    private(set) var source: SourceStatus
    private(set) var clock: EpochClock
    /// Successive scheduled epochs without a fix. It starts at one, for the epoch before the first fix.
    private(set) var misses: Int
    /// The point of the newest epoch with a fix.
    private(set) var point: CoarsenerState.Point?
    /// The part of the newest epoch that is still due.
    private(set) var burst: Burst?
    private var choice: PointChoice
    /// The newest location.
    private var newest: Observation?
    private var random: any RandomNumberGenerator & Sendable

    /// The maximum age of a location at an epoch, seconds.
    private static let freshness = 60.0
    /// The longest delay between an epoch and its burst, seconds.
    private static let longestDelay = 10.0

    /// The epochs of a receiver without history.
    init(_ geometry: Geometry, at start: Moment, random: any RandomNumberGenerator & Sendable) {
        self.random = random
        clock = EpochClock(start: start.monotonic, random: &self.random)
        misses = 1
        choice = PointChoice(geometry)
        source = SourceStatus(state: .noFix, since: start.flooredToMinute)
    }

    /// The epochs of the receiver after an earlier run.
    init(
        _ geometry: Geometry, resuming state: CoarsenerState, at start: Moment,
        random: any RandomNumberGenerator & Sendable
    ) {
        self.random = random
        misses = state.misses
        clock = EpochClock(start: start, planned: state.next, missed: &misses, random: &self.random)
        source = SourceStatus(state: misses == 0 ? .fix : .noFix, since: state.since.resumed(at: start))
        if state.misses == 0, misses > 0 { source.since = start.flooredToMinute }
        point = state.point
        point?.epoch = (state.point?.epoch ?? start).resumed(at: start)
        let isStale = misses >= CoarsenerState.staleMisses
        choice = PointChoice(geometry, favourites: state.favourites, resuming: isStale ? nil : state.point)
        shown = point.map { Shown(point: $0, isStale: isStale) }
    }

    var favourites: Favourites { choice.favourites }

    /// When the next burst or epoch is due; no epoch is due while one `isWaiting` for the disk.
    func deadline(isWaiting: Bool) -> Instant? {
        guard let due = burst?.due else { return isWaiting ? nil : clock.deadline }
        return isWaiting ? due : min(due, clock.deadline)
    }

    /// The epochs of a provider that replaces this source. They have this source's times, which everyone can see, and
    /// nothing of its places: no last place, no favourites, and no point except the one shown until the provider's
    /// own.
    func successor(_ geometry: Geometry) -> SourceEpochs {
        var successor = self
        successor.choice = PointChoice(geometry, winsFavourites: false)
        successor.newest = nil
        return successor
    }

    /// Takes the newest location. One that is too inaccurate for the largest circle is ignored.
    mutating func observe(_ coordinate: Coordinate, accuracy: Double, at moment: Moment) {
        guard accuracy >= 0, accuracy <= choice.geometry.radius.worstError else { return }
        if let newest, moment.monotonic < newest.moment.monotonic { return }
        newest = Observation(coordinate: coordinate, accuracy: accuracy, moment: moment)
    }

    /// The epoch that is due, if any: these epochs after it. They count once `settle` confirms it.
    mutating func epoch(_ now: Moment) -> SourceEpochs? {
        let tick = clock.tick(now.monotonic, random: &random)
        if tick == .none { return nil }
        let location = fresh(now)
        if tick == .candidate {
            guard let location, misses > 0 || choice.isFar(location) else { return nil }
        }
        var after = self
        if let location { after.observe(location, at: now) } else { after.miss(at: now) }
        after.clock.restart(now.monotonic, random: &after.random)
        return after
    }

    /// Ends an epoch. It counts if it `isKept` on the disk. Otherwise it counts as one without a fix, and no
    /// candidate comes before the next epoch: the state may be on the disk nevertheless, and a restart would show it.
    mutating func commit(_ after: SourceEpochs, isKept: Bool, at now: Moment) {
        let newest = newest
        if isKept {
            self = after
        } else {
            clock = after.clock
            clock.skipCandidates()
            random = after.random
            miss(at: now)
        }
        self.newest = newest
    }

    /// Removes and returns the burst that is due by `now`.
    mutating func deliver(_ now: Moment) -> Burst? {
        guard let burst, burst.due <= now.monotonic else { return nil }
        self.burst = nil
        source = burst.source ?? source
        shown = burst.shown ?? shown
        return burst
    }

    private var isStale: Bool { misses >= CoarsenerState.staleMisses }

    /// The newest location, unless it is too old by either clock: UTC also counts a sleep on a kernel without
    /// CLOCK_BOOTTIME.
    private func fresh(_ now: Moment) -> Observation? {
        guard let newest, now.monotonic.seconds(since: newest.moment.monotonic) <= Self.freshness,
            now.utc.seconds(since: newest.moment.utc) <= Self.freshness
        else { return nil }
        return newest
    }

    /// An epoch with a fix.
    private mutating func observe(_ location: Observation, at now: Moment) {
        let (place, level) = choice.choose(location, day: now.utc.day)
        let point = CoarsenerState.Point(place: place, level: level, epoch: now.flooredToMinute)
        self.point = point
        misses = 0
        plan(
            Shown(point: point, isStale: false),
            source.state == .fix ? nil : SourceStatus(state: .fix, since: now.flooredToMinute), now)
    }

    /// A scheduled epoch that finds no fix.
    private mutating func miss(at now: Moment) {
        let wasStale = isStale
        misses = min(CoarsenerState.staleMisses, misses + 1)
        var aged: Shown?
        if isStale, !wasStale { aged = point.map { Shown(point: $0, isStale: true) } }
        plan(aged, source.state == .noFix ? nil : SourceStatus(state: .noFix, since: now.flooredToMinute), now)
    }

    private mutating func plan(_ shown: Shown?, _ source: SourceStatus?, _ now: Moment) {
        let delay = Self.longestDelay * random.unit()
        guard shown != nil || source != nil else { return }
        burst = Burst(due: now.monotonic.advanced(by: delay), shown: shown, source: source)
    }
}
