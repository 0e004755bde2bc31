import PuckCore
import PuckWire

/// The streams that tick together: those of one rate and one tier. So the times of an approximate client's frames
/// never depend on what a precise client sees.
struct TickerKey: Hashable, Sendable {
    let rate: Double
    let tier: AccuracyMode

    /// The ticks of a stream; nil if it waits for fixes.
    init?(_ stream: StreamKey) {
        guard case .perSecond(let rate) = stream.rate else { return nil }
        self.rate = rate
        tier = stream.tier
    }
}

/// The ticks of all streams of one rate and tier.
struct Ticker: Sendable {
    let grid: TickGrid
    /// The next tick; nil while all its streams rest. Its UTC is not kept, because the host's clock may be set before
    /// the tick.
    private(set) var next: Instant?
    /// The newest completed tick.
    private var last: Instant?
    var streams: [StreamKey] = []

    init(rate: Double) { grid = TickGrid(rate: rate) }

    /// Continues with the next tick, which may be this instant: its frames show the latest change, unless they have
    /// been made already.
    mutating func wake(at moment: Moment) {
        guard next == nil else { return }
        let tick = grid.next(from: moment).monotonic
        next = last.map { $0 >= tick } == true ? grid.next(after: moment).monotonic : tick
    }

    /// Completes a tick. If no stream is awake, the next ticks wait until one is.
    mutating func made(at tick: Moment, isAwake: Bool) {
        last = tick.monotonic
        next = isAwake ? grid.next(after: tick).monotonic : nil
    }
}

/// The pucks of one instant, each made once for all streams that show it, and the views' events meanwhile.
struct Snapshot {
    let moment: Moment
    /// How long its frames will be shown, s.
    let frameInterval: Double
    var precise: [(bearing: BearingPreference, staleAfter: Double?, puck: Puck?)] = []
    /// The pucks for the views.
    var pucks: TierPucks?
    var events: [ViewEvent] = []

    init(moment: Moment, frameInterval: Double = PositionFilter.usualFrameInterval) {
        self.moment = moment
        self.frameInterval = frameInterval
    }
}

// Decides which frames are made, and when.
extension Hub {
    /// The reasons to make frames.
    enum Occasion {
        /// A new position: a frame for every stream that gets one with each fix, also if it looks the same.
        case fix
        /// A new heading: it can wait for the next tick.
        case heading
        /// Another visible change: at once for streams without ticks.
        case change
    }

    /// Makes the frames that are due at once, and wakes the streams that wait for their next tick.
    mutating func makeFrames(
        _ tier: AccuracyMode, of view: ViewKey? = nil, staleAfter limit: Double? = nil, because occasion: Occasion,
        at moment: Moment
    ) {
        guard !streams.isEmpty else { return }
        var snapshot = Snapshot(moment: moment, frameInterval: FrameRate.fix.frameInterval)
        // By index, here and at ticks: the body neither adds nor removes streams, and iterating the dictionary itself
        // would copy it at the first change.
        var s = streams.startIndex
        while s != streams.endIndex {
            defer { streams.formIndex(after: &s) }
            let key = streams[s].key
            guard key.tier == tier, view == nil || key.view == view, limit == nil || key.staleAfter == limit else {
                continue
            }
            if key.isMotion {
                makeMotionSoon(of: key, because: occasion, events: &snapshot.events, at: moment)
                continue
            }
            // An approximate position comes to everyone in one burst, whatever their rate.
            if key.rate.isPerFix || (tier == .approximate && occasion == .fix) {
                if occasion != .heading { makeFrame(of: key, at: s, always: occasion == .fix, in: &snapshot) }
            }
            // Also where one was just made: a camera may have begun to move with it.
            if !goesOnResting(key, at: moment) { wake(key, at: moment) }
        }
        announce(snapshot.events, at: moment)
    }

