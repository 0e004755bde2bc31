import PuckCore

/// How often something may happen: a few times at once, and then once a frame. What comes in between waits, and only the
/// newest of it is kept. (the generic cell rate algorithm, ITU-T I.371)
struct Pacing<Value: Sendable>: Sendable {
    /// The newest that waits.
    private var waiting: Value?
    /// How far ahead of the clock `next` may run, seconds.
    private let tolerance: Double
    /// Runs ahead of the clock by the length of a frame for each that happens.
    private var next: Instant

    /// As many as `burst` may happen at once after a rest.
    init(burst: Int, at instant: Instant) {
        tolerance = Double(burst - 1) * Hub.changeDelay
        next = instant
    }

    /// When what waits is to happen; nil if nothing waits.
    var deadline: Instant? { waiting == nil ? nil : next.advanced(by: -tolerance) }

    /// Whether all is as if nothing had ever happened.
    func isRested(at instant: Instant) -> Bool { waiting == nil && next <= instant }

    /// Whether `value` may happen now; else it waits, in place of an older one.
    mutating func admit(_ value: Value, at instant: Instant) -> Bool {
        guard waiting == nil, next.advanced(by: -tolerance) <= instant else {
            waiting = value
            return false
        }
        count(at: instant)
        return true
    }

    /// Takes what waits and is due.
    mutating func takeDue(by instant: Instant) -> Value? {
        guard let deadline, deadline <= instant else { return nil }
        return takeWaiting(at: instant)
    }

    /// Takes what waits, due or not.
    mutating func takeWaiting(at instant: Instant) -> Value? {
        guard let value = waiting else { return nil }
        waiting = nil
        count(at: instant)
        return value
    }

    private mutating func count(at instant: Instant) { next = max(next, instant).advanced(by: Hub.changeDelay) }
}
