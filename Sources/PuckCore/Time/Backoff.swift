/// How long to wait before the next attempt to reach a daemon (gpsd, or puckd): little at first, then twice as long each
/// time up to a ceiling, and by chance between half and the whole of it, so that its many clients don't come all at once.
public struct Backoff: Sendable {
    /// Before the first attempt anew, seconds: it may just be restarting.
    public static let first = 0.25
    /// The longest wait, seconds. Well within the 5 s in which a gpsd that returns is to be used again, of which it
    /// needs some to find its receivers.
    public static let ceiling = 2.0

    private var attempts = 0

    /// No attempt has failed yet.
    public init() {}

    /// Seconds to wait after one more failure; `random` is from 0 to 1.
    public mutating func next(random: Double) -> Double {
        var whole = Backoff.first
        for _ in 0..<attempts where whole < Backoff.ceiling { whole *= 2 }
        attempts = min(attempts + 1, Backoff.mostDoublings)
        let share = random >= 0 && random <= 1 ? random : 1
        return min(whole, Backoff.ceiling) * (0.5 + 0.5 * share)
    }

    /// The connection has held: the next failure is a first one.
    public mutating func reset() { attempts = 0 }

    /// More doublings than lead to the ceiling.
    private static let mostDoublings = 16
}
