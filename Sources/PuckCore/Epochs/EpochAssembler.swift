/// Merges the reports of one receiver into epochs, one for each device and time. An epoch is released as soon as it
/// has all parts that this receiver usually gives, and is held for at most a quarter of the receiver's cycle. (P11)
///
/// One epoch often has several reports. Some of them are partial, some have no time, and some arrive after the epoch
/// was released: these are counted and dropped, and never become a second epoch. Sky and noise reports come before or
/// after the position. Their values change slowly, so an epoch takes the newest available ones and never waits for
/// them.
public struct EpochAssembler: Sendable {
    /// The longest hold as a share of the cycle.
    static let longestHoldShare = 0.25
    /// The longest hold before the cycle is known, seconds: a quarter of the commonest cycle. (The next epoch of a
    /// faster receiver ends it sooner.)
    static let firstHold = 0.25
    /// Times that differ by no more than this, in seconds, belong to one epoch: some receivers round them differently
    /// from sentence to sentence (20.300 and 20.303), and no two epochs of one receiver are so close.
    static let sameEpoch = 0.01
    /// Positions that differ by no more than this, in degrees (0.1 m), do not contradict each other: the sentences of
    /// one epoch have different numbers of digits.
    private static let sameCoordinate = 1e-6
    /// How long after an epoch's first report another with the same time still belongs to it: seconds, and cycles.
    /// After that, the receiver's clock was set back, and the gate checks it.
    private static let latest = (seconds: 0.6, cycles: 0.75)
    /// How long the values of a sky or noise report are valid: seconds, and cycles.
    private static let slowFigures = (seconds: 2.5, cycles: 2.5)
    /// The number of recent epochs that are remembered, to recognise their late parts.
    private static let remembered = 8

    /// Reports that arrived after their epoch was released.
    public private(set) var lateReports = 0
    /// Epochs that were held for a missing part, for however short a time.
    public private(set) var heldEpochs = 0
    /// Released epochs.
    public private(set) var epochs = 0
    /// Seconds from one epoch to the next; nil before they are known.
    public var cycle: Double? { rhythm.cycle }
    /// When the held epoch must be released; nil if none is held.
    public private(set) var deadline: Instant?

    private var device: DeviceName?
    private var open: Epoch?
    /// The released epochs and the open one, the newest last.
    private var records: [EpochRecord] = []
    private var rhythm = CycleEstimator()
    private var habits = ReceiverHabits()
    private var sky: (report: SkyReport, arrival: Instant)?
    private var noise: (report: NoiseReport, arrival: Instant)?

    /// An assembler that does not know its receiver yet.
    public init() {}

    /// Forgets the receiver and its held epoch; the counts stay.
    public mutating func reset() {
        let counts = (lateReports, heldEpochs, epochs)
        self = EpochAssembler()
        (lateReports, heldEpochs, epochs) = counts
    }

    /// Takes a report. Returns the epochs that it completes, oldest first. A report of another receiver starts again.
    public mutating func receive(_ report: Report, at moment: Moment) -> [Epoch] {
        // An attitude belongs to no epoch, and may come from a compass that is another device.
        if case .attitude = report { return advance(to: moment.monotonic) }
        if report.device != device {
            reset()
            device = report.device
        }
        switch report {
        case .position(let position):
            return receive(position, at: moment)
        case .sky(let sky):
            if sky.hdop != nil { self.sky = (sky, moment.monotonic) }
        case .noise(let noise):
            if noise.latitudeSigma != nil, noise.longitudeSigma != nil { self.noise = (noise, moment.monotonic) }
        case .attitude:
            break
        }
        return advance(to: moment.monotonic)
    }

    /// Releases the held epoch if its time has come.
    public mutating func advance(to instant: Instant) -> [Epoch] {
        guard let deadline, instant >= deadline else { return [] }
        return letGo()
    }

    // MARK: - Position reports

    private mutating func receive(_ report: PositionReport, at moment: Moment) -> [Epoch] {
        let now = moment.monotonic
        let newest = records.count - 1
        if var epoch = open, belongs(report, to: records[newest], isOpen: true, at: now) {
            epoch.merge(report)
            open = epoch
            record(report, in: newest, at: now)
            records[newest].reports += 1
            records[newest].coordinate = epoch.coordinate
            return isComplete ? letGo() : advance(to: now)
        }
        if let index = closedEpoch(of: report, at: now) {
            record(report, in: index, at: now)
            lateReports += 1
            return advance(to: now)
        }
        let before = letGo()
        begin(report, at: moment)
        guard !isComplete else { return before + letGo() }
        heldEpochs += 1
        deadline = now.advanced(by: longestHold)
        return before
    }

