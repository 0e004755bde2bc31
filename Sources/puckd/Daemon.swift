import PuckCore
import PuckGPSD
import PuckServer
import PuckSystem

/// The daemon: one event loop that joins gpsd's adapter to the publisher, and both to the service manager.
final class Daemon {
    private let loop: EventLoop
    private let configurationPath: String
    private var configuration: Configuration
    private var log: Log
    private let store: StateStore
    private var saver: StateSaver?
    private var reader: Worker?
    private var readConfigurations: Inbox<Result<Configuration, Configuration.Failure>>?
    private let notifier = ServiceNotifier()
    private var server: Server?
    private var receiver: GPSDConnection?
    private var source = SourceState.noDaemon
    private var sourceReason: String?
    private var release: String?
    /// A receiver that comes and goes by the second is told as often as a person reads it, and not 20,000 times a day.
    private var sourceRepeats = RepeatLimiter(burst: 20, interval: 600)
    /// What others can cause at will is written as far as a person reads it. More would have the service manager hold back
    /// all that puckd says, refusals and grants too. (journald.conf(5): RateLimitBurst=, 10,000 in 30 s)
    private var repeats = RepeatLimiter(burst: 100, interval: 10)
    private var repeatsOfAll = RepeatLimiter(burst: 1_000, interval: 10)
    private var heldOfAll = 0
    /// Likewise for the accuracy of clients, of which the journal is to have all that is not done to fill it.
    private var audit = SharedLimiter(shares: Shares(total: 3_000, perUser: 1_000), interval: 30)
    private var auditTimer: LoopTimer?

    /// Clients, and descriptors besides theirs: files, sockets, the loop's own.
    private static let ownDescriptors = 64

    init(_ configuration: Configuration, path: String) throws(SystemError) {
        self.configuration = configuration
        configurationPath = path
        log = Log.standard(level: configuration.values.logLevel)
        store = StateStore(directory: configuration.values.approximate.stateDirectory)
        loop = try EventLoop()
    }

    /// Runs until it is told to stop; returns the exit code.
    func run() throws(SystemError) -> Int32 {
        Signal.ignoreBrokenPipes()
        try loop.onSignals([.terminate, .interrupt, .hangUp]) { [weak self] in self?.receive($0) }
        let writer = try log.writeInBackground()
        defer { writer.finish(within: Self.lastLines) }
        try prepareStore()
        saver = try StateSaver(loop: loop, store: store) { [weak self] in self?.handle($0) }
        auditTimer = try loop.timer { [weak self] in self?.reportHeldBack(at: $0) }
        reader = try Worker(limit: 2)
        readConfigurations = try loop.inbox { [weak self] in self?.apply($0) }
        raiseLimits()
        for warning in configuration.warnings { log.warning("configuration", ["about": warning]) }

        let socket = try listen()
        let server = try Server(
            loop: loop, socket: socket, hub: makeHub(), limits: configuration.limits
        ) { [weak self] event in self?.handle(event) }
        self.server = server
        let receiver = try GPSDConnection(loop: loop, configuration: configuration.gpsd) { [weak self] event, moment in
            self?.handle(event, at: moment)
        }
        self.receiver = receiver
        receiver.start()
        try loop.watchdog()
        notifier.ready(status: statusLine)
        log.info("ready", ["version": programVersion, "libgps": libgpsVersion])
        let code = try loop.run()
        if saver?.finish(within: Self.lastSaves) == false {
            log.error("cannot save state", ["why": "the disk takes too long"])
        }
        return code
    }

    /// How long what is still to be logged may take at the end, seconds.
    private static let lastLines = 2.0
    /// How long what is still to be saved may take at the end, seconds. The service manager waits for 90.
    private static let lastSaves = 10.0

    // MARK: Start

    /// A state directory that can't be written at all is a mistake of whoever set it up, and nothing runs on it. One that is
    /// full is a matter of the day: precise clients are served, and what can't be saved is neither told nor said to be done.
    private func prepareStore() throws(SystemError) {
        do throws(SystemError) {
            try store.prepare()
        } catch {
            guard error.isOutOfRoom else { throw error }
            log.error(
                "cannot save state; approximate clients keep their last point", ["why": error])
        }
    }

