import CLinux
import Glibc
import Synchronization

/// One thread that does jobs in the order of asking, for calls that may block: a disk, a name service. Results go to the
/// loop through a `Sender`. The thread ends after `close()`, or with the last reference, once the jobs that wait are done.
public final class Worker: Sendable {
    /// A piece of work. It runs on the worker's thread.
    public typealias Job = @Sendable () -> Void

    private let shared: Shared

    /// A worker for which at most `limit` jobs wait, the one in progress not counted.
    public init(limit: Int) throws(SystemError) {
        let shared = try Shared(limit: limit)
        self.shared = shared
        try runInBackground { shared.work() }
    }

    deinit { shared.close() }

    /// Hands a job over. False if too many wait, or the worker is closed: the job is not done.
    public func submit(_ job: @escaping Job) -> Bool { shared.submit(job) }

    /// Takes no more jobs; those that wait are done.
    public func close() { shared.close() }

    /// Waits until all jobs handed over so far are done, `seconds` at most. False if they are not. It blocks: only for a
    /// program's end.
    public func finish(within seconds: Double) -> Bool {
        guard let done = try? shared.finished() else { return false }
        return (try? waitUntilReady(done.number, for: .readable, timeout: seconds)) != nil
    }
}

/// What the worker's owner and its thread share. The thread holds it alone in the end.
private final class Shared: Sendable {
    private struct Jobs {
        var waiting: [Worker.Job] = []
        var isOpen = true
    }

    private let limit: Int
    private let jobs = Mutex(Jobs())
    /// Readable if a job waits, or the worker is closed. (eventfd(2); it blocks its reader)
    private let wake: FileDescriptor
    /// Readable once no job waits or runs, and the worker takes no more.
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

    /// Takes no more jobs, and gives the descriptor that is readable once all are done.
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

    /// It can fail only if the counter is at its greatest, and then the thread is awake anyway.
    private func ring() { _ = interruptible { eventfd_write(wake.number, 1) } }
}
