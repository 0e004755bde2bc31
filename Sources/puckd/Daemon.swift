import PuckCore
import PuckGPSD
import PuckServer
import PuckSystem

/// The daemon: an event loop that connects gpsd to the server, and both to the service manager.
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
    /// Limits messages about a receiver that connects and disconnects every second. Without it there would be 20,000 a
    /// day.
    private var sourceRepeats = RepeatLimiter(burst: 20, interval: 600)
    /// Limits messages that clients can cause at will. With too many, the journal would drop all of puckd's messages for a
    /// while, including refusals and grants. See RateLimitBurst= in journald.conf(5): 10,000 in 30 s.
    private var repeats = RepeatLimiter(burst: 100, interval: 10)
    private var repeatsOfAll = RepeatLimiter(burst: 1_000, interval: 10)
    private var heldOfAll = 0
    /// Limits messages about changes of clients' accuracy, in shares for each user, so that a user who floods the
    /// journal does not suppress other users' messages.
    private var audit = SharedLimiter(shares: Shares(total: 3_000, perUser: 1_000), interval: 30)
    private var auditTimer: LoopTimer?

    /// The number of descriptors besides those of clients: files, sockets, the event loop.
    private static let ownDescriptors = 64

    init(_ configuration: Configuration, path: String) throws(SystemError) {
        self.configuration = configuration
        configurationPath = path
        log = Log.standard(level: configuration.values.logLevel)
        store = StateStore(directory: configuration.values.approximate.stateDirectory)
        loop = try EventLoop()
    }

    /// Runs until a signal stops it, and returns the exit code.
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

    /// The maximum time in seconds for the last log messages at the end.
    private static let lastLines = 2.0
    /// The maximum time in seconds for the last saves at the end. The service manager waits 90 s.
    private static let lastSaves = 10.0

    // MARK: Start

    /// Prepares the state directory. If it cannot be written at all, that is a mistake in the setup, and puckd does not
    /// start. If only its disk is full, puckd starts and serves precise clients. State that cannot be saved is neither
    /// sent to clients nor confirmed.
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
        // If the file cannot be read, it is unknown whether an administrator restricted all clients. Restrict them.
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
        // Shut down the server first, so that clients learn that puckd is stopping, and not that gpsd is disconnected.
        server?.shutDown()
        receiver?.stop()
        loop.exit(ExitCode.success)
    }

    /// Reads the configuration again on another thread, because it looks up users and groups, and a name service may be
    /// slow.
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
            // puckd asks a silent gpsd for its version every few seconds, as a sign of life.
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

    /// Writes a message of a kind that may be frequent, within limits. Messages about different subjects are limited
    /// separately.
    private func report(_ level: LogLevel, _ text: StaticString, _ fields: LogFields, of subject: String = "") {
        let kind = subject.isEmpty ? text.description : "\(text) \(subject)"
        let now = loop.now.monotonic
        guard level >= log.level, let held = repeats.admit(kind, at: now) else { return }
        // The number of subjects has no limit, so the total is limited too.
        guard repeatsOfAll.admit("", at: now) != nil else { return heldOfAll += held + 1 }
        tell(held: heldOfAll, of: "all", level)
        heldOfAll = 0
        tell(held: held, of: kind, level)
        log.write(level, text, fields)
    }

    /// Returns whether to write a record. Actions that need the role `admin` or `provider` have their own share.
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

    /// The status for the service manager, which every local user can read. It says only whether gpsd runs and has a
    /// receiver, which every user can see anyway. The times at which a fix is lost and found could reveal a tunnel.
    private var statusLine: String {
        switch source {
        case .noDaemon: "waiting for gpsd"
        case .noDevice: "waiting for a receiver"
        case .noData, .noFix, .fix, .stale, .lost: "serving"
        }
    }
}
