/// Turns one receiver's reports into a precise puck: epochs, gate, position filter, bearing filter.
///
/// A value with mutating events. Time is an argument, and nothing here reads a clock, a file or a socket, so the
/// daemon, the tests and `puckd replay` run the same code.
public struct Pipeline: Sendable {
    /// The configuration of the receiver and its vehicle.
    public struct Settings: Hashable, Sendable {
        /// The kind of vehicle that carries the receiver.
        public var profile: Profile
        /// The smallest accuracy that is ever claimed: 95 % radius, metres, more than zero.
        public var accuracyFloor: Double
        /// Degrees clockwise that are added to a measured heading, for the mounting of the compass or the antennas.
        public var headingOffset: Double
        /// How long a position is shown after the last fix.
        public var freshness: Freshness

        /// Settings. Each has a default.
        public init(
            profile: Profile = .auto, accuracyFloor: Double = 1, headingOffset: Double = 0,
            freshness: Freshness = Freshness()
        ) {
            self.profile = profile
            self.accuracyFloor = accuracyFloor
            self.headingOffset = headingOffset
            self.freshness = freshness
        }
    }

    /// The result of an event.
    public enum Event: Hashable, Sendable {
        /// The filter took an epoch: the position is newer.
        case located
        /// A heading was taken.
        case turned
        /// The puck's state changed with time, or a heading became too old.
        case aged
        /// An epoch was refused.
        case refused(RefusalReason)
    }

    private let settings: Settings
    private var assembler = EpochAssembler()
    private var gate: EpochGate
    private var filter: PositionFilter
    private var bearing: BearingFilter
    /// The possible error while the receiver uses dead reckoning without satellites.
    private var reckoning: ReckoningError?
    /// The newest fix that the filter took.
    public private(set) var lastFix: Fix?
    /// How the receiver's fixes usually arrive.
    private var arrivals = ArrivalRhythm()
    /// When the puck's state next changes with time.
    private var nextAging: Instant?
    /// When to check whether a heading is too old. A new heading does not move this check; the check moves itself.
    private var nextHeadingLook: Instant?
    /// Counts intended jumps: a stream that has seen another count shows a discontinuity.
    public private(set) var jumps: UInt64 = 0
    /// Counters of the pipeline; the gate counts its refusals itself.
    private var tally = PipelineCounters()

    /// A pipeline without data.
    public init(settings: Settings) {
        self.settings = settings
        gate = EpochGate(accuracyFloor: settings.accuracyFloor)
        filter = PositionFilter(profile: settings.profile, accuracyFloor: settings.accuracyFloor)
        bearing = BearingFilter(mountingOffset: settings.headingOffset)
    }

    /// Counters for `status`.
    public var counters: PipelineCounters {
        var counters = tally
        counters.refused.add(gate.refusals)
        return counters
    }

    /// Seconds between this receiver's epochs; nil before they are known.
    public var cycle: Double? { assembler.cycle }
    /// The receiver's usual silence between fixes, or batches of them, seconds; nil before it is known.
    public var usualSilence: Double? { arrivals.usualSilence }

    /// When `advance(to:)` must be called, if nothing else happens before.
    public var deadline: Instant? {
        earlier(earlier(assembler.deadline, nextAging), nextHeadingLook)
    }

    /// When the arrow may turn to another source by itself.
    var headingDeadline: Instant? { nextHeadingLook }

    /// Takes a report of the receiver in use, or an attitude of any device.
    public mutating func receive(_ report: Report, at moment: Moment) -> [Event] {
        tally.reports += 1
        var events: [Event] = turnOver(at: moment.monotonic) ? [.aged] : []
        if bearing.receive(report, at: moment) { events.append(.turned) }
        if turnOver(at: moment.monotonic) || nextHeadingLook == nil { nextHeadingLook = bearing.nextLoss }
        for epoch in assembler.receive(report, at: moment) { events.append(take(epoch, at: moment)) }
        return events
    }

    /// Takes an attitude from a client, for `instant`. `provider`: any number that identifies the client.
    mutating func place(_ attitude: Attitude, by provider: UInt64, trueAt instant: Instant, at moment: Moment) {
        let now = moment.monotonic
        _ = turnOver(at: now)
        bearing.place(attitude, by: provider, at: instant, now: now)
        _ = turnOver(at: now)
        nextHeadingLook = bearing.nextLoss
    }

    /// Forgets the attitude that a client placed. Returns whether there was one.
    mutating func forgetAttitude(by provider: UInt64, at moment: Moment) -> Bool {
        let now = moment.monotonic
        _ = turnOver(at: now)
        let course = filter.motion(at: now)?.drawnCourse
        guard bearing.forgetPlaced(by: provider, at: now, course: course) else { return false }
        nextHeadingLook = bearing.nextLoss
        return true
    }

    /// The attitude that a client placed without a position, at an instant.
    func placedAttitude(at instant: Instant) -> (reading: BearingReading, tilt: PlacedTilt?) {
        (bearing.placedHeading(at: instant), bearing.tilt(at: instant))
    }