    /// The newest released epoch that a report belongs to. (A closure would have to copy all of this to read it.)
    private func closedEpoch(of report: PositionReport, at now: Instant) -> Int? {
        var index = open == nil ? records.count : records.count - 1
        while index > 0 {
            index -= 1
            if belongs(report, to: records[index], isOpen: false, at: now) { return index }
        }
        return nil
    }

    /// Whether a report belongs to that epoch.
    private func belongs(_ report: PositionReport, to record: EpochRecord, isOpen: Bool, at now: Instant) -> Bool {
        // If an epoch was released without a fix, a fix is new.
        if report.mode.hasFix, !isOpen, !record.all.contains(.fix) { return false }
        let elapsed = now.seconds(since: record.arrival)
        if let time = report.time, let recordTime = record.time {
            return abs(time.seconds(since: recordTime)) <= Self.sameEpoch
                && elapsed <= max(Self.latest.seconds, Self.latest.cycles * (cycle ?? 0))
        }
        // A report without a time belongs to an epoch only if it comes together with it and does not contradict it.
        guard elapsed <= longestHold else { return false }
        guard let a = report.coordinate, let b = record.coordinate else { return true }
        return abs(a.latitude - b.latitude) <= Self.sameCoordinate
            && abs(a.longitude - b.longitude) <= Self.sameCoordinate
    }

    /// Remembers the parts that a report brought to an epoch, for late parts and for the habits.
    private mutating func record(_ report: PositionReport, in index: Int, at now: Instant) {
        records[index].time = records[index].time ?? report.time
        if now.seconds(since: records[index].arrival) <= longestHold {
            records[index].prompt.formUnion(EpochParts(report))
        } else {
            records[index].late.formUnion(EpochParts(report))
        }
    }

    private var longestHold: Double { cycle.map { $0 * Self.longestHoldShare } ?? Self.firstHold }
    private var isComplete: Bool {
        guard let open else { return false }
        return habits.worthWaitingFor(beyond: open.parts).isEmpty
    }

    private mutating func begin(_ report: PositionReport, at moment: Moment) {
        let epoch = Epoch(report, arrival: moment)
        let parts = epoch.parts
        if let last = records.last { habits.learn(last) }
        if records.count == Self.remembered { records.removeFirst() }
        records.append(
            EpochRecord(
                time: epoch.time, arrival: moment.monotonic, coordinate: epoch.coordinate, first: parts, prompt: parts))
        open = epoch
    }

    /// Seconds from the epoch before the newest to the newest: by the receiver's own clock if it gives times, which
    /// have no jitter; otherwise by arrival.
    private var newestInterval: Double? {
        guard let newest = records.last, let previous = records.dropLast().last else { return nil }
        let lastTime = records.dropLast().last { $0.time != nil }?.time
        if let time = newest.time, let lastTime { return time.seconds(since: lastTime) }
        guard newest.time == nil, lastTime == nil, newest.all.contains(.fix), previous.all.contains(.fix) else {
            return nil
        }
        return newest.arrival.seconds(since: previous.arrival)
    }

    private mutating func letGo() -> [Epoch] {
        guard var epoch = open else { return [] }
        open = nil
        deadline = nil
        epochs += 1
        if let newestInterval { rhythm.receive(interval: newestInterval) }
        epoch.cycle = cycle
        if epoch.course == nil, records.last?.reports == 1, habits.firstSpeedIsReckoned { epoch.speed = nil }
        let validity = max(Self.slowFigures.seconds, Self.slowFigures.cycles * (cycle ?? 0))
        if let sky, epoch.arrival.monotonic.seconds(since: sky.arrival) <= validity { epoch.hdop = sky.report.hdop }
        if let noise, epoch.arrival.monotonic.seconds(since: noise.arrival) <= validity {
            epoch.latitudeSigma = noise.report.latitudeSigma
            epoch.longitudeSigma = noise.report.longitudeSigma
            epoch.altitudeSigma = noise.report.altitudeSigma
        }
        return [epoch]
    }
}
