import PuckCore

/// The ages from which clients want a position called stale, each with the instant at which the position reaches it. A puck
/// at rest has no other frame that would show this.
struct StaleLimits: Sendable {
    /// The instant for each limit in seconds; nil if the present position is already that old.
    private var instants: [Double: Instant?] = [:]

    var isEmpty: Bool { instants.isEmpty }

    /// When the position reaches the next of these ages.
    var deadline: Instant? { isEmpty ? nil : instants.values.lazy.compactMap { $0 }.min() }

    mutating func add(_ limit: Double, lastFix: Instant?, at now: Instant) {
        let instant = lastFix.map { Self.end(of: limit, from: $0) }
        instants[limit] = .some(instant.flatMap { $0 > now ? $0 : nil })
    }

    mutating func remove(_ limit: Double) { instants[limit] = nil }

    /// Computes all instants from a newer fix. Without a fix, no instant is set.
    mutating func restart(from lastFix: Instant?) {
        for limit in instants.keys { instants[limit] = .some(lastFix.map { Self.end(of: limit, from: $0) }) }
    }

    /// Removes and returns the limits that are reached.
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
    /// Sends a frame with the stale position to the clients whose own limit is reached.
    mutating func showStale(at moment: Moment) {
        for limit in staleLimits.due(by: moment.monotonic) {
            makeFrames(.precise, staleAfter: limit, because: .change, at: moment)
        }
    }
}