    /// Makes a stream continue at the next tick.
    mutating func wake(_ key: StreamKey, at moment: Moment) {
        guard let ticker = TickerKey(key) else { return }
        streams[key]?.isResting = false
        tickers[ticker]?.wake(at: moment)
    }

    /// Makes the frames of the ticks that are due.
    mutating func tick(at moment: Moment) {
        var t = tickers.startIndex
        while t != tickers.endIndex {
            defer { tickers.formIndex(after: &t) }
            let (key, ticker) = tickers[t]
            guard let due = ticker.next, due <= moment.monotonic else { continue }
            // A frame belongs to the tick's own instant, so that the frames have equal intervals, unless that is long
            // past. Its UTC follows the host's present clock.
            let isLate = moment.monotonic.seconds(since: due) * key.rate > 1
            let tick = isLate ? moment : moment.at(due)
            if budgets[key.tier == .precise ? 0 : 1].isSpent(rate: key.rate, at: moment.monotonic) {
                tickers.values[t].made(at: tick, isAwake: true)
                continue
            }
            frameCost = 0
            var snapshot = Snapshot(moment: tick, frameInterval: 1 / key.rate)
            var isAwake = false
            for stream in ticker.streams {
                guard let s = streams.index(forKey: stream), !streams.values[s].isResting else { continue }
                if stream.markers, isOverdrawn(streams.values[s], at: moment) {
                    isAwake = true
                    continue
                }
                if makeFrame(of: stream, at: s, always: false, in: &snapshot) { isAwake = true }
            }
            tickers.values[t].made(at: tick, isAwake: isAwake)
            // A few streams cannot cost too much, however many clients watch them.
            if ticker.streams.count >= Self.manyStreams || tickers.count >= Self.manyStreams {
                budgets[key.tier == .precise ? 0 : 1].charge(frameCost, at: moment.monotonic)
            }
            announce(snapshot.events, at: moment)
        }
    }

    /// The number of streams of one rate, and of rates, from which frames count against the budget of their tier.
    private static let manyStreams = 16

    /// Makes the frame of the stream at `s` if one is due. Returns whether the next tick may need another; otherwise
    /// the stream rests.
    @discardableResult
    private mutating func makeFrame(
        of key: StreamKey, at s: Dictionary<StreamKey, Stream>.Index, always: Bool, in snapshot: inout Snapshot
    ) -> Bool {
        var content = content(of: key, in: &snapshot)
        let (jumps, number) = (jumps(of: key.tier), sharedNumber(of: key))
        // All reads of `self` are done: the following code changes the stream in place.
        if streams.values[s].jumps != jumps { content.puck?.discontinuity = true }
        if streams.values[s].admit(content, jumps: jumps, at: snapshot.moment.monotonic, always: always) {
            let recipients = streams.values[s].countFrame(as: number)
            send(content, of: key, at: snapshot.moment, to: recipients)
            return true
        }
        guard !content.isAnimating, !streams.values[s].holdsBack(content, at: snapshot.moment.monotonic),
            isSettled(key, showing: streams.values[s].shown ?? content, at: snapshot.moment)
        else { return true }
        streams.values[s].isResting = true
        return false
    }

    /// The number of a stream's next frame if it is the same for all its clients; nil if each has its own.
    /// Approximate frames with the same content have the device's own count, so their bytes do not depend on when a
    /// client connected.
    @inline(__always)
    func sharedNumber(of key: StreamKey) -> UInt64? {
        switch (key.tier, key.view) {
        case (.approximate, .blank): positioning.approximate?.sequence
        case (.precise, _), (_, .own), (_, .named): nil
        }
    }

    /// The intended jumps that a tier may know. (This and the function above are inlined and use a switch: Swift 6.0
    /// would compare the raw strings, and copy the whole hub for a method that only reads it.)
    @inline(__always)
    func jumps(of tier: AccuracyMode) -> UInt64 {
        switch tier {
        case .precise: positioning.jumps
        case .approximate: 0
        }
    }

    // MARK: The content of a frame

