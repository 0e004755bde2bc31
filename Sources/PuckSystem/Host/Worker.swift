import CLinux
import Glibc
import Synchronization

/// One thread that runs jobs in the order of submission. Use it for calls that may block: a disk, a name service. Send
/// results to the event loop through a `Sender`. After `close()`, or when the last reference goes away, the thread
/// finishes the waiting jobs and ends.
public final class Worker: Sendable {
    /// A piece of work. It runs on the worker's thread.
    public typealias Job = @Sendable () -> Void

    private let shared: Shared

    /// Creates a worker with at most `limit` waiting jobs, not counting the job that runs.
    public init(limit: Int) throws(SystemError) {
        let shared = try Shared(limit: limit)
        self.shared = shared
        try runInBackground { shared.work() }
    }

    deinit { shared.close() }

    /// Submits a job. Returns false, and does not run the job, if too many jobs wait or the worker is closed.
    public func submit(_ job: @escaping Job) -> Bool { shared.submit(job) }

    /// Refuses further jobs. Jobs that already wait still run.
    public func close() { shared.close() }

    /// Closes the worker and waits up to `seconds` for all submitted jobs. Returns whether they are done. It blocks, so
    /// use it only when the program ends.
    public func finish(within seconds: Double) -> Bool {
        guard let done = try? shared.finished() else { return false }
        return (try? waitUntilReady(done.number, for: .readable, timeout: seconds)) != nil
    }
}

/// The state that the worker and its thread share. The thread holds the last reference.
private final class Shared: Sendable {
    private struct Jobs {
        var waiting: [Worker.Job] = []
        var isOpen = true
    }

    private let limit: Int
    private let jobs = Mutex(Jobs())
    /// An eventfd(2), readable if a job waits or the worker is closed. Reading it blocks.
    private let wake: FileDescriptor
    /// An eventfd(2), readable once the worker is closed and no job waits or runs.
    private let done: FileDescriptor

    init(limit: Int) throws(SystemError) {
        self.limit = limit
        wake = FileDescriptor(
            owning: try systemCall("create an event descriptor") { eventfd(0, Int32(EFD_CLOEXEC)) })
        done = FileDescriptor(
            owning: try systemCall("create an event descriptor") { eventfd(0, Int32(EFD_CLOEXEC)) })
    }

    func submit(_ job: @escaping Worker.Job) -> Bool {
        let isTaken = jobs.withLock { jobs in
            guard jobs.isOpen, jobs.waiting.count < limit else { return false }
            jobs.waiting.append(job)
            return true
        }
        if isTaken { ring() }
        return isTaken
    }

    func close() {
        jobs.withLock { $0.isOpen = false }
        ring()
    }

    /// Closes the worker, and returns a descriptor that becomes readable once all jobs are done.
    func finished() throws(SystemError) -> FileDescriptor {
        close()
        return try done.duplicate()
    }

    func work() {
        while true {
            var count: eventfd_t = 0
            _ = interruptible { eventfd_read(wake.number, &count) }
            while let job = jobs.withLock({ $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }) { job() }
            guard jobs.withLock({ $0.isOpen || !$0.waiting.isEmpty }) else { break }
        }
        _ = interruptible { eventfd_write(done.number, 1) }
    }

    /// Wakes the thread. This fails only if the counter is at its maximum, and then the thread is awake anyway.
    private func ring() { _ = interruptible { eventfd_write(wake.number, 1) } }
}
