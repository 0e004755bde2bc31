import PuckCore
import PuckGPSD
import PuckServer
import PuckWire

/// A recording played through the daemon's own stages in simulated time: the lines of gpsd go in, the frames that one
/// client would have been sent come out. The same input gives the same bytes.
///
/// What arrives at an instant is taken before what the clock brings at it. A recording that does not say when its lines
/// arrived is taken to have arrived as it was true.
public struct Replay {
    /// A line of output: when it would have been delivered, and what.
    public typealias Output = (_ delivered: UTC, _ line: UnsafeRawBufferPointer) -> Void

    /// The client that is played to, and the receiver.
    public struct Options: Hashable, Sendable {
        /// Frames with each fix, or so many a second.
        public var rate = FrameRate.fix
        /// What policy gives the client.
        public var accuracy = AccuracyMode.precise
        /// What its view does; nil: it has no camera.
        public var tracking: TrackingMode?
        /// What carries the receiver.
        public var profile = Profile.auto
        /// The approximate location's; nil: the standard one.
        public var approximateRadius: ApproximateRadius?

        /// A precise client that takes a frame with each fix.
        public init() {}
    }

    private let options: Options
    private var simulation: Simulation?
    private let keptState: CoarsenerState?
    private var hasPositionReport = false

    /// A replay that has seen nothing yet, with what was kept of an earlier one.
    public init(_ options: Options, coarsenerState: CoarsenerState?) {
        self.options = options
        keptState = coarsenerState
    }

    /// What of the coarsening stage would be kept over a restart.
    public var coarsenerState: CoarsenerState? { simulation?.coarsenerState ?? keptState }

    /// Takes the next line of the recording.
    public mutating func receive(_ bytes: ArraySlice<UInt8>, output: Output) {
        let recorded = RecordedLine(bytes)
        if simulation == nil { begin(with: recorded, seed: Self.hash(bytes)) }
        if simulation?.receive(recorded, output: output) == true { hasPositionReport = true }
    }

    /// What a recording lacks that could be replayed; nil where nothing.
    public var missing: String? {
        if !hasPositionReport { return "it has no position report" }
        return simulation == nil ? "no line has a time" : nil
    }

    /// The recording is at its end: what the clock still brings for its last epoch is put out.
    public mutating func end(output: Output) {
        simulation?.end(output: output)
    }

    // MARK: The beginning

    /// Starts the clock by the first line that says a time.
    private mutating func begin(with line: RecordedLine, seed: UInt64) {
        var decoder = ReportDecoder()
        let message = decoder.decode(line.json)
        if case .report(.position) = message { hasPositionReport = true }
        guard let first = line.arrival ?? message.time else { return }
        let start = Moment(monotonic: Instant(nanoseconds: first.nanoseconds), utc: first)
        simulation = Simulation(options, keptState, seed: seed, at: start)
    }

    /// A seed that follows from the recording: timing by chance, and the same every time. (FNV-1a, RFC 9923)
    private static func hash(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }
}

/// The daemon's stages with a clock that goes as the recording says.
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

    /// Takes a line; true where it is a position report.
    mutating func receive(_ recorded: RecordedLine, output: Replay.Output) -> Bool {
        let message = feed.read(line: recorded.json)
        let arrival = moment(recorded.arrival ?? message.time, receiver: message.time)
        advance(output) { $0 < arrival.monotonic }
        now = arrival
        carryOut(feed.receive([message], at: arrival), output)
        if case .report(.position) = message { return true }
        return false
    }

    /// How long the clock goes on after the last line, seconds: so long may the last epoch be held for its other parts.
    private static let afterglow = 0.25

    mutating func end(output: Replay.Output) {
        let last = now.monotonic.advanced(by: Self.afterglow)
        // At the very end of what a clock can count nothing goes on any more.
        guard last.nanoseconds < .max else { return }
        advance(output) { $0 <= last }
    }

    /// The longest silence of a recording that is played through, seconds: all that ages is gone by then. What is longer
    /// is a clock that was set, and a century of it would be ten million epochs of nothing.
    private static let longestSilence = 86_400.0

    /// A step of the recording host's clock past which it may have been set, seconds.
    private static let clockStep = 60.0

    /// The moment at which a line arrived: its own, but the clock that ages never goes back, and at most a day ahead.
    /// If the host's clock was set meanwhile, that is told by the receiver's, which went on.
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

    /// Lets the clock go on, doing all that it brings in its order, for as long as what is next is to be done.
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
        case .save(let state):
            if case .coarsener(let state) = state { coarsenerState = state }
            hub.saved(state, failure: nil, at: now)
        case .send, .tellConnections, .dropFrame, .close, .record: break
        }
    }
}
