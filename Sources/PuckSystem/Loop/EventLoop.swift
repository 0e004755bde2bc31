import CSystemd
import Glibc
import PuckCore

/// What is served first.
public enum Urgency: Hashable, Sendable {
    /// As soon as it is ready, with timers and signals.
    case first
    /// When nothing else is ready: what strangers can make ready at will.
    case later
}

/// The thread's event loop, on sd-event. Everything that it calls, it calls on the thread that runs it; nothing of it
/// but a `Sender` may be used from another.
public final class EventLoop {
    let event: OpaquePointer
    private let poller: Poller
    /// For what is less urgent, with those descriptors' own turns.
    private let laterPoller: Poller
    private var signalWatches: [SignalWatch] = []

    /// A loop of its own, that watches nothing yet.
    public init() throws(SystemError) {
        var created: OpaquePointer?
        try checked("create an event loop", sd_event_new(&created))
        guard let created else { throw SystemError("create an event loop", code: ENOMEM) }
        event = created
        do throws(SystemError) {
            laterPoller = try Poller(event: created, priority: EventLoop.laterPriority)
            poller = try Poller(event: created, priority: 0, before: laterPoller)
        } catch {
            sd_event_unref(created)
            throw error
        }
    }

    deinit {
        signalWatches = []
        sd_event_unref(event)
    }

    /// Both clocks of the host, read afresh.
    public var now: Moment { Clocks.now }

    /// Runs until `exit(_:)`; returns its code. It can be run once.
    public func run() throws(SystemError) -> Int32 {
        // Their handlers often hold this loop, which would then never go.
        defer { signalWatches = [] }
        return try checked("run the event loop", sd_event_loop(event))
    }

    /// Waits up to `timeout` seconds (nil: for ever; 0: not at all) for an event, and handles it with those that came
    /// along; false where none came.
    public func runOnce(timeout: Double?) throws(SystemError) -> Bool {
        // What is not a number does not wait, and nothing waits longer than a thousand million seconds.
        let microseconds = timeout.map { $0 > 0 ? UInt64(min($0, 1e9) * 1e6) : 0 } ?? UInt64.max
        return try checked("run the event loop", sd_event_run(event, microseconds)) > 0
    }

    /// Makes `run()` return `code` (0 to 255) once the events at hand are handled. Later calls change nothing.
    public func exit(_ code: Int32) {
        var earlier: Int32 = 0
        guard sd_event_get_exit_code(event, &earlier) < 0 else { return }
        // It can fail only for a loop that has ended, which is what is asked for.
        _ = sd_event_exit(event, max(0, code))
    }

    /// What sd-event does after timers, signals, letter boxes and urgent descriptors. (SD_EVENT_PRIORITY_NORMAL is 0)
    private static let laterPriority: Int64 = 10

    /// Calls `handler` whenever `descriptor` is ready for what is watched for, for as long as the watch lives. The
    /// descriptor stays the caller's, to be closed only after the watch is cancelled. Regular files can't be watched.
    public func watch(
        _ descriptor: Int32, for interest: Readiness, urgency: Urgency = .first,
        _ handler: @escaping (Readiness) -> Void
    ) throws(SystemError) -> IOWatch {
        let poller = urgency == .first ? poller : laterPoller
        return try IOWatch(poller: poller, descriptor: descriptor, interest: interest, handler: handler)
    }

    /// Work that is done piece by piece after all that is urgent: also after each batch of less urgent descriptors.
    public func laterWork(_ handler: @escaping () -> Void) throws(SystemError) -> LaterWork {
        // Of two that are as urgent, sd-event may do the same again and again: so either does both.
        let work = try LaterWork(loop: self, priority: Self.laterPriority) { [weak laterPoller] in
            laterPoller?.serveBatch()
        }
        laterPoller.afterBatch.append { [weak work] in if work != nil { handler() } }
        return work
    }

    /// Serves what is less urgent, if that has waited for long: for a handler of something urgent that is due again already.
    public func serveOverdue() { laterPoller.serveIfOverdue() }

    /// A timer, not armed yet, that calls `handler` with both clocks read afresh, for as long as it lives.
    public func timer(_ handler: @escaping (Moment) -> Void) throws(SystemError) -> LoopTimer {
        try LoopTimer(loop: self, handler: handler)
    }

    /// Calls `handler` whenever the host's UTC clock was set or the host slept, for as long as the watch lives.
    public func onClockSet(_ handler: @escaping (Moment) -> Void) throws(SystemError) -> ClockWatch {
        try ClockWatch(loop: self, handler: handler)
    }

    /// A letter box: other threads send to it, `handler` is called here with each message in the order of sending.
    public func inbox<Message: Sendable>(
        of type: Message.Type = Message.self, _ handler: @escaping (Message) -> Void
    ) throws(SystemError) -> Inbox<Message> {
        try Inbox(loop: self, handler: handler)
    }

    /// Calls `handler` here for each of `signals` that the process gets, until the loop is gone. Blocks them in this
    /// thread and in those started by it from now on: call it before any thread is started.
    public func onSignals(_ signals: [Signal], _ handler: @escaping (Signal) -> Void) throws(SystemError) {
        try onSignals(signals) { signal, _ in handler(signal) }
    }

    /// The same, telling the handler who sent it.
    public func onSignals(
        _ signals: [Signal], _ handler: @escaping (Signal, SignalOrigin) -> Void
    ) throws(SystemError) {
        try block(signals)
        for signal in signals {
            signalWatches.append(try SignalWatch(loop: self, signal: signal) { handler(signal, $0) })
        }
    }

    /// Tells the service manager at half its watchdog interval that this loop still turns, where it asks for that
    /// (WATCHDOG_USEC). Returns whether it does.
    @discardableResult
    public func watchdog() throws(SystemError) -> Bool {
        try checked("enable the service watchdog", sd_event_set_watchdog(event, 1)) > 0
    }
}
