/// Learns which parts a receiver's first report of an epoch lacks and a later one usually brings, so that an epoch is
/// held only for parts that will probably come.
struct ReceiverHabits: Hashable, Sendable {
    /// The weight of one epoch against those before it: a habit is dropped, or adopted, within three epochs.
    private static let weight = 0.25
    /// Before any habit is known, an epoch is held for its missing parts; after two that were held in vain, no
    /// longer.
    private static let prior = 0.75
    /// It is not held for an error estimate: many receivers never give one, and a first puck that comes late must
    /// jump.
    private static let priorOfError = 0.4
    /// The share of fulfilled expectations from which an epoch waits for a part.
    private static let threshold = 0.5

    /// By kind of part: how often a later report brought it in time when the first report lacked it. (0 to 1)
    private var promptness = (0..<EpochParts.kinds).map { kind in
        EpochParts(rawValue: 1 << kind) == .error ? priorOfError : prior
    }
    /// How often a later report brought a course, in time or not, when an epoch was released without one. (0 to 1)
    private var courseFollows = 0.0

    /// The parts for which an epoch with `parts` should be held.
    func worthWaitingFor(beyond parts: EpochParts) -> EpochParts {
        // Without a fix, only the fix is worth waiting for.
        let hoped: EpochParts = parts.contains(.fix) ? .all : .fix
        var worth: EpochParts = []
        var lacking = hoped.subtracting(parts).rawValue
        while lacking != 0 {
            let kind = lacking.trailingZeroBitCount
            if promptness[kind] >= Self.threshold { worth.insert(EpochParts(rawValue: 1 << kind)) }
            lacking &= lacking - 1
        }
        return worth
    }

    /// Whether the speed of an epoch's first report, without a course, was computed by gpsd from two positions, and
    /// the receiver's own is still to come: its course usually follows.
    var firstSpeedIsReckoned: Bool { courseFollows >= Self.threshold }

    /// Learns from a completed epoch.
    mutating func learn(_ record: EpochRecord) {
        // Without a fix no parts come, and the habits of the next fix would be forgotten.
        guard record.all.contains(.fix) else {
            learn(kind: EpochParts.fix.rawValue.trailingZeroBitCount, came: false)
            return
        }
        var lacking = EpochParts.all.subtracting(record.first).rawValue
        while lacking != 0 {
            let kind = lacking.trailingZeroBitCount
            learn(kind: kind, came: record.prompt.contains(EpochParts(rawValue: 1 << kind)))
            lacking &= lacking - 1
        }
        if !record.first.contains(.course) {
            let came = record.all.contains(.course)
            courseFollows += ((came ? 1 : 0) - courseFollows) * Self.weight
        }
    }

    private mutating func learn(kind: Int, came: Bool) {
        promptness[kind] += ((came ? 1 : 0) - promptness[kind]) * Self.weight
    }
}

/// The parts of an epoch by time of arrival.
struct EpochRecord: Hashable, Sendable {
    /// UTC of the epoch by the receiver's clock.
    var time: UTC?
    /// When its first report arrived.
    var arrival: Instant
    /// The position of the epoch.
    var coordinate: Coordinate?
    /// Reports merged into it before it was released.
    var reports = 1
    /// The parts of the first report.
    var first: EpochParts
    /// The parts of all reports that arrived within the longest hold.
    var prompt: EpochParts
    /// The parts of those that arrived after it.
    var late: EpochParts = []
    /// The parts of all reports.
    var all: EpochParts { prompt.union(late) }
}