    /// Applies the changes that are due.
    public mutating func advance(to moment: Moment) -> [Event] {
        var events: [Event] = []
        for epoch in assembler.advance(to: moment.monotonic) { events.append(take(epoch, at: moment)) }
        if let aging = nextAging, moment.monotonic >= aging {
            scheduleAging(after: moment.monotonic)
            events.append(.aged)
        }
        if let look = nextHeadingLook, moment.monotonic >= look {
            let isTiltLost = bearing.loseTilt(by: moment.monotonic)
            if turnOver(at: moment.monotonic) || isTiltLost { events.append(.aged) }
            nextHeadingLook = bearing.nextLoss
        }
        return events
    }

    /// Turns the arrow from one source to the next if the heading's source has changed. Returns whether it has.
    private mutating func turnOver(at now: Instant) -> Bool {
        var hasChanged = false
        while let change = bearing.sourceChange(by: now) {
            let course = change.isOfCourse ? filter.motion(at: change.instant)?.drawnCourse : nil
            bearing.follow(change, course: course)
            hasChanged = true
        }
        return hasChanged
    }

    private mutating func take(_ epoch: Epoch, at moment: Moment) -> Event {
        tally.epochs += 1
        switch gate.judge(epoch) {
        case .failure(let reason):
            return .refused(reason)
        case .success(let fix):
            if fix.status != .deadReckoning {
                reckoning = nil
            } else if reckoning == nil {
                let start = lastFix ?? fix
                let shown = filter.motion(at: start.instant)?.accuracy
                reckoning = ReckoningError(from: start, radius: shown ?? start.accuracy ?? settings.accuracyFloor)
            }
            switch filter.update(fix, at: moment.monotonic) {
            case .refused(let reason):
                tally.refused.add(reason)
                return .refused(reason)
            case .jumped:
                jumps += 1
            case .accepted:
                break
            }
            tally.fixes += 1
            if fix.device != lastFix?.device { arrivals = ArrivalRhythm() }
            let age = max(0, moment.monotonic.seconds(since: fix.instant))
            let interval = lastFix.map { fix.instant.seconds(since: $0.instant) }
            arrivals.receive(age: age, interval: interval, at: moment.monotonic, cycle: cycle)
            reckoning?.take(fix)
            lastFix = fix
            scheduleAging(after: max(moment.monotonic, fix.instant))
            return .located
        }
    }

    private mutating func scheduleAging(after now: Instant) {
        guard let fix = lastFix else { return }
        let next = settings.freshness.nextChange(after: now.seconds(since: fix.instant), live: arrivals.liveUntil)
        // One nanosecond late, so that rounding cannot call this before the state has changed.
        nextAging = next.map { fix.instant.advanced(by: $0).advanced(byNanoseconds: 1) }
    }

    /// The precise puck at an instant; nil before the first position and after its removal.
    ///
    /// `staleAfter`: seconds after which this client wants a position called stale, if sooner. `frameInterval`:
    /// seconds for which the puck will be shown.
    public func puck(
        at moment: Moment, bearing preference: BearingPreference, staleAfter: Double? = nil,
        frameInterval: Double = PositionFilter.usualFrameInterval
    ) -> Puck? {
        guard let fix = lastFix else { return nil }
        let age = max(0, moment.monotonic.seconds(since: fix.instant))
        guard var state = settings.freshness.state(age: age, live: arrivals.liveUntil) else { return nil }
        if let staleAfter, age >= staleAfter { state = .stale }
        let heldSince = min(settings.freshness.predictedUntil(live: arrivals.liveUntil), staleAfter ?? .infinity)
        let shownAt = state == .stale ? fix.instant.advanced(by: heldSince) : max(fix.instant, moment.monotonic)
        guard let motion = filter.motion(at: shownAt, frameInterval: frameInterval) else { return nil }

        var puck = Puck(
            state: state, accuracyMode: .precise, coordinate: motion.coordinate,
            accuracy: max(motion.accuracy, reckoning?.leastRadius ?? 0))
        puck.estimated = fix.status.isEstimated
        puck.altitude = fix.altitudeEllipsoid
        puck.altitudeMSL = fix.altitudeMSL
        puck.altitudeAccuracy = fix.altitudeAccuracy
        if state != .stale {
            puck.speed = motion.speed
            puck.speedAccuracy = motion.speedAccuracy
            puck.course = motion.course
            puck.courseAccuracy = motion.courseAccuracy
        }
        puck.drawnCourse = motion.drawnCourse
        let reading = bearing.bearing(at: moment.monotonic, motion: motion, preference: preference)
        puck.heading = reading.heading
        puck.headingAccuracy = reading.headingAccuracy
        puck.northReference = reading.northReference
        puck.bearing = reading.bearing
        puck.bearingSource = reading.bearingSource
        if bearing.isTilted, let tilt = bearing.tilt(at: moment.monotonic) {
            (puck.pitch, puck.roll) = (tilt.pitch, tilt.roll)
        }
        puck.stationary = motion.stationary
        puck.isGliding = motion.isGliding
        puck.fixTime = fix.time
        puck.age = age
        return puck
    }
}

/// The earlier of two instants; nil means never.
func earlier(_ a: Instant?, _ b: Instant?) -> Instant? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
}

/// The pipeline's counters, for `status`.
public struct PipelineCounters: Hashable, Sendable {
    /// Reports of the receiver in use.
    public var reports: UInt64 = 0
    /// Epochs merged from them.
    public var epochs: UInt64 = 0
    /// Epochs taken by the filter.
    public var fixes: UInt64 = 0
    /// Epochs left out, by reason.
    public var refused = RefusalCounts()
}
