import PuckCore
import PuckSystem

/// The connection to gpsd on the event loop. It opens off the loop, reads without blocking, and opens again whenever
/// it ends. `GPSDFeed` and `Backoff` make all its decisions.
public final class GPSDConnection {
    private enum State {
        case stopped
        /// Waits until the timer starts another attempt.
        case waiting
        /// A thread is connecting. An earlier attempt that `stop()` abandoned may still be running as well.
        case opening(attempt: Int)
        case open(GPSDSession, IOWatch, since: Instant)
    }

    private struct Opened: Sendable {
        let attempt: Int
        let result: Result<GPSDSession, GPSDSession.Failure>
    }

    private let loop: EventLoop
    private let configuration: GPSDConfiguration
    private let handler: (GPSDEvent, Moment) -> Void
    private var feed: GPSDFeed
    private var state = State.stopped
    private var attempts = 0
    private var backoff = Backoff()
    private var random = KernelRandom()
    private var inbox: Inbox<Opened>?
    private var retryTimer: LoopTimer?
    /// While gpsd is being reached for the first time: this can take minutes, and a client must see the reason.
    private var slowTimer: LoopTimer?
    private var hasFailed = false
    private var compassTimer: LoopTimer?
    private var clockTimer: LoopTimer?
    private var probe = Probe()
    private var probeTimer: LoopTimer?
    private var buffer = [UInt8](repeating: 0, count: GPSDConnection.readSize)
    private var paths: DevicePaths

    /// Bytes of one read: more than a receiver sends in a second.
    private static let readSize = 64 * 1_024
    /// The longest time to read in one turn of the loop, in seconds. That is some hundred kilobytes: minutes of any
    /// receiver's reports, so the last report read is the newest. A gpsd that floods does not delay clients.
    private static let longestTurn = 0.01
    /// Seconds that a name service or a host may take before the wait is reported.
    private static let patience = 5.0
    /// Seconds that a connection must last before its end counts as a first failure again.
    private static let steady = 4.0

    /// A connection that passes everything to `handler`, on the loop's thread, with the time of the event.
    public init(
        loop: EventLoop, configuration: GPSDConfiguration, handler: @escaping (GPSDEvent, Moment) -> Void
    ) throws(SystemError) {
        self.loop = loop
        self.configuration = configuration
        self.handler = handler
        paths = DevicePaths(configuration)
        feed = GPSDFeed(configured: paths.configured(among: []), timeout: configuration.timeout, at: loop.now)
        inbox = try loop.inbox { [weak self] opened in self?.opened(opened) }
        retryTimer = try loop.timer { [weak self] _ in self?.open() }
        slowTimer = try loop.timer { [weak self] now in self?.tellSlow(at: now) }
        compassTimer = try loop.timer { [weak self] now in self?.searchCompass(at: now) }
        clockTimer = try loop.timer { [weak self] now in self?.advance(to: now) }
        probeTimer = try loop.timer { [weak self] now in self?.probe(at: now) }
    }

    /// The present state of the source.
    public var status: SourceStatus { feed.status }

    /// Counters of lines by outcome.
    public var counters: GPSDCounters { feed.counters }

    /// Connects, and reconnects until `stop()`.
    public func start() {
        guard case .stopped = state else { return }
        // libgps writes to its socket with write(2), which would end the process when gpsd has closed it.
        Signal.ignoreBrokenPipes()
        open()
    }

    /// Disconnects permanently. gpsd may then switch off the receiver.
    public func stop() {
        end()
        state = .stopped
        retryTimer?.disarm()
        slowTimer?.disarm()
        let now = loop.now
        guard feed.status.state != .noDaemon else { return }
        deliver(feed.disconnected(reason: "stopped", at: now), at: now)
    }

    // MARK: opening

    private func open() {
        guard let sender = inbox?.sender else { return }
        attempts += 1
        let attempt = attempts
        let configuration = configuration
        state = .opening(attempt: attempt)
        if !hasFailed { slowTimer?.arm(at: loop.now.monotonic.advanced(by: Self.patience)) }
        do throws(SystemError) {
            try runInBackground { sender.send(Opened(attempt: attempt, result: GPSDSession.open(configuration))) }
        } catch {
            retry(after: "\(error)", at: loop.now)
        }
    }

    private func opened(_ opened: Opened) {
        // A session that was abandoned meanwhile is closed when it is released.
        guard case .opening(attempts) = state, opened.attempt == attempts else { return }
        let now = loop.now
        do {
            let session = try opened.result.get()
            let watch = try loop.watch(session.descriptor, for: .readable) { [weak self] _ in self?.read() }
            state = .open(session, watch, since: now.monotonic)
            hasFailed = false
            slowTimer?.disarm()
            compassTimer?.arm(at: now.monotonic.advanced(by: CompassSearch.beginning))
            deliver(feed.connected(at: now), at: now)
        } catch let failure as GPSDSession.Failure {
            retry(after: failure.reason, at: now)
        } catch {
            retry(after: "\(error)", at: now)
        }
    }

