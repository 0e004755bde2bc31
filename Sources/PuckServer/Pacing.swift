import PuckCore

/// Limits how often something happens: a few times at once, and then once a frame. A value that comes in between waits,
/// and replaces an older one that waits. (the generic cell rate algorithm, ITU-T I.371)
struct Pacing<Value: Sendable>: Sendable {
    /// The newest value that waits.
    private var waiting: Value?
    /// How far ahead of the clock `next` may run, seconds.
    private let tolerance: Double
    /// Moves ahead of the clock by the length of a frame for each value that is admitted.
    private var next: Instant

    /// A limiter that admits `burst` values at once after a rest.
    init(burst: Int, at instant: Instant) {
        tolerance = Double(burst - 1) * Hub.changeDelay
        next = instant
    }

    /// When the waiting value is due; nil if none waits.
    var deadline: Instant? { waiting == nil ? nil : next.advanced(by: -tolerance) }

    /// Whether the limiter is back in its initial state.
    func isRested(at instant: Instant) -> Bool { waiting == nil && next <= instant }

    /// Whether `value` is admitted now. Otherwise it waits, and replaces an older one.
    mutating func admit(_ value: Value, at instant: Instant) -> Bool {
        guard waiting == nil, next.advanced(by: -tolerance) <= instant else {
            waiting = value
            return false
        }
        count(at: instant)
        return true
    }

    /// Removes and returns the waiting value if it is due.
    mutating func takeDue(by instant: Instant) -> Value? {
        guard let deadline, deadline <= instant else { return nil }
        return takeWaiting(at: instant)
    }

    /// Removes and returns the waiting value, due or not.
    mutating func takeWaiting(at instant: Instant) -> Value? {
        guard let value = waiting else { return nil }
        waiting = nil
        count(at: instant)
        return value
    }

    private mutating func count(at instant: Instant) { next = max(next, instant).advanced(by: Hub.changeDelay) }
}
