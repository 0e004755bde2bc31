import PuckCore

/// Holds back messages that repeat: of each kind, `burst` in `interval` seconds; the next one tells how many were held.
public struct RepeatLimiter: Sendable {
    /// Messages of a kind that are let through in one interval.
    public let burst: Int
    /// Seconds from the first of them until more are let through.
    public let interval: Double
    private var kinds: [String: Kind] = [:]

    private struct Kind {
        var first: Instant
        var admitted = 1
        var held = 0
    }

    /// How many kinds are remembered.
    var remembered: Int { kinds.count }

    /// Kinds that are remembered at a time. Past that, those that are due anyway are forgotten; where there are none,
    /// all are: a message too many does less harm than memory without bound.
    private static let mostKinds = 256

    /// A limiter of `burst` messages of a kind in `interval` seconds.
    public init(burst: Int = 1, interval: Double) {
        self.burst = burst
        self.interval = interval
    }

    /// Whether a message of that kind may be written now: nil: no; else how many were held back since the last.
    public mutating func admit(_ kind: String, at now: Instant) -> Int? {
        if var known = kinds[kind], now.seconds(since: known.first) < interval {
            let isAdmitted = known.admitted < burst
            if isAdmitted { known.admitted += 1 } else { known.held += 1 }
            kinds[kind] = known
            return isAdmitted ? 0 : nil
        }
        let held = kinds[kind]?.held ?? 0
        if kinds[kind] == nil, kinds.count >= RepeatLimiter.mostKinds { forget(at: now) }
        kinds[kind] = Kind(first: now)
        return held
    }

    private mutating func forget(at now: Instant) {
        kinds = kinds.filter { now.seconds(since: $0.value.first) < interval }
        if kinds.count >= RepeatLimiter.mostKinds { kinds = [:] }
    }
}
