/// Makes motions of what the pipeline and a view will show if nothing happens: a pure function of time.
///
/// The function is asked for its values; its slopes are differences of values 40 µs apart, good to a tenth of a millimetre a
/// second, which takes no second implementation of every filter, curve and flight.
public struct MotionPlanner {
    /// What is shown at a moment. The view's state is the one of an earlier moment, and is brought up to this one.
    public typealias Show = (inout ViewState?, Moment) -> Frame

    /// Seconds between the times at which the function is looked at, but for the share of a window beyond 20 seconds. Nothing
    /// turns by half a turn in this time.
    private static let step = (seconds: 1.0 / 32, share: 1.0 / 640)
    /// What moves by less than this share of its tolerance a second stands still.
    private static let still = 0.02
    /// Half of the distance over which a slope is measured, seconds.
    private static let reach = 2e-5

    private let moment: Moment
    private let step: Double
    private let zoom: Double?
    private let show: Show
    /// What is shown at each step, and how the view then is.
    private let looks: [Look]
    /// The last of them that shows the same things as the first.
    private let last: Int

    /// Looks in between: channels are cut at the same times, more often than not.
    private let cache = Cache()

    private final class Cache {
        var frames: [Double: Frame] = [:]
    }

    private struct Look {
        let frame: Frame
        let view: ViewState?
    }

    /// A planner of the `window` seconds from `moment` on. `view`: as it is at `moment`. `zoom`: the screen's; nil if it is not
    /// known.
    public init(from moment: Moment, window: Double, view: ViewState?, zoom: Double?, show: @escaping Show) {
        self.moment = moment
        self.show = show
        let step = max(Self.step.seconds, Self.step.share * window)
        self.step = step
        var state = view
        var looks: [Look] = []
        for k in 0...max(1, Int((window / step).rounded(.up))) {
            let frame = show(&state, moment.advanced(by: Double(k) * step))
            looks.append(Look(frame: frame, view: state))
        }
        let things = Things(looks[0].frame)
        last = (looks.firstIndex { Things($0.frame) != things } ?? looks.count) - 1
        self.looks = looks
        let closest = looks.lazy.compactMap { $0.frame.camera?.zoom }.max()
        self.zoom = closest ?? zoom
    }

    /// The screen's zoom by which places are reckoned.
    public var screenZoom: Double? { zoom }
    /// What is shown at the beginning.
    public var first: Frame { looks[0].frame }
    /// Seconds up to which the plan holds.
    public var window: Double { max(Double(last), 0.5) * step }

    /// The plan, joined to the one that clients draw by so far; nil: to none.
    public func plan(joining sent: MotionPlan?) -> MotionPlan {
        let isJump = first.puck?.discontinuity == true
        var tracks: [MotionPlan.Track] = []
        var end = window
        for (channel, place) in places {
            let track = track(channel, place, joining: isJump ? nil : sent)
            if !track.spline.isConstant, let last = track.spline.knots.last { end = min(end, last.time) }
            tracks.append(track)
        }
        return MotionPlan(moment: moment, until: end, frame: first, tracks: tracks, changes: changes(before: end))
    }

    /// How many values a plan was or will be made of, about.
    public var size: Int { looks.count * (8 + (first.markers?.count ?? 0)) }

    /// Whether a plan still shows what there is to see in so many seconds; nil: in all of the window.
    public func agrees(with plan: MotionPlan, for seconds: Double? = nil) -> Bool {
        guard Things(first) == Things(plan.frame) else { return false }
        let start = plan.time(of: moment.monotonic)
        let last = seconds.map { min(self.last, Int(min(max(0, $0), window) / step)) } ?? self.last
        for (k, look) in looks[...last].enumerated() where k % 4 == 0 || k == last {
            guard MotionFacts(look.frame) == plan.facts(at: start + Double(k) * step) else { return false }
        }
        return places.allSatisfy { channel, place in
            guard let track = plan.tracks.first(where: { $0.channel == channel }) else { return false }
            let curve = curve(channel, place)
            return (0...last).allSatisfy { k in
                guard k % 4 == 0 || k == last else { return true }
                let time = start + Double(k) * step
                var value = track.spline.value(at: time) - MotionPlan.leadLeft(at: time) * track.lead
                if channel.isAngular {
                    value[0] = curve.values[k][0] + shortestTurn(from: curve.values[k][0], to: value[0])
                }
                return (value - curve.values[k]).length(by: curve.scale) <= 1
            }
        }
    }

    /// The channels, and for markers where they are in a frame's list.
    private var places: [(MotionChannel, Int)] {
        let channels = MotionChannel.all(in: first)
        let markers = channels.count - (first.markers?.count ?? 0)
        return channels.enumerated().map { ($1, max(0, $0 - markers)) }
    }

    // MARK: Facts

