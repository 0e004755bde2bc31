import PuckCore

/// The ages at which clients themselves call a position stale, each with when that next is so: a puck that stands still
/// has no other frame that would tell.
struct StaleLimits: Sendable {
    /// By limit, seconds; nil where the present position is already as old.
    private var instants: [Double: Instant?] = [:]

    var isEmpty: Bool { instants.isEmpty }

    /// When the position will be as old as the next of them.
    var deadline: Instant? { isEmpty ? nil : instants.values.lazy.compactMap { $0 }.min() }

    mutating func add(_ limit: Double, lastFix: Instant?, at now: Instant) {
        let instant = lastFix.map { Self.end(of: limit, from: $0) }
        instants[limit] = .some(instant.flatMap { $0 > now ? $0 : nil })
    }

    mutating func remove(_ limit: Double) { instants[limit] = nil }

    /// Reckons all of them from a newer fix; from none where there is no receiver's position.
    mutating func restart(from lastFix: Instant?) {
        for limit in instants.keys { instants[limit] = .some(lastFix.map { Self.end(of: limit, from: $0) }) }
    }

    /// Takes those that are reached.
    mutating func due(by now: Instant) -> [Double] {
        guard let deadline, deadline <= now else { return [] }
        let due = instants.compactMap { limit, instant in instant.map { $0 <= now } == true ? limit : nil }
        for limit in due { instants[limit] = .some(nil) }
        return due
    }

    /// A nanosecond late rather than a rounding early.
    private static func end(of limit: Double, from fix: Instant) -> Instant {
        fix.advanced(by: limit).advanced(byNanoseconds: 1)
    }
}

extension Hub {
    /// Shows the clients whose own limit is reached that the position is stale.
    mutating func showStale(at moment: Moment) {
        for limit in staleLimits.due(by: moment.monotonic) {
            makeFrames(.precise, staleAfter: limit, because: .change, at: moment)
        }
    }
}
