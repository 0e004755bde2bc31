import PuckCore

/// The instants at which a stream of a given rate makes its frames: whole multiples of 1/rate of UTC, so that streams of
/// one rate fall together, and a recording played again falls on the same ones.
struct TickGrid: Hashable, Sendable {
    /// Frames a second, 1 to 120.
    let rate: Double

    /// The first tick at `moment` or after it.
    func next(from moment: Moment) -> Moment {
        next(after: moment.at(moment.monotonic.advanced(by: -1e-9)))
    }

    /// The first tick after `moment`.
    func next(after moment: Moment) -> Moment {
        // Whole seconds apart, so that the products stay well inside a double's 53 bits.
        let second = moment.utc.nanoseconds.quotient(1_000_000_000)
        let origin = second - second.remainder(Int64(window))
        let within = Double(moment.utc.nanoseconds - origin * 1_000_000_000) / 1e9
        var k = (within * rate).rounded(.down)
        var tick = origin * 1_000_000_000
        repeat {
            k += 1
            tick = origin * 1_000_000_000 + Int64((k / rate * 1e9).rounded())
        } while tick <= moment.utc.nanoseconds
        return moment.at(Instant(nanoseconds: moment.monotonic.nanoseconds + (tick - moment.utc.nanoseconds)))
    }

    /// Seconds after which multiples of 1/rate start again at a whole second: any multiple will do for the rates that
    /// matter (whole ones); a rate such as 2.5 falls on its true multiples within 1,000 s.
    private var window: Int { 1_000 }
}

extension Int64 {
    fileprivate func quotient(_ divisor: Int64) -> Int64 {
        self >= 0 ? self / divisor : -((-self + divisor - 1) / divisor)
    }
    fileprivate func remainder(_ divisor: Int64) -> Int64 { self - quotient(divisor) * divisor }
}
