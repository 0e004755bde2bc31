import PuckCore
import PuckWire

/// What the clients of a stream draw by.
struct StreamMotion: Sendable {
    var plan: MotionPlan
    /// Whether nothing moves until something happens.
    var isResting: Bool
    /// When to look whether it still holds; nil while it rests.
    var due: Instant?
    /// A few motions at once, and then one a frame.
    var pacing: Pacing<Bool>

    init(_ plan: MotionPlan, at instant: Instant) {
        self.plan = plan
        isResting = false
        pacing = Pacing(burst: Self.burst, at: instant)
    }

    private static let burst = 8
    /// Seconds before its end at which a plan is renewed, so that the next one comes in time; and as a share of its length.
    private static let lead = (seconds: 0.1, share: 0.25)

    /// When a plan is to be renewed; nil: never.
    static func renewal(of plan: MotionPlan) -> Instant? {
        plan.until.map { plan.moment.monotonic.advanced(by: $0 - min(lead.seconds, lead.share * $0)) }
    }

    /// Seconds for which the plan is still good; nil if it is to be renewed now, or rests.
    func left(at instant: Instant) -> Double? {
        guard !isResting, let renewal = Self.renewal(of: plan), renewal > instant, let until = plan.until else {
            return nil
        }
        return until - plan.time(of: instant)
    }
}

// Motions: what is shown as functions of time, so that one message a fix is enough to draw at any rate.
extension Hub {
    /// Seconds that a motion reaches beyond the receiver's usual silence: times it, and on top; at the most; and while no fix comes.
    private static let reach = (times: 1.5, more: 0.5, most: 60.0, predicted: 10.0)
    /// What is shown is looked at so far ahead at the least, seconds.
    private static let leastWindow = 0.03
    /// Streams from which on motions are counted against what all frames may cost.
    private static let manyMotions = 16
    /// The points that a value of a motion costs, about a microsecond each; and the values from which on the one who
    /// watches them is charged. (measured: 0.7 ms for the 512 values of a car)
    private static let motionCost = (pointsPerValue: 1.5, charged: 4_096)
    /// The most motions that are made in one turn of the loop if they are many: some milliseconds of work. The others follow
    /// in the next turns, between which everyone else is served.
    private static let mostInTurn = (few: 8, ofMany: 2)
    /// Seconds by which a motion is put off that may not be made now.
    private static let delay = 0.1

    /// Makes the motion of a stream, if what its clients draw by does not hold any more.
    mutating func makeMotion(
        of key: StreamKey, because occasion: Occasion, events: inout [ViewEvent], at moment: Moment
    ) {
        var snapshot = Snapshot(moment: moment, frameInterval: key.rate.frameInterval)
        let content = content(of: key, in: &snapshot)
        events += snapshot.events
        let hasJumped = streams[key]?.jumps != jumps(of: key.tier)
        if !hasJumped, goesOnResting(key, content, at: moment) { return }
        if content.isEmpty, motions[key] == nil { return }
        guard mayMakeMotion(of: key, at: moment) else { return }
        let planner = planner(of: key, content, at: moment)
        chargeMotion(of: key, planner, at: moment)
        if let motion = motions[key], !hasJumped, occasion != .fix || motion.isResting,
            planner.agrees(with: motion.plan, for: motion.left(at: moment.monotonic))
        {
            return keep(key, content, for: planner.window, at: moment)
        }
        var plan = planner.plan(joining: hasJumped ? nil : motions[key]?.plan)
        if hasJumped { plan.frame.puck?.discontinuity = true }
        take(&plan, for: key, content, at: moment)
        send(plan, of: key, zoom: planner.screenZoom, to: streams[key]?.countFrame(as: nil) ?? [])
    }

    /// Looks whether the motions still hold that are to be looked at by now. Those that have waited longest come first; what
    /// is too much for one turn stays due.
    mutating func renewMotions(at moment: Moment) {
        var events: [ViewEvent] = []
        let due = motions.compactMap { key, motion in
            motion.due.flatMap { $0 <= moment.monotonic ? (key: key, due: $0) : nil }
        }
        let (few, ofMany) = Self.mostInTurn
        let first = due.count <= few ? due : Array(due.sorted { $0.due < $1.due }.prefix(ofMany))
        for (key, _) in first {
            motions[key]?.due = nil
            makeMotion(of: key, because: .change, events: &events, at: moment)
        }
        announce(events, at: moment)
    }

