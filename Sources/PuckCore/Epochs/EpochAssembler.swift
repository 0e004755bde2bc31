/// Merges the reports of one receiver into epochs: one for each (device, time), let go as soon as it has what this
/// receiver usually gives, and held for at most a quarter of its cycle while it lacks it. (P11)
///
/// One epoch often brings several reports, some of them partial, some without a time, and some when the epoch was
/// already let go: those are counted and dropped, never made a second epoch of. Sky and noise reports come before or
/// after the position; their figures change slowly, so an epoch takes the newest there is and never waits for them.
public struct EpochAssembler: Sendable {
    /// Longest hold as a share of the cycle.
    static let longestHoldShare = 0.25
    /// Longest hold before the cycle is known, seconds: a quarter of the commonest cycle. (A faster receiver's next
    /// epoch ends it sooner.)
    static let firstHold = 0.25
    /// Times that differ by no more than this, in seconds, are of one epoch: some receivers round them differently
    /// from sentence to sentence (20.300 and 20.303), and no two epochs of one follow each other so closely.
    static let sameEpoch = 0.01
    /// Positions that differ by no more than this, in degrees (0.1 m), do not contradict each other: sentences of one
    /// epoch carry them to different lengths.
    private static let sameCoordinate = 1e-6
    /// How long after an epoch's first report another with its time is still a part of it: seconds, and cycles.
    /// After that the receiver's clock was set back, and the gate judges it.
    private static let latest = (seconds: 0.6, cycles: 0.75)
    /// How long a sky's or noise report's figures hold: seconds, and cycles.
    private static let slowFigures = (seconds: 2.5, cycles: 2.5)
    /// How many of the last epochs are remembered to know their late parts by.
    private static let remembered = 8

    /// Reports that came after their epoch was let go.
    public private(set) var lateReports = 0
    /// Epochs that were held for a part that they lacked, for however short a time.
    public private(set) var heldEpochs = 0
    /// Epochs let go.
    public private(set) var epochs = 0
    /// Seconds from one epoch to the next, as learnt; nil before it is.
    public var cycle: Double? { rhythm.cycle }
    /// When the epoch that is being held must be let go; nil where none is held.
    public private(set) var deadline: Instant?

    private var device: DeviceName?
    private var open: Epoch?
    /// The epochs that were let go and the open one, the newest last.
    private var records: [EpochRecord] = []
    private var rhythm = CycleEstimator()
    private var habits = ReceiverHabits()
    private var sky: (report: SkyReport, arrival: Instant)?
    private var noise: (report: NoiseReport, arrival: Instant)?

    /// An assembler that knows nothing of its receiver yet.
    public init() {}

    /// Forgets the receiver, and what was held of it; the counts stay.
    public mutating func reset() {
        let counts = (lateReports, heldEpochs, epochs)
        self = EpochAssembler()
        (lateReports, heldEpochs, epochs) = counts
    }

    /// Takes a report; returns the epochs that it completes, oldest first. One of another receiver starts anew.
    public mutating func receive(_ report: Report, at moment: Moment) -> [Epoch] {
        // It says nothing of an epoch, and may be of a compass that is another device.
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

    /// Lets go the held epoch if its time has come.
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

    /// The newest epoch let go that a report is a late part of. (A closure would have to copy all of this to look at it.)
    private func closedEpoch(of report: PositionReport, at now: Instant) -> Int? {
        var index = open == nil ? records.count : records.count - 1
        while index > 0 {
            index -= 1
            if belongs(report, to: records[index], isOpen: false, at: now) { return index }
        }
        return nil
    }

    /// Whether a report is a part of that epoch.
    private func belongs(_ report: PositionReport, to record: EpochRecord, isOpen: Bool, at now: Instant) -> Bool {
        // Where an epoch was let go without a fix, a fix is news.
        if report.mode.hasFix, !isOpen, !record.all.contains(.fix) { return false }
        let elapsed = now.seconds(since: record.arrival)
        if let time = report.time, let recordTime = record.time {
            return abs(time.seconds(since: recordTime)) <= Self.sameEpoch
                && elapsed <= max(Self.latest.seconds, Self.latest.cycles * (cycle ?? 0))
        }
        // Without a time, only those that come with it are of it, and only where they do not contradict it.
        guard elapsed <= longestHold else { return false }
        guard let a = report.coordinate, let b = record.coordinate else { return true }
        return abs(a.latitude - b.latitude) <= Self.sameCoordinate
            && abs(a.longitude - b.longitude) <= Self.sameCoordinate
    }

    /// Remembers what a report brought to an epoch, for its late parts and for the habits.
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

    /// Seconds from the epoch before the newest to it: by the receiver's own clock where it gives times, which do not
    /// jitter; else by arrival.
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
