import CSystemd
import Glibc
import PuckCore

/// The urgency of a descriptor: when it is served once it is ready.
public enum Urgency: Hashable, Sendable {
    /// As soon as possible, together with timers and signals.
    case first
    /// When nothing else is ready. This is for descriptors that clients can make ready at will.
    case later
}

/// A thread's event loop, built on sd-event. It calls all handlers on the thread that runs it. Other threads may use
/// only a `Sender`.
public final class EventLoop {
    let event: OpaquePointer
    private let poller: Poller
    /// The poller for less urgent descriptors, which take turns among themselves.
    private let laterPoller: Poller
    private var signalWatches: [SignalWatch] = []

    /// Creates a loop that watches nothing yet.
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

    /// The current time on both of the host's clocks.
    public var now: Moment { Clocks.now }

    /// Runs until `exit(_:)` is called, and returns the exit code. A loop can run only once.
    public func run() throws(SystemError) -> Int32 {
        // Signal handlers often hold a reference to this loop, which would then never be released.
        defer { signalWatches = [] }
        return try checked("run the event loop", sd_event_loop(event))
    }

    /// Waits for an event and handles it, together with other events that are ready. `timeout` is in seconds: nil waits
    /// indefinitely, and 0 does not wait. Returns false if there was no event.
    public func runOnce(timeout: Double?) throws(SystemError) -> Bool {
        // A timeout that is not a number does not wait, and none is longer than 10⁹ seconds.
        let microseconds = timeout.map { $0 > 0 ? UInt64(min($0, 1e9) * 1e6) : 0 } ?? UInt64.max
        return try checked("run the event loop", sd_event_run(event, microseconds)) > 0
    }

    /// Makes `run()` return `code` (0 to 255) after the current events are handled. Only the first call counts.
    public func exit(_ code: Int32) {
        var earlier: Int32 = 0
        guard sd_event_get_exit_code(event, &earlier) < 0 else { return }
        // This fails only for a loop that has already ended.
        _ = sd_event_exit(event, max(0, code))
    }

    /// The priority of less urgent work, in sd-event's order: after timers, signals, inboxes and urgent descriptors,
    /// which have SD_EVENT_PRIORITY_NORMAL (0).
    private static let laterPriority: Int64 = 10

    /// Calls `handler` whenever `descriptor` is ready for `interest`, while the returned watch exists. The caller still
    /// owns the descriptor, and must cancel the watch before closing it. Regular files can't be watched.
    public func watch(
        _ descriptor: Int32, for interest: Readiness, urgency: Urgency = .first,
        _ handler: @escaping (Readiness) -> Void
    ) throws(SystemError) -> IOWatch {
        let poller = urgency == .first ? poller : laterPoller
        return try IOWatch(poller: poller, descriptor: descriptor, interest: interest, handler: handler)
    }

    /// Creates work that runs in pieces, after all urgent events and after each batch of less urgent descriptors.
    public func laterWork(_ handler: @escaping () -> Void) throws(SystemError) -> LaterWork {
        // If two sources have the same priority, sd-event may serve one of them again and again. So each of the two,
        // this work and the poller, also serves the other.
        let work = try LaterWork(loop: self, priority: Self.laterPriority) { [weak laterPoller] in
            laterPoller?.serveBatch()
        }
        laterPoller.afterBatch.append { [weak work] in if work != nil { handler() } }
        return work
    }

    /// Serves the less urgent descriptors if they have waited too long. Call it from a handler of urgent work that is due
    /// again at once.
    public func serveOverdue() { laterPoller.serveIfOverdue() }

    /// Creates a timer, not yet armed. It calls `handler` with the current time on both clocks, while it exists.
    public func timer(_ handler: @escaping (Moment) -> Void) throws(SystemError) -> LoopTimer {
        try LoopTimer(loop: self, handler: handler)
    }

    /// Calls `handler` whenever the host's UTC clock is set or the host has slept, while the returned watch exists.
    public func onClockSet(_ handler: @escaping (Moment) -> Void) throws(SystemError) -> ClockWatch {
        try ClockWatch(loop: self, handler: handler)
    }

    /// Creates an inbox. Other threads send messages to it, and `handler` is called on the loop's thread with each
    /// message, in the order of sending.
    public func inbox<Message: Sendable>(
        of type: Message.Type = Message.self, _ handler: @escaping (Message) -> Void
    ) throws(SystemError) -> Inbox<Message> {
        try Inbox(loop: self, handler: handler)
    }

    /// Calls `handler` on the loop's thread for each of `signals` that the process receives, until `run()` returns. It
    /// blocks the signals in this thread and in all threads that this one starts later, so call it before starting any
    /// thread.
    public func onSignals(_ signals: [Signal], _ handler: @escaping (Signal) -> Void) throws(SystemError) {
        try onSignals(signals) { signal, _ in handler(signal) }
    }

    /// The same, and also passes the origin of the signal to the handler.
    public func onSignals(
        _ signals: [Signal], _ handler: @escaping (Signal, SignalOrigin) -> Void
    ) throws(SystemError) {
        try block(signals)
        for signal in signals {
            signalWatches.append(try SignalWatch(loop: self, signal: signal) { handler(signal, $0) })
        }
    }

    /// Sends keep-alive messages to the service manager, at half of its watchdog interval, while the loop is running.
    /// It does so only if the service manager requests them (WATCHDOG_USEC). Returns whether it does.
    @discardableResult
    public func watchdog() throws(SystemError) -> Bool {
        try checked("enable the service watchdog", sd_event_set_watchdog(event, 1)) > 0
    }
}