    /// Makes the motion of a stream at once; or, if there are too many for one turn, has it looked at in the next ones.
    mutating func makeMotionSoon(
        of key: StreamKey, because occasion: Occasion, events: inout [ViewEvent], at moment: Moment
    ) {
        guard motions.count > Self.mostInTurn.few, let motion = motions[key] else {
            return makeMotion(of: key, because: occasion, events: &events, at: moment)
        }
        // What waits already keeps its place.
        motions[key]?.due = motion.due.map { min($0, moment.monotonic) } ?? moment.monotonic
    }

    /// Has all motions looked at, since something happened of which no frame is made by itself.
    mutating func reviewMotions(at moment: Moment) {
        for key in Array(motions.keys) { motions[key]?.due = moment.monotonic }
    }

    /// A view was changed by a command: its motions begin anew at once, and not with the next frame, since until then they
    /// would go elsewhere.
    mutating func noteMotionChange(of view: ViewKey, at moment: Moment) {
        for key in Array(motions.keys) where key.view == view { motions[key]?.due = moment.monotonic }
    }

    /// Sends a client that comes to a stream what the others draw by, or where it is the first, a motion of its own.
    mutating func sendFirstMotion(
        of key: StreamKey, _ content: FrameContent, discontinuity: Bool, to recipient: inout Recipient,
        at moment: Moment
    ) {
        let planner = planner(of: key, content, at: moment)
        charge(points(of: planner), to: recipient.client, at: moment)
        if motions[key] == nil {
            var plan = planner.plan(joining: nil)
            take(&plan, for: key, content, at: moment)
        }
        guard var plan = motions[key]?.plan else { return }
        if plan.frame.camera == nil, let camera = content.camera { plan.hold(camera) }
        if discontinuity { plan.frame.puck?.discontinuity = true }
        recipient.countFrame(as: nil)
        clients[recipient.client]?.frames = recipient.sequence
        send(plan, of: key, zoom: planner.screenZoom, to: [recipient])
    }

    /// Sends a motion.
    mutating func send(_ plan: MotionPlan, of key: StreamKey, zoom: Double?, to recipients: [Recipient]) {
        tallies.framesMade += 1
        tallies.framesSent += UInt64(recipients.count)
        let line = MotionLine(plan, for: key.tier, zoom: zoom)
        if line.size >= Self.heavyFrame { chargeFrame(of: line.size, to: recipients, at: plan.moment) }
        actions.append(.motion(line, to: recipients))
    }

    /// Sends an approximate client's motion, which is a constant.
    mutating func sendConstant(
        _ content: FrameContent, of key: StreamKey, at moment: Moment, to recipients: [Recipient]
    ) {
        let epoch = positioning.approximate?.epoch ?? moment
        let frame = Frame(
            sequence: 0, moment: epoch, view: key.view.name, puck: content.puck, camera: content.camera,
            markers: content.markers)
        send(MotionPlan(constant: frame), of: key, zoom: nil, to: recipients)
    }

    // MARK: What holds

    private func goesOnResting(_ key: StreamKey, _ content: FrameContent, at moment: Moment) -> Bool {
        guard motions[key]?.isResting == true, let shown = streams[key]?.shown else { return false }
        return !content.isAnimating && content.looksLike(shown) && isSettled(key, showing: shown, at: moment)
    }

    /// Goes on with a motion that holds for so many seconds.
    private mutating func keep(_ key: StreamKey, _ content: FrameContent, for seconds: Double, at moment: Moment) {
        guard let motion = motions[key], !motion.isResting else { return }
        let end = motion.plan.moment.monotonic.advanced(by: motion.plan.until ?? 0)
        if motion.left(at: moment.monotonic) != nil {
            let due = due(of: motion.plan, at: moment)
            motions[key]?.due = due
        } else if end > moment.monotonic {
            motions[key]?.due = end
        } else if !content.isAnimating, isSettled(key, showing: content, at: moment) {
            motions[key]?.isResting = true
            motions[key]?.due = nil
            streams[key]?.show(content, at: moment.monotonic)
        } else {
            motions[key]?.due = moment.monotonic.advanced(by: min(Self.reach.more, seconds))
        }
    }

