import PuckCore
import PuckGPSD
import PuckServer
import PuckWire

/// Plays a recording through the daemon's own stages in simulated time. It takes gpsd's lines, and outputs the frames
/// that one client would receive. The same input always gives the same bytes.
///
/// Input at an instant is processed before timers at the same instant. If a line has no arrival time, the time in its
/// message is used.
public struct Replay {
    /// A function that receives a line of output and the time of its delivery.
    public typealias Output = (_ delivered: UTC, _ line: UnsafeRawBufferPointer) -> Void

    /// The settings of the simulated client and the receiver.
    public struct Options: Hashable, Sendable {
        /// The rate of frames: one with each fix (the default), or a number per second.
        public var rate = FrameRate.fix
        /// The accuracy that the policy gives to the client; default precise.
        public var accuracy = AccuracyMode.precise
        /// The tracking mode of the client's view; nil, the default, means that it has no camera.
        public var tracking: TrackingMode?
        /// The vehicle that carries the receiver; default `auto`.
        public var profile = Profile.auto
        /// The radius of the approximate location; nil, the default, means the standard radius of 5,000 m.
        public var approximateRadius: ApproximateRadius?

        /// Creates options for a client with precise accuracy that receives a frame with each fix.
        public init() {}
    }

    private let options: Options
    private var simulation: Simulation?
    private let keptState: CoarsenerState?
    private var hasPositionReport = false

    /// Creates a replay without input so far. `coarsenerState` is the saved state of an earlier replay.
    public init(_ options: Options, coarsenerState: CoarsenerState?) {
        self.options = options
        keptState = coarsenerState
    }

    /// The state of the coarsener to save for the next replay.
    public var coarsenerState: CoarsenerState? { simulation?.coarsenerState ?? keptState }

    /// Processes the next line of the recording.
    public mutating func receive(_ bytes: ArraySlice<UInt8>, output: Output) {
        let recorded = RecordedLine(bytes)
        if simulation == nil { begin(with: recorded, seed: Self.hash(bytes)) }
        if simulation?.receive(recorded, output: output) == true { hasPositionReport = true }
    }

    /// The reason why the recording could not be replayed: what it lacks; nil if nothing is missing.
    public var missing: String? {
        if !hasPositionReport { return "it has no position report" }
        return simulation == nil ? "no line has a time" : nil
    }

    /// Ends the recording, and outputs the frames that are still due for the last epoch.
    public mutating func end(output: Output) {
        simulation?.end(output: output)
    }

    // MARK: The beginning

    /// Starts the clock with the first line that has a time.
    private mutating func begin(with line: RecordedLine, seed: UInt64) {
        var decoder = ReportDecoder()
        let message = decoder.decode(line.json)
        if case .report(.position) = message { hasPositionReport = true }
        guard let first = line.arrival ?? message.time else { return }
        let start = Moment(monotonic: Instant(nanoseconds: first.nanoseconds), utc: first)
        simulation = Simulation(options, keptState, seed: seed, at: start)
    }

    /// Returns a seed derived from the line that starts the clock, so that random delays are the same in each replay of
    /// a recording. The hash is FNV-1a. See RFC 9923.
    private static func hash(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }
}

/// The daemon's stages, with a clock that follows the recording.
private struct Simulation {
    private static let client = ClientID(1)

    private var feed: GPSDFeed
    private var hub: Hub
    private var now: Moment
    private var lastReceiverTime: UTC?
    private var line = FrameLine()
    private(set) var coarsenerState: CoarsenerState?

    init(_ options: Replay.Options, _ state: CoarsenerState?, seed: UInt64, at start: Moment) {
        now = start
        feed = GPSDFeed(at: start)
        coarsenerState = state
        let coarsener = Coarsener(
            radius: options.approximateRadius ?? .standard, state: state, at: start,
            random: SeededGenerator(seed: seed))
        let everyone = Access(accuracy: options.accuracy, roles: [.observer, .controller])
        hub = Hub(
            settings: HubSettings(
                server: "puckd", versions: [], policy: AccessPolicy(rules: [.init(.anyone, everyone)]),
                limits: ServerLimits()),
            positioning: Positioning(settings: Pipeline.Settings(profile: options.profile), coarsener: coarsener),
            at: start)
        hub.connect(Self.client, ClientOrigin(identity: ClientIdentity(user: 0, groups: [])), at: start)
        var subscription = SubscribeOptions()
        subscription.rate = options.rate
        request(.subscribe(subscription))
        if let mode = options.tracking { request(.view(name: nil, .track(mode))) }
        carryOut(feed.connected(at: start)) { _, _ in }
    }