    /// gpsd, or its name, has not answered yet.
    private func tellSlow(at now: Moment) {
        guard case .opening = state else { return }
        let place = "\(configuration.host):\(configuration.port)"
        deliver(feed.disconnected(reason: "gpsd at \(place) has not answered yet", at: now), at: now)
    }

    private func retry(after reason: String, at now: Moment) {
        state = .waiting
        hasFailed = true
        slowTimer?.disarm()
        let wait = backoff.next(random: Double.random(in: 0...1, using: &random))
        retryTimer?.arm(at: now.monotonic.advanced(by: wait))
        deliver(feed.disconnected(reason: reason, at: now), at: now)
    }

    private func end() {
        guard case .open(let session, let watch, let since) = state else { return }
        watch.cancel()
        if loop.now.monotonic.seconds(since: since) >= GPSDConnection.steady { backoff.reset() }
        // Kept until the watch has ended: releasing the session closes the socket.
        _ = session
        state = .waiting
        probe.answered()
        probeTimer?.disarm()
        compassTimer?.disarm()
    }

    // MARK: reading

    private func read() {
        guard case .open(let session, _, _) = state else { return }
        let now = loop.now
        var messages: [GPSDMessage] = []
        // The clock is read only after a full buffer, because one read is usually enough.
        repeat {
            switch buffer.withUnsafeMutableBytes({ receive(from: session.descriptor, into: $0) }) {
            case .bytes(let some):
                messages += feed.read(buffer[..<some])
                // Everything was read: another call to find that out would cost as much as this one.
                guard some == buffer.count else { return deliver(messages, at: now) }
            case .wouldBlock:
                deliver(messages, at: now)
                return
            case .closed:
                deliver(messages, at: now)
                lose("gpsd closed the connection", at: now)
                return
            case .failed(let error):
                deliver(messages, at: now)
                lose("\(error)", at: now)
                return
            }
        } while loop.now.monotonic.seconds(since: now.monotonic) < GPSDConnection.longestTurn
        deliver(messages, at: now)
    }

    private func deliver(_ messages: [GPSDMessage], at now: Moment) {
        probe.answered()
        if messages.contains(where: \.tellsOfDevices) {
            feed.prefer(paths.configured(among: feed.devices(with: messages.flatMap(\.devices))))
        }
        deliver(feed.receive(messages, at: now), at: now)
    }

    private func lose(_ reason: String, at now: Moment) {
        guard case .open = state else { return }
        end()
        retry(after: reason, at: now)
    }

    // MARK: the clock

    private func advance(to now: Moment) { deliver(feed.advance(to: now), at: now) }

    private func deliver(_ events: [GPSDEvent], at now: Moment) {
        for event in events {
            handler(event, now)
            if case .source(let status) = event { look(into: status, at: now) }
        }
        guard let deadline = Self.deadline(of: &feed) else {
            clockTimer?.disarm()
            return
        }
        clockTimer?.arm(at: deadline)
    }

    /// Takes the feed `inout` to avoid a copy.
    private static func deadline(of feed: inout GPSDFeed) -> Instant? { feed.deadline }

    /// A silent receiver may be unplugged without gpsd noticing; gpsd itself may be gone without a notice from the
    /// network.
    private func look(into status: SourceStatus, at now: Moment) {
        switch status.state {
        case .stale:
            guard let device = status.device, paths.isGone(device) else { return }
            deliver(feed.vanished(device, at: now), at: now)
        case .lost: probe(at: now)
        case .fix, .noFix: paths.saw(status.device)
        case .noDaemon, .noDevice, .noData: return
        }
    }

    /// If a command cannot be sent completely, gpsd is about to be lost, which is noticed elsewhere.
    private func searchCompass(at now: Moment) {
        guard case .open(let session, _, _) = state else { return }
        let pause: Double
        switch feed.searchCompass() {
        case .listen(let seconds):
            _ = session.send(GPSDSession.sentences)
            pause = seconds
        case .stop(let seconds):
            _ = session.send(GPSDSession.noSentences)
            pause = seconds
        case .wait(let seconds): pause = seconds
        }
        compassTimer?.arm(at: now.monotonic.advanced(by: pause))
        deliver(feed.advance(to: now), at: now)
    }

    private func probe(at now: Moment) {
        guard case .open(let session, _, _) = state, feed.status.state == .lost else { return }
        switch probe.step() {
        case .ask:
            guard session.send(GPSDSession.probe) else { return lose("gpsd accepts no more commands", at: now) }
            probeTimer?.arm(at: now.monotonic.advanced(by: Probe.patience))
        case .giveUp: lose("gpsd does not answer", at: now)
        }
    }
}

extension GPSDMessage {
    fileprivate var devices: [DeviceName] {
        switch self {
        case .devices(let list): list.map(\.name)
        case .device(let device): [device.name]
        case .report(let report): [report.device]
        case .version, .watch, .error, .ignored, .malformed: []
        }
    }

    fileprivate var tellsOfDevices: Bool {
        switch self {
        case .devices, .device: true
        case .version, .report, .watch, .error, .ignored, .malformed: false
        }
    }
}
