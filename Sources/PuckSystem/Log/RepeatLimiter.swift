import PuckCore

/// Holds back messages that repeat: of each kind, one in `interval` seconds; the next one tells how many were held.
public struct RepeatLimiter: Sendable {
    /// Seconds between two messages of a kind.
    public let interval: Double
    private var kinds: [String: Kind] = [:]

    private struct Kind {
        var last: Instant
        var held = 0
    }

    /// How many kinds are remembered.
    var remembered: Int { kinds.count }

    /// Kinds that are remembered at a time. Past that, those that are due anyway are forgotten; where there are none,
    /// all are: a message too many does less harm than memory without bound.
    private static let mostKinds = 256

    /// A limiter of one message of a kind in `interval` seconds.
    public init(interval: Double) { self.interval = interval }

    /// Whether a message of that kind may be written now: nil: no; else how many were held back since the last.
    public mutating func admit(_ kind: String, at now: Instant) -> Int? {
        if let known = kinds[kind], now.seconds(since: known.last) < interval {
            kinds[kind] = Kind(last: known.last, held: known.held + 1)
            return nil
        }
        let held = kinds[kind]?.held ?? 0
        if kinds[kind] == nil, kinds.count >= RepeatLimiter.mostKinds { forget(at: now) }
        kinds[kind] = Kind(last: now)
        return held
    }

    private mutating func forget(at now: Instant) {
        kinds = kinds.filter { now.seconds(since: $0.value.last) < interval }
        if kinds.count >= RepeatLimiter.mostKinds { kinds = [:] }
    }
}
