extension MotionPlan {
    /// A value that is farther from the one before it than so many tolerances jumps; one that is nearer is led.
    static let leading = 30.0
    /// Seconds in which it is led.
    static let lead = 0.3

    /// How much of the way that a value is led is left at a time, in seconds: from 1 to 0, at rest at both ends.
    static func leadLeft(at time: Double) -> Double {
        let rest = max(0, 1 - time / lead)
        return rest * rest * (3 - 2 * rest)
    }

    /// The plan for a client that draws by `sent`: it begins with the values and slopes that `sent` has then, and soon is
    /// the same. A value that is too far off jumps, and says so.
    public func joined(to sent: MotionPlan, zoom: Double?) -> MotionPlan {
        guard frame.puck?.discontinuity != true else { return self }
        var plan = self
        for i in tracks.indices where !tracks[i].jumps {
            guard let old = sent.knot(of: tracks[i].channel, at: moment.monotonic) else { continue }
            plan.tracks[i].lead(from: old, zoom: zoom)
        }
        return plan
    }

    /// How a channel moves at an instant, as a plan's first knot; nil if the plan does not have the channel.
    func knot(of channel: MotionChannel, at instant: Instant) -> Knot? {
        guard let spline = spline(of: channel) else { return nil }
        let time = time(of: instant)
        return Knot(time: 0, value: spline.value(at: time), slope: spline.slope(at: time))
    }
}

extension MotionPlan.Track {
    /// Begins as `old` does, by the way round that is nearer, or jumps.
    mutating func lead(from old: Knot, zoom: Double?) {
        var start = old
        let own = spline.value(at: 0)
        if channel.isAngular { start.value[0] = own[0] + shortestTurn(from: own[0], to: old.value[0]) }
        if start.value == own, start.slope == spline.slope(at: 0) { return }
        let scale = MotionTolerance.scale(of: channel, at: own, zoom: zoom)
        guard channel.isStepped || (start.value - own).length(by: scale) <= MotionPlan.leading else {
            jumps = true
            return
        }
        let lead = MotionPlan.lead
        let end = Knot(time: lead, value: spline.value(at: lead), slope: spline.slope(at: lead))
        spline = HermiteSpline([start, end] + spline.knots.filter { $0.time > lead }) ?? spline
    }
}
