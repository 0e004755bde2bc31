import PuckCore

/// Processes gpsd's stream without the socket: it takes bytes or lines, and returns events. The live connection and
/// the replay of a recording both use it.
///
/// Reading and receiving are two steps. So everything that has arrived can be read before old messages are dropped,
/// and a replay can read the time of a message before it sets its arrival time.
public struct GPSDFeed {
    private var splitter = LineSplitter()
    private var decoder = ReportDecoder()
    private var chooser: DeviceChooser
    private var monitor: SourceMonitor
    private var counts = GPSDCounters()
    private var search = CompassSearch()

    /// A feed that prefers receivers with a name in `configured`, and reports one as lost after `timeout` seconds.
    public init(
        configured: Set<DeviceName> = [], timeout: Double = SourceMonitor.defaultTimeout, at now: Moment
    ) {
        chooser = DeviceChooser(configured: configured)
        monitor = SourceMonitor(timeout: timeout, at: now)
    }

    /// The present state of the source.
    public var status: SourceStatus { monitor.status }

    /// When to call `advance(to:)` if nothing arrives before.
    public var deadline: Instant? { monitor.deadline }

    /// Counters of lines by outcome.
    public var counters: GPSDCounters {
        var counters = counts
        counters.overlong = splitter.overlong
        return counters
    }

    /// All receivers of gpsd, with those of `news` that will be tracked, each once.
    func devices(with news: [DeviceName]) -> [DeviceName] {
        var devices = chooser.known
        var known = Set(devices)
        for name in news where devices.count < DeviceChooser.mostDevices && known.insert(name).inserted {
            devices.append(name)
        }
        return devices
    }

    /// Changes the preferred receivers: all names of the configured one.
    public mutating func prefer(_ names: Set<DeviceName>) { chooser.prefer(names) }

    /// gpsd is connected, or the recording begins.
    public mutating func connected(at now: Moment) -> [GPSDEvent] {
        splitter.restart()
        search = CompassSearch()
        chooser.forgetAll()
        return events(monitor.connected(at: now))
    }

    /// gpsd is not connected, or the connection failed.
    public mutating func disconnected(reason: String, at now: Moment) -> [GPSDEvent] {
        chooser.forgetAll()
        return events(monitor.disconnected(reason: reason, at: now))
    }

    /// The messages of the lines that `bytes` complete.
    public mutating func read(_ bytes: ArraySlice<UInt8>) -> [GPSDMessage] {
        splitter.append(bytes).map { read(line: $0) }
    }

    /// The message of one line, without its newline.
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

    /// A receiver is gone, although gpsd has not noticed.
    public mutating func vanished(_ name: DeviceName, at now: Moment) -> [GPSDEvent] {
        receive(.device(DeviceInfo(name: name, activation: .closed)), at: now)
    }

    /// Time has passed.
    public mutating func advance(to now: Moment) -> [GPSDEvent] { events(monitor.advance(to: now)) }

    // MARK: one message

    private mutating func receive(_ message: GPSDMessage, at now: Moment) -> [GPSDEvent] {
        switch message {
        case .report(let report): return receive(report, at: now)
        case .devices(let list):
            chooser.list(list, at: now.monotonic)
            return [.message(message)] + events(useChosen(at: now))
        case .device(let device):
            // A receiver beyond the limit is never chosen, so a flood of them costs little.
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
            // Positions come from one receiver. A compass beside it knows where the vehicle points.
            return report.heading.map { [.report(.attitude($0))] } ?? []
        }
        counts.reports += 1
        // At most one of the two reports a change: a new receiver is reported together with its first data.
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
    /// The heading alone of a report; nil if it has none.
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
