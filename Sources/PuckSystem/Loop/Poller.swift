import CLinux
import CSystemd
import Glibc

/// All watched descriptors of a loop, in an epoll set that is itself one source of sd-event.
///
/// sd-event asks the kernel for all that is ready before each single event, which makes n ready descriptors cost n²:
/// 5.1 s of processor time for 4,000 of them, against 12 ms here. (measured; release build)
final class Poller {
    private let epoll: FileDescriptor
    private var source: EventSource?
    /// The watches by token. Unretained: a watch takes itself out when it ends. A token is never used twice, so what
    /// is ready for a watch that ended meanwhile finds nobody.
    private var watches: [UInt64: Unmanaged<IOWatch>] = [:]
    private var lastToken: UInt64 = 0

    /// The poller that comes after this one, but not so long after it that it never has its turn.
    private let next: Poller?
    private var served = Clocks.now.monotonic
    /// Called after each batch.
    var afterBatch: [() -> Void] = []

    /// How many ready descriptors are served before timers and signals have their turn.
    private static let batch = 256
    /// How long the next poller waits at the most while this one has something to do, seconds.
    private static let longestWait = 0.01

    init(event: OpaquePointer, priority: Int64, before next: Poller? = nil) throws(SystemError) {
        self.next = next
        epoll = FileDescriptor(
            owning: try systemCall("create an epoll set") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
        let (number, data) = (epoll.number, Unmanaged.passUnretained(self).toOpaque())
        source = try EventSource("watch the epoll set") { created in
            sd_event_add_io(
                event, created, number, EPOLLIN.rawValue,
                { _, _, _, data in
                    guard let data else { return 0 }
                    Unmanaged<Poller>.fromOpaque(data).takeUnretainedValue().serveBatch()
                    return 0
                }, data)
        }
        try source?.setPriority(priority)
    }

    /// Watches `descriptor` on behalf of `watch`; returns the token to speak of it by.
    func add(_ descriptor: Int32, _ interest: Readiness, _ watch: IOWatch) throws(SystemError) -> UInt64 {
        lastToken += 1
        var event = epoll_event(events: interest.rawValue, data: epoll_data_t(u64: lastToken))
        let set = epoll.number
        try systemCall("watch descriptor \(descriptor)") { epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event) }
        watches[lastToken] = Unmanaged.passUnretained(watch)
        return lastToken
    }

    func change(_ descriptor: Int32, _ interest: Readiness, _ token: UInt64) {
        var event = epoll_event(events: interest.rawValue, data: epoll_data_t(u64: token))
        let set = epoll.number
        // It can fail only where the descriptor was closed before its watch, against the rule of `EventLoop.watch`.
        _ = interruptible { epoll_ctl(set, EPOLL_CTL_MOD, descriptor, &event) }
    }

    func remove(_ descriptor: Int32, _ token: UInt64) {
        watches[token] = nil
        let set = epoll.number
        _ = interruptible { epoll_ctl(set, EPOLL_CTL_DEL, descriptor, nil) }
    }

    /// Serves what is ready now, and then the poller that comes after, if that has waited for long.
    func serveBatch() {
        serveDescriptors()
        for work in afterBatch { work() }
        guard let next else {
            served = Clocks.now.monotonic
            return
        }
        next.serveIfOverdue()
    }

    /// Serves a batch, if that has not been done for long.
    func serveIfOverdue() {
        if Clocks.now.monotonic.seconds(since: served) > Poller.longestWait { serveBatch() }
    }

    private func serveDescriptors() {
        let set = epoll.number
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Poller.batch) { events in
            // The kernel puts what it tells of last in the queue, so that each descriptor has its turn.
            guard let start = events.baseAddress,
                case .success(let count) = interruptible({ epoll_wait(set, start, Int32(Poller.batch), 0) })
            else { return }
            for event in events.prefix(Int(count)) {
                // Retained while the handler runs, which may drop the last reference of others.
                watches[event.data.u64]?.takeUnretainedValue().fire(Readiness(rawValue: event.events))
            }
        }
    }
}
