import PuckCore

/// gpsd's stream as a whole, without the socket: bytes or lines in, events out. It serves the live connection and the
/// replay of a recording alike.
///
/// Reading and receiving are two steps, so that all that has come can be read before what is old in it is left out,
/// and so that a replay can ask a message for its time before it says when that arrived.
public struct GPSDFeed {
    private var splitter = LineSplitter()
    private var decoder = ReportDecoder()
    private var chooser: DeviceChooser
    private var monitor: SourceMonitor
    private var counts = GPSDCounters()
    private var search = CompassSearch()

    /// A feed that prefers the receivers of the names `configured`, and holds one for lost after `timeout` seconds.
    public init(
        configured: Set<DeviceName> = [], timeout: Double = SourceMonitor.defaultTimeout, at now: Moment
    ) {
        chooser = DeviceChooser(configured: configured)
        monitor = SourceMonitor(timeout: timeout, at: now)
    }

    /// What the source is doing now.
    public var status: SourceStatus { monitor.status }

    /// When to call `advance(to:)`, though nothing came.
    public var deadline: Instant? { monitor.deadline }

    /// How many lines came, and what became of them.
    public var counters: GPSDCounters {
        var counters = counts
        counters.overlong = splitter.overlong
        return counters
    }

    /// Every receiver that gpsd knows, with those of `news` that will be kept track of, each once.
    func devices(with news: [DeviceName]) -> [DeviceName] {
        var devices = chooser.known
        var known = Set(devices)
        for name in news where devices.count < DeviceChooser.mostDevices && known.insert(name).inserted {
            devices.append(name)
        }
        return devices
    }

    /// Prefers other receivers from now on: all names that the configured one goes by.
    public mutating func prefer(_ names: Set<DeviceName>) { chooser.prefer(names) }

    /// gpsd is connected, or the recording begins.
    public mutating func connected(at now: Moment) -> [GPSDEvent] {
        splitter.restart()
        search = CompassSearch()
        chooser.forgetAll()
        return events(monitor.connected(at: now))
    }

    /// gpsd is not connected, or could not be.
    public mutating func disconnected(reason: String, at now: Moment) -> [GPSDEvent] {
        chooser.forgetAll()
        return events(monitor.disconnected(reason: reason, at: now))
    }

    /// The messages of the lines that `bytes` complete.
    public mutating func read(_ bytes: ArraySlice<UInt8>) -> [GPSDMessage] {
        splitter.append(bytes).map { read(line: $0) }
    }

    /// The message of one line, which has no newline.
    public mutating func read(line: ArraySlice<UInt8>) -> GPSDMessage {
        counts.lines += 1
        guard !search.takes(line) else { return .ignored("NMEA") }
        return decoder.decode(line)
    }

    /// Receives messages that arrived together at `now`.
    public mutating func receive(_ messages: [GPSDMessage], at now: Moment) -> [GPSDEvent] {
        let newest = Backlog.newest(of: messages)
        counts.superseded += messages.count - newest.count
        return newest.flatMap { receive($0, at: now) }
    }

    /// A receiver is gone, though gpsd has not noticed.
    public mutating func vanished(_ name: DeviceName, at now: Moment) -> [GPSDEvent] {
        receive(.device(DeviceInfo(name: name, activation: .closed)), at: now)
    }

    /// Time has gone on.
    public mutating func advance(to now: Moment) -> [GPSDEvent] { events(monitor.advance(to: now)) }

    // MARK: one message

    private mutating func receive(_ message: GPSDMessage, at now: Moment) -> [GPSDEvent] {
        switch message {
        case .report(let report): return receive(report, at: now)
        case .devices(let list):
            chooser.list(list, at: now.monotonic)
            return [.message(message)] + events(useChosen(at: now))
        case .device(let device):
            // One too many is no receiver to choose: of a flood of them each costs little.
            guard chooser.update(device, at: now.monotonic) else { return [.message(message)] }
            return [.message(message)] + events(useChosen(at: now))
        case .malformed:
            counts.malformed += 1
            return [.message(message)]
        case .ignored:
            counts.ignored += 1
            return []
        case .version, .watch, .error: return [.message(message)]
        }
    }

    /// The next step in the search for a compass that gpsd does not pass on.
    mutating func searchCompass() -> CompassSearch.Step {
        let step = search.step()
        monitor.report(unreadHeading: search.unread)
        return step
    }

    private mutating func receive(_ report: Report, at now: Moment) -> [GPSDEvent] {
        if report.heading != nil {
            search.heard()
            monitor.report(unreadHeading: nil)
        }
        guard chooser.takes(report, at: now.monotonic) else {
            counts.otherDevice += 1
            // Positions are one receiver's. Where the vehicle points, a compass beside it knows.
            return report.heading.map { [.report(.attitude($0))] } ?? []
        }
        counts.reports += 1
        // One of the two at most tells a change: a new receiver is told with what it said first.
        let change = useChosen(at: now)
        let heard = monitor.heard(report, silence: chooser.rhythm.silence, at: now)
        return events(heard ?? change) + [.report(report)]
    }

    private mutating func useChosen(at now: Moment) -> SourceStatus? {
        monitor.use(chooser.chosen ?? chooser.awaited, hasReceiver: chooser.hasReceiver, at: now)
    }

    private func events(_ status: SourceStatus?) -> [GPSDEvent] { status.map { [.source($0)] } ?? [] }
}

extension Report {
    /// What it says of the heading alone; nil where it says nothing.
    fileprivate var heading: AttitudeReport? {
        switch self {
        case .attitude(let attitude):
            (attitude.heading ?? attitude.magneticHeading ?? attitude.baseline?.heading) == nil ? nil : attitude
        case .position(let position):
            position.baseline.map { AttitudeReport(device: position.device, time: position.time, baseline: $0) }
        case .sky, .noise: nil
        }
    }
}