    mutating func content(of key: StreamKey, in snapshot: inout Snapshot) -> FrameContent {
        var content = FrameContent(puck: puck(of: key, in: &snapshot))
        guard let wanted = key.wanted else { return content }
        let pucks = pucks(in: &snapshot)
        guard let scene = views.scene(of: key.view, at: snapshot.moment.monotonic, wanted, pucks: pucks) else {
            return content
        }
        snapshot.events += scene.events
        content.show(scene)
        return content
    }

    func puck(of key: StreamKey, in snapshot: inout Snapshot) -> Puck? {
        guard key.puck else { return nil }
        switch key.tier {
        case .precise: return precisePuck(key.bearing, key.staleAfter, in: &snapshot)
        case .approximate: return positioning.approximatePuck
        }
    }

    func pucks(in snapshot: inout Snapshot) -> TierPucks {
        if let pucks = snapshot.pucks { return pucks }
        let pucks = TierPucks(
            precise: precisePuck(.auto, nil, in: &snapshot), approximate: positioning.approximatePuck)
        snapshot.pucks = pucks
        return pucks
    }

    private func precisePuck(
        _ bearing: BearingPreference, _ staleAfter: Double?, in snapshot: inout Snapshot
    ) -> Puck? {
        for made in snapshot.precise where made.bearing == bearing && made.staleAfter == staleAfter { return made.puck }
        let puck = positioning.precisePuck(
            at: snapshot.moment, bearing: bearing, staleAfter: staleAfter, frameInterval: snapshot.frameInterval)
        snapshot.precise.append((bearing, staleAfter, puck))
        return puck
    }

    /// The action that sends a frame: an approximate one is of its epoch, whenever it is made. Where there is none yet, the
    /// encoder's floor holds.
    mutating func send(_ content: FrameContent, of key: StreamKey, at moment: Moment, to recipients: [Recipient]) {
        if case .motion = key.rate { return sendConstant(content, of: key, at: moment, to: recipients) }
        let epoch = key.tier == .approximate ? positioning.approximate?.epoch : nil
        tallies.framesMade += 1
        tallies.framesSent += UInt64(recipients.count)
        frameCost += Cost.frame + Cost.recipient * recipients.count
        let body = content.encoded(for: key, at: epoch ?? moment)
        if body.count >= Self.heavyFrame { chargeFrame(of: body.count, to: recipients, at: moment) }
        actions.append(.frame(body, width: content.width(ofBody: body.count, for: key), to: recipients))
    }
}

extension FrameContent {
    /// The frame, but for its number, as those see it who have such a stream.
    fileprivate func encoded(for key: StreamKey, at moment: Moment) -> FrameBody {
        let frame = Frame(
            sequence: 0, moment: moment, view: key.view.name, puck: puck, camera: camera, markers: markers)
        var body = FrameBody()
        body.reserveCapacity(Self.usualFrame)
        FrameEncoder.appendBody(frame, for: key.tier, to: &body)
        return body
    }

    /// The width of its lines. What approximate clients are sent hangs on nothing that they do not know.
    fileprivate func width(ofBody bytes: Int, for key: StreamKey) -> Int {
        guard key.tier == .precise else { return 0 }
        return FrameWidth.width(
            ofBody: bytes, view: key.view.name, puck: key.puck, camera: key.camera, markers: markers)
    }

    /// Bytes that are enough for most frames.
    private static let usualFrame = 768

    /// Whether it is empty: then no frame is made.
    var isEmpty: Bool { puck == nil && camera == nil && (markers ?? []).isEmpty }
}

extension FrameRate {
    /// Whether frames, or motions, come with fixes and not with ticks.
    var isPerFix: Bool { if case .perSecond = self { false } else { true } }

    /// Seconds that a frame is shown; without end where nothing says when the next fix comes.
    var frameInterval: Double {
        switch self {
        case .fix: .infinity
        case .perSecond(let rate): 1 / rate
        case .motion: 1 / WireLimits.rate
        }
    }
}