    private mutating func take(_ plan: inout MotionPlan, for key: StreamKey, _ content: FrameContent, at moment: Moment)
    {
        var motion = motions[key] ?? StreamMotion(plan, at: moment.monotonic)
        motion.isResting =
            plan.isConstant && !content.isAnimating && isSettled(key, showing: content, at: moment)
        if motion.isResting { plan.until = nil }
        motion.plan = plan
        motion.due = due(of: plan, at: moment)
        motions[key] = motion
        let jumps = jumps(of: key.tier)
        streams[key]?.show(content, at: moment.monotonic)
        streams[key]?.jumps = jumps
    }

    private func due(of plan: MotionPlan, at moment: Moment) -> Instant? {
        StreamMotion.renewal(of: plan).map { max(moment.monotonic, $0) }
    }

    /// Charges what it takes to look ahead: all if they are many, and who watches many markers.
    private mutating func chargeMotion(of key: StreamKey, _ planner: MotionPlanner, at moment: Moment) {
        let points = points(of: planner)
        if streams.count >= Self.manyMotions { budgets[0].charge(points, at: moment.monotonic) }
        guard planner.size >= Self.motionCost.charged, let first = streams[key]?.members.first else { return }
        charge(points, to: first.client, at: moment)
    }

    private func points(of planner: MotionPlanner) -> Int {
        Int(Double(planner.size) * Self.motionCost.pointsPerValue)
    }

    /// Whether a motion may be made now; else it is made soon.
    private mutating func mayMakeMotion(of key: StreamKey, at moment: Moment) -> Bool {
        if let stream = streams[key], stream.key.markers, isOverdrawn(stream, at: moment) {
            motions[key]?.due = moment.monotonic.advanced(by: Self.delay)
            return false
        }
        if streams.count >= Self.manyMotions, budgets[0].isSpent(rate: WireLimits.rate, at: moment.monotonic) {
            motions[key]?.due = moment.monotonic.advanced(by: Self.delay)
            return motions[key] == nil
        }
        if motions[key]?.pacing.takeDue(by: moment.monotonic) != nil { return true }
        guard motions[key]?.pacing.admit(true, at: moment.monotonic) == false else { return true }
        let next = motions[key]?.pacing.deadline
        motions[key]?.due = next
        return false
    }

    // MARK: Looking ahead

    private func planner(of key: StreamKey, _ content: FrameContent, at moment: Moment) -> MotionPlanner {
        let view = key.wanted == nil ? nil : views[key.view]
        return MotionPlanner(
            from: moment, window: window(of: view, content, at: moment.monotonic), view: view,
            zoom: view?.screenZoom(tier: key.tier), show: show(key))
    }

    /// How far a motion reaches, seconds: until the next fix should have come, or all that moves in the view has arrived.
    private func window(of view: ViewState?, _ content: FrameContent, at now: Instant) -> Double {
        let silence = positioning.usualSilence ?? Freshness.assumedCycle
        var window = Self.reach.times * silence + Self.reach.more
        if content.puck?.state == .predicted { window = Self.reach.predicted }
        if let end = view?.animationEnd(tier: .precise) { window = max(window, end.seconds(since: now)) }
        if let end = positioning.headingDeadline?.seconds(since: now), end > Self.leastWindow {
            window = min(window, end)
        }
        return min(window, Self.reach.most)
    }

    /// What a stream shows, as a function of time.
    private func show(_ key: StreamKey) -> MotionPlanner.Show {
        let (positioning, interval) = (positioning, key.rate.frameInterval)
        let approximate = positioning.approximatePuck
        return { view, moment in
            let usual = positioning.precisePuck(at: moment, frameInterval: interval)
            var frame = Frame(sequence: 0, moment: moment, view: key.view.name)
            if key.puck {
                frame.puck =
                    key.bearing == .auto && key.staleAfter == nil
                    ? usual
                    : positioning.precisePuck(
                        at: moment, bearing: key.bearing, staleAfter: key.staleAfter, frameInterval: interval)
            }
            guard let wanted = key.wanted else { return frame }
            let pucks = TierPucks(precise: usual, approximate: approximate)
            let scene = view?.scene(at: moment.monotonic, wanted, pucks: pucks)
            (frame.camera, frame.markers) = (scene?.camera, scene?.markers)
            return frame
        }
    }
}
