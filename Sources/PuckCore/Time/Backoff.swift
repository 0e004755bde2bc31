/// The wait before the next attempt to reach a daemon (gpsd, or puckd): short at first, then twice as long each time
/// up to a maximum, and random between half and all of it, so that many clients do not connect at once.
public struct Backoff: Sendable {
    /// The first wait, seconds: the daemon may just be restarting.
    public static let first = 0.25
    /// The longest wait, seconds. A gpsd that returns must be in use within 5 s, and needs some of these to find its
    /// receivers.
    public static let ceiling = 2.0

    private var attempts = 0

    /// The state before any failure.
    public init() {}

    /// Seconds to wait after one more failure; `random` is from 0 to 1.
    public mutating func next(random: Double) -> Double {
        var whole = Backoff.first
        for _ in 0..<attempts where whole < Backoff.ceiling { whole *= 2 }
        attempts = min(attempts + 1, Backoff.mostDoublings)
        let share = random >= 0 && random <= 1 ? random : 1
        return min(whole, Backoff.ceiling) * (0.5 + 0.5 * share)
    }

    /// The connection has lasted: the next failure is a first one.
    public mutating func reset() { attempts = 0 }

    /// More doublings than are needed to reach the maximum.
    private static let mostDoublings = 16
}
