import PuckCore

/// A limiter for repeated messages. It lets through `burst` messages of each kind in each `interval`. The first message
/// of the next interval gets the number of messages held back.
public struct RepeatLimiter: Sendable {
    /// The number of messages of one kind that are let through in one interval.
    public let burst: Int
    /// The length of an interval in seconds, from its first message.
    public let interval: Double
    private var kinds: [String: Kind] = [:]

    private struct Kind {
        var first: Instant
        var admitted = 1
        var held = 0
    }

    /// The number of kinds in memory.
    var remembered: Int { kinds.count }

    /// The largest number of kinds in memory. Beyond it, the limiter forgets the kinds whose interval is over, or all
    /// kinds if there are none: a few extra messages do less harm than unbounded memory.
    private static let mostKinds = 256

    /// Creates a limiter for `burst` messages of one kind, default 1, in `interval` seconds.
    public init(burst: Int = 1, interval: Double) {
        self.burst = burst
        self.interval = interval
    }

    /// Returns nil if a message of this kind must be held back. If it may be written, returns the number of messages of
    /// this kind held back since the last one that was written.
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
