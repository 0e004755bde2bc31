import PuckCore

/// The instants at which a stream of a given rate makes its frames: whole multiples of 1/rate in UTC. So all streams of one
/// rate tick together, and a replayed recording has the same ticks.
struct TickGrid: Hashable, Sendable {
    /// Frames a second, 1 to 120.
    let rate: Double

    /// The first tick at or after `moment`.
    func next(from moment: Moment) -> Moment {
        next(after: moment.at(moment.monotonic.advanced(by: -1e-9)))
    }

    /// The first tick after `moment`.
    func next(after moment: Moment) -> Moment {
        // From a whole second not long before, so that the products stay well inside a double's 53 bits.
        let rest = moment.utc.nanoseconds % Self.window
        let within = rest < 0 ? rest + Self.window : rest
        var k = (Double(within) / 1e9 * rate).rounded(.down)
        var tick = within
        repeat {
            k += 1
            tick = Int64(nearestNanosecondsOf: k / rate)
        } while tick <= within
        return moment.advanced(byNanoseconds: tick - within)
    }

    /// Nanoseconds after which the multiples of 1/rate start again at a whole second. For whole rates, any number of seconds
    /// works; a rate such as 2.5 has its exact multiples within 1,000 s.
    private static let window: Int64 = 1_000 * 1_000_000_000
}