    private func listen() throws(SystemError) -> ListeningSocket {
        if let socket = try ListeningSocket.fromServiceManager() {
            log.info("listening on the socket from the service manager")
            return socket
        }
        let settings = configuration.values.socket
        let socket = try ListeningSocket(path: settings.path, mode: settings.mode)
        log.info("listening", ["socket": settings.path])
        return socket
    }

    private func makeHub() -> Hub {
        let now = loop.now
        let coarsener = Coarsener(
            radius: configuration.values.approximate.radius, state: kept { try store.loadCoarsener() }, at: now,
            random: KernelRandom())
        // A file that can't be read leaves in doubt whether everyone is bound: then everyone is.
        let bound: AccuracyMode?
        var isKept = true
        do {
            bound = try store.loadSystemAccuracy()
        } catch {
            log.error(
                "cannot read the saved accuracy; everyone is limited to approximate", ["why": "\(error)"])
            bound = .approximate
            isKept = false
        }
        return Hub(
            settings: configuration.hubSettings,
            positioning: Positioning(settings: configuration.values.receiver, coarsener: coarsener),
            systemAccuracy: bound, isKept: isKept, at: now)
    }

    private func kept<Value>(_ load: () throws -> Value?) -> Value? {
        do {
            return try load()
        } catch {
            log.error("cannot use the saved state", ["why": "\(error)"])
            return nil
        }
    }

    private func raiseLimits() {
        let wanted = configuration.limits.clients + Self.ownDescriptors
        do throws(SystemError) {
            let got = try ResourceLimits.raiseOpenFiles(to: wanted)
            if got < wanted { log.warning("fewer clients than configured can connect", ["descriptors": got]) }
        } catch {
            log.warning("cannot raise the limit of open files", ["why": error])
        }
    }

    // MARK: Signals

    private func receive(_ signal: Signal) {
        if signal == .hangUp { return reload() }
        log.info("stopping", ["signal": "\(signal)"])
        notifier.stopping()
        // Clients are to hear that puckd goes, and not that it has left gpsd.
        server?.shutDown()
        receiver?.stop()
        loop.exit(ExitCode.success)
    }

    /// Reads the configuration again, on a thread of its own: it names users and groups, and a name service may be slow.
    private func reload() {
        notifier.reloading()
        let (path, sender) = (configurationPath, readConfigurations?.sender)
        let isTaken = reader?.submit { sender?.send(Configuration.result(of: path)) }
        if isTaken != true { log.error("configuration rejected", ["why": "the last one is still being read"]) }
    }

    private func apply(_ result: Result<Configuration, Configuration.Failure>) {
        defer { notifier.ready(status: statusLine) }
        do throws(Configuration.Failure) {
            let new = try result.get()
            if new.needsRestart(from: configuration) {
                log.warning("changes to [gpsd], [receiver], [socket] and [approximate] need a restart")
            }
            configuration = new
            log.level = new.values.logLevel
            for warning in new.warnings { log.warning("configuration", ["about": warning]) }
            raiseLimits()
            server?.reconfigure(new.hubSettings)
            log.info("configuration reloaded")
        } catch {
            for line in error.lines { log.error("configuration rejected", ["why": line]) }
        }
    }

    // MARK: Events

    private func handle(_ event: GPSDEvent, at moment: Moment) {
        switch event {
        case .report(let report): server?.receive(report, at: moment)
        case .source(let status):
            server?.receive(status, at: moment)
            guard status.state != source || status.reason != sourceReason else { return }
            let told = statusLine
            source = status.state
            sourceReason = status.reason
            logSource(status, at: moment)
            if statusLine != told { notifier.status(statusLine) }
        case .message(let message): report(message)
        }
    }