    private func changes(before end: Double) -> [MotionPlan.Change] {
        guard var facts = MotionFacts(first) else { return [] }
        var changes: [MotionPlan.Change] = []
        for k in 1..<max(2, last + 1) where k < looks.count {
            guard let new = MotionFacts(looks[k].frame), new != facts else { continue }
            let after = instant(of: new, after: k - 1)
            if after < end { changes.append(.init(after: after, facts: new)) }
            facts = new
        }
        return changes
    }

    /// When, within a step, the facts become these: to a microsecond, late rather than early.
    private func instant(of facts: MotionFacts, after k: Int) -> Double {
        var (low, high) = (Double(k) * step, Double(k + 1) * step)
        while high - low > 1e-6 {
            let middle = (low + high) / 2
            if MotionFacts(look(at: middle)) == facts { high = middle } else { low = middle }
        }
        return high
    }

    private func look(at time: Double) -> Frame {
        if let frame = cache.frames[time] { return frame }
        let k = min(last, max(0, Int(time / step)))
        var view = looks[k].view
        let frame = show(&view, moment.advanced(by: time))
        cache.frames[time] = frame
        return frame
    }

    // MARK: Values

    private struct Curve {
        var values: [SIMD4<Double>]
        var scale: SIMD4<Double>
    }

    /// The values at the steps, with angles that go on beyond a turn.
    private func curve(_ channel: MotionChannel, _ place: Int) -> Curve {
        var values: [SIMD4<Double>] = []
        for look in looks[...last] {
            var value = channel.value(in: look.frame, place: place) ?? values.last ?? .zero
            if channel.isAngular, let before = values.last { value.unwrap(after: before) }
            values.append(value)
        }
        return Curve(values: values, scale: MotionTolerance.scale(of: channel, at: values[0], zoom: zoom))
    }

    private func track(_ channel: MotionChannel, _ place: Int, joining sent: MotionPlan?) -> MotionPlan.Track {
        let curve = curve(channel, place)
        var old = sent?.knot(of: channel, at: moment.monotonic)
        if channel.isAngular { old?.value.unwrap(after: curve.values[0]) }
        let present = MotionTolerance.scale(of: channel, at: curve.values[0], zoom: presentZoom)
        let lag: SIMD4<Double> = old.map { $0.value - curve.values[0] } ?? .zero
        let off = lag.length(by: present)
        let jumps = off > MotionPlan.leading && !channel.isStepped
        if jumps { old = nil }
        if off <= 1, old.map({ isSlow($0.slope, curve) }) ?? true, isStill(curve, at: old?.value ?? curve.values[0]) {
            let value = old?.value ?? curve.values[0]
            return .init(channel: channel, spline: HermiteSpline(constant: value), jumps: jumps)
        }
        let lead: SIMD4<Double> = off > 1 && !jumps ? lag : .zero
        let value = { (time: Double) -> SIMD4<Double> in
            let k = min(last, max(0, Int(time / step + 1e-9)))
            let left = MotionPlan.leadLeft(at: time) * lead
            if abs(time - Double(k) * step) < 1e-9 { return curve.values[k] + left }
            var value = channel.value(in: look(at: time), place: place) ?? curve.values[k]
            if channel.isAngular { value.unwrap(after: curve.values[k]) }
            return value + left
        }
        let cutter = SplineCutter(
            function: { slope(at: $0, of: value) }, value: value, scale: curve.scale, step: step)
        let knots = cutter.cut(from: old ?? slope(at: 0, of: value), to: window)
        let spline = HermiteSpline(knots) ?? HermiteSpline(constant: curve.values[0])
        var track = MotionPlan.Track(channel: channel, spline: spline, jumps: jumps)
        track.lead = lead
        return track
    }

    /// The zoom at the beginning.
    private var presentZoom: Double? { first.camera?.zoom ?? zoom }

    private func isSlow(_ slope: SIMD4<Double>, _ curve: Curve) -> Bool {
        slope.length(by: curve.scale) <= Self.still
    }

    /// Whether a curve keeps to one value.
    private func isStill(_ curve: Curve, at value: SIMD4<Double>) -> Bool {
        curve.values.allSatisfy { ($0 - value).length(by: curve.scale) <= 1 }
    }

    private func slope(at time: Double, of value: (Double) -> SIMD4<Double>) -> Knot {
        // What was shown before the beginning is another function.
        let (before, after) = (max(0, time - Self.reach), time + Self.reach)
        let slope = (value(after) - value(before)) / (after - before)
        return Knot(time: time, value: value(time), slope: slope)
    }
}

/// Which things a frame shows, whatever their values.
private struct Things: Hashable {
    let channels: [MotionChannel]
    let markers: Bool

    init(_ frame: Frame) {
        channels = MotionChannel.all(in: frame)
        markers = frame.markers != nil
    }
}

extension SIMD4<Double> {
    /// Takes an angle in the first lane the short way on from an earlier one.
    fileprivate mutating func unwrap(after earlier: SIMD4<Double>) {
        self[0] = earlier[0] + shortestTurn(from: earlier[0], to: self[0])
    }
}