    private mutating func request(_ request: Request) {
        hub.receive(.line(RequestEncoder.line(Envelope(request)).dropLast()), from: Self.client, at: now)
    }

    /// Processes a line. Returns whether it is a position report.
    mutating func receive(_ recorded: RecordedLine, output: Replay.Output) -> Bool {
        let message = feed.read(line: recorded.json)
        let arrival = moment(recorded.arrival ?? message.time, receiver: message.time)
        advance(output) { $0 < arrival.monotonic }
        now = arrival
        carryOut(feed.receive([message], at: arrival), output)
        if case .report(.position) = message { return true }
        return false
    }

    /// The time in seconds that the clock runs after the last line. The last epoch may be held this long for its other
    /// reports.
    private static let afterglow = 0.25

    mutating func end(output: Replay.Output) {
        let last = now.monotonic.advanced(by: Self.afterglow)
        // At the maximum of the clock's range, no time can pass.
        guard last.nanoseconds < .max else { return }
        advance(output) { $0 <= last }
    }

    /// The longest silence in a recording to play through, in seconds: after it, all data has expired. A longer one
    /// means that the clock was set, and playing through a century would process ten million empty epochs.
    private static let longestSilence = 86_400.0

    /// The largest step of the recording host's clock, in seconds, that counts as elapsed time without a check. A
    /// larger step may mean that the clock was set.
    private static let clockStep = 60.0

    /// Returns the moment of a line's arrival. The monotonic clock never goes back, and advances by at most one day. If
    /// the host's clock was set, the receiver's time shows how much time has really passed.
    private mutating func moment(_ utc: UTC?, receiver: UTC?) -> Moment {
        let receiverStep = receiver.flatMap { time in lastReceiverTime.map { time.seconds(since: $0) } }
        lastReceiverTime = receiver ?? lastReceiverTime
        guard let utc else { return now }
        var step = utc.seconds(since: now.utc)
        if abs(step) > Self.clockStep, let receiverStep, receiverStep >= 0, receiverStep <= Self.clockStep {
            step = receiverStep
        }
        return Moment(monotonic: now.monotonic.advanced(by: min(max(0, step), Self.longestSilence)), utc: utc)
    }

    /// Advances the clock to each deadline in turn, and processes it, while `isDue` is true for the next one.
    private mutating func advance(_ output: Replay.Output, while isDue: (Instant) -> Bool) {
        while let due = [feed.deadline, hub.deadline].lazy.compactMap({ $0 }).min(), isDue(due) {
            if due > now.monotonic { now = now.at(due) }
            if let feedDue = feed.deadline, feedDue <= now.monotonic { carryOut(feed.advance(to: now), output) }
            hub.advance(to: now)
            write(output)
        }
    }

    private mutating func carryOut(_ events: [GPSDEvent], _ output: Replay.Output) {
        for event in events {
            switch event {
            case .report(let report): hub.receive(report, at: now)
            case .source(let status): hub.receive(status, at: now)
            case .message: break
            }
        }
        write(output)
    }

    private mutating func write(_ output: Replay.Output) {
        while true {
            let actions = hub.drainActions()
            if actions.isEmpty { return }
            for action in actions { carryOut(action, output) }
        }
    }

    private mutating func carryOut(_ action: HubAction, _ output: Replay.Output) {
        switch action {
        case .frame(let body, _, let recipients):
            line.hold(body)
            for recipient in recipients {
                line.withLine(numbered: recipient.sequence) { output(now.utc, $0) }
            }
        case .motion(let motion, let recipients):
            for recipient in recipients {
                motion.line(numbered: recipient.sequence).withUnsafeBytes { output(now.utc, $0) }
            }
        case .save(let state):
            if case .coarsener(let state) = state { coarsenerState = state }
            hub.saved(state, failure: nil, at: now)
        case .send, .tellConnections, .dropFrame, .close, .record: break
        }
    }
}