    private func logSource(_ status: SourceStatus, at moment: Moment) {
        let kind = "source"
        guard .info >= log.level, let held = sourceRepeats.admit(kind, at: moment.monotonic) else { return }
        tell(held: held, of: kind, .info)
        log.info("source", ["state": status.state.rawValue, "reason": status.reason ?? "-"])
    }

    private func report(_ message: GPSDMessage) {
        switch message {
        case .version(let release):
            // A gpsd whose receiver is silent is asked for it every few seconds, as a sign of life.
            guard release != self.release else { return }
            self.release = release
            report(.info, "gpsd", ["release": release ?? "unknown"])
        case .device(let device): report(.info, "receiver", ["device": device.name.path])
        case .error(let text): report(.warning, "gpsd reported an error", ["error": text])
        case .malformed(let expected): report(.debug, "gpsd sent a line that is not a message", ["expected": expected])
        case .devices, .report, .watch, .ignored: break
        }
    }

    private func handle(_ event: Server.Event) {
        switch event {
        case .save(let state): saver?.save(state)
        case .record(let record):
            reportHeldBack(at: loop.now)
            guard admits(record) else { return }
            log.notice(
                "accuracy",
                [
                    "event": record.event.rawValue, "client": record.client.number,
                    "user": record.userName ?? "-", "uid": record.user, "pid": record.process ?? 0,
                    "reason": record.reason,
                ])
        case .connected(let id, let peer):
            report(
                .info, "client connected",
                ["client": id.number, "uid": peer.user, "gid": peer.group, "pid": peer.process], of: "\(peer.user)")
        case .disconnected(let id): report(.info, "client disconnected", ["client": id.number])
        case .turnedAway(let reason): report(.warning, "connection turned away", ["reason": reason])
        case .overloaded(let id): report(.warning, "client does not read", ["client": id.number])
        }
    }

    /// Writes what may come in floods, as far as that is of use. What is told of one `subject` is not held back for another.
    private func report(_ level: LogLevel, _ text: StaticString, _ fields: LogFields, of subject: String = "") {
        let kind = subject.isEmpty ? text.description : "\(text) \(subject)"
        let now = loop.now.monotonic
        guard level >= log.level, let held = repeats.admit(kind, at: now) else { return }
        // Users may be as many as they like, and each is a kind of its own.
        guard repeatsOfAll.admit("", at: now) != nil else { return heldOfAll += held + 1 }
        tell(held: heldOfAll, of: "all", level)
        heldOfAll = 0
        tell(held: held, of: kind, level)
        log.write(level, text, fields)
    }

    /// Whether a record may be written. What only administrators can cause has a share of its own.
    private func admits(_ record: AuditRecord) -> Bool {
        let isAdministration = [.systemSwitched, .placed, .released].contains(record.event)
        let isAdmitted = audit.admit(
            user: isAdministration ? UInt32.max : record.user, isPrivileged: isAdministration || record.user == 0,
            at: loop.now.monotonic)
        if let deadline = audit.deadline, auditTimer?.deadline == nil { auditTimer?.arm(at: deadline) }
        return isAdmitted
    }

    private func reportHeldBack(at moment: Moment) {
        guard let held = audit.takeHeldBack(at: moment.monotonic) else { return }
        tell(held: held, of: "accuracy", .notice)
    }

    private func tell(held: Int, of kind: String, _ level: LogLevel) {
        if held > 0 { log.write(level, "held back", ["messages": held, "like": kind]) }
    }

    private func handle(_ outcome: StateSaver.Outcome) {
        if let failure = outcome.failure { log.error("cannot save state", ["why": failure]) }
        server?.saved(outcome.state, failure: outcome.failure?.description)
    }

    /// Every local user can read this. That there is no fix, and when one comes back, would tell them of a tunnel: it is
    /// only said what they can see anyway, whether gpsd runs and has a receiver.
    private var statusLine: String {
        switch source {
        case .noDaemon: "waiting for gpsd"
        case .noDevice: "waiting for a receiver"
        case .noData, .noFix, .fix, .stale, .lost: "serving"
        }
    }
}
