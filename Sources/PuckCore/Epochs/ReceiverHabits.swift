/// What a receiver's first report of an epoch lacks and a later one usually brings: learnt, so that an epoch is held
/// for what is worth waiting for, and never for what does not come.
struct ReceiverHabits: Hashable, Sendable {
    /// How much one epoch counts against those before it: a habit is given up, or taken up, within three epochs.
    private static let weight = 0.25
    /// Before anything is known an epoch is held for what it lacks; after two that were held in vain, no more.
    private static let prior = 0.75
    /// For an error estimate it is not: many receivers never give one, and a first puck that comes late must jump.
    private static let priorOfError = 0.4
    /// From which share of kept promises on a part is waited for.
    private static let threshold = 0.5

    /// By kind of part: how often, when the first report lacked it, a later one brought it in time. (0 to 1)
    private var promptness = (0..<EpochParts.kinds).map { kind in
        EpochParts(rawValue: 1 << kind) == .error ? priorOfError : prior
    }
    /// How often, when an epoch was let go without a course, a later report brought one, in time or not. (0 to 1)
    private var courseFollows = 0.0

    /// What an epoch that has `parts` should be held for.
    func worthWaitingFor(beyond parts: EpochParts) -> EpochParts {
        // Without a fix there is nothing to wait for but the fix.
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

    /// Whether the speed of an epoch's first report, where it has no course, is gpsd's own reckoning from two
    /// positions, and the receiver's is still to come: its course usually follows.
    var firstSpeedIsReckoned: Bool { courseFollows >= Self.threshold }

    /// Learns from an epoch that is over.
    mutating func learn(_ record: EpochRecord) {
        // Where there is no fix there is nothing to be had, and the habits of the next fix would be forgotten.
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

/// Which parts of an epoch came when.
struct EpochRecord: Hashable, Sendable {
    /// UTC of the epoch by the receiver.
    var time: UTC?
    /// When its first report arrived.
    var arrival: Instant
    /// Where it was.
    var coordinate: Coordinate?
    /// Reports merged into it before it was let go.
    var reports = 1
    /// What the first report brought.
    var first: EpochParts
    /// What all reports brought that came within the longest hold.
    var prompt: EpochParts
    /// What those brought that came after it.
    var late: EpochParts = []
    /// What all of them brought.
    var all: EpochParts { prompt.union(late) }
}
