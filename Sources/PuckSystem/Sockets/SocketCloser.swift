import CLinux
import Glibc
import PuckCore
import Synchronization

/// Closes sockets that may contain other processes' descriptors, on its own threads. If such a descriptor is the last
/// one of a TCP socket with SO_LINGER, the close takes as long as the TCP peer likes.
///
/// A close that takes too long is interrupted, which ends the wait for the peer. While a thread is stuck, the closer
/// starts another one, up to a limit.
public final class SocketCloser {
    private let shared: ClosingQueue
    private let inbox: Inbox<UInt32>
    private var timer: LoopTimer?
    private let loop: EventLoop

    /// The time in seconds after which a close is interrupted, and the interval between checks.
    static let patience = 0.1
    /// The largest number of threads.
    static let mostThreads = 32

    /// Creates a closer. After each close, it calls `onClosed` on the loop with the user who was charged for the
    /// socket.
    public init(loop: EventLoop, onClosed: @escaping (_ user: UInt32) -> Void) throws(SystemError) {
        self.loop = loop
        inbox = try loop.inbox(of: UInt32.self, onClosed)
        shared = try ClosingQueue(done: inbox.sender)
        installInterruption()
        timer = try loop.timer { [weak self] moment in self?.interrupt(at: moment) }
    }

    deinit { shared.end() }

    /// Closes `socket`. `user` is charged for it until it is closed.
    public func close(_ socket: consuming FileDescriptor, of user: UInt32) {
        shared.add(socket.release(), of: user)
        if timer?.deadline == nil { timer?.arm(at: loop.now.monotonic.advanced(by: Self.patience)) }
    }

    private func interrupt(at moment: Moment) {
        guard shared.interrupt(startedBefore: moment.monotonic.advanced(by: -Self.patience)) else { return }
        timer?.arm(at: moment.monotonic.advanced(by: Self.patience))
    }
}

/// The signal that interrupts a close. It is ignored by default, so a stray one does no harm.
private let interruption = SIGURG

/// Installs a handler that does nothing, without SA_RESTART, so that `interruption` interrupts a system call.
private func installInterruption() {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in }
    sigaction(interruption, &action, nil)
}

/// The state that the closer and its threads share.
private final class ClosingQueue: Sendable {
    private struct Running {
        let thread: pthread_t
        let since: Instant
    }
    private struct State {
        var waiting: [(number: Int32, user: UInt32)] = []
        /// The threads that are closing a socket now.
        var running: [Running] = []
        var threads = 0
        var isOpen = true
    }

    private let state = Mutex(State())
    /// An eventfd(2) that counts the waiting sockets (EFD_SEMAPHORE).
    private let wake: FileDescriptor
    private let done: Sender<UInt32>

    init(done: Sender<UInt32>) throws(SystemError) {
        self.done = done
        let flags = Int32(EFD_CLOEXEC) | Int32(EFD_SEMAPHORE)
        wake = FileDescriptor(owning: try systemCall("create an event descriptor") { eventfd(0, flags) })
    }

    func add(_ number: Int32, of user: UInt32) {
        let needsThread = state.withLock { state in
            state.waiting.append((number, user))
            let idle = state.threads - state.running.count
            guard state.waiting.count > idle, state.threads < SocketCloser.mostThreads else { return false }
            state.threads += 1
            return true
        }
        if needsThread { start() }
        ring()
    }

    func end() {
        let threads = state.withLock { state in
            state.isOpen = false
            return state.threads
        }
        for _ in 0..<threads { ring() }
    }

    private func start() {
        // If no thread can be started, the sockets wait for the existing threads.
        do { try runInBackground { self.work() } } catch { state.withLock { $0.threads -= 1 } }
    }

    private func work() {
        repeat {
            var count: eventfd_t = 0
            _ = interruptible { eventfd_read(wake.number, &count) }
            guard let next = nextSocket() else { continue }
            // close(2) has closed the descriptor even if it was interrupted.
            _ = Glibc.close(next.number)
            done.send(next.user)
        } while goesOn()
    }

    private func nextSocket() -> (number: Int32, user: UInt32)? {
        state.withLock { state in
            guard !state.waiting.isEmpty else { return nil }
            state.running.append(Running(thread: pthread_self(), since: Clocks.now.monotonic))
            return state.waiting.removeFirst()
        }
    }

    /// Returns whether the calling thread should continue. One thread stays for the next socket; the others end when
    /// nothing is left to do.
    private func goesOn() -> Bool {
        state.withLock { state in
            let own = pthread_self()
            state.running.removeAll { $0.thread == own }
            let isNeeded = !state.waiting.isEmpty || (state.isOpen && state.threads == 1)
            if !isNeeded { state.threads -= 1 }
            return isNeeded
        }
    }

    /// Interrupts each close that started before `instant`. Returns whether any socket is still open, so that the
    /// caller checks again.
    func interrupt(startedBefore instant: Instant) -> Bool {
        state.withLock { state in
            for running in state.running where running.since < instant { pthread_kill(running.thread, interruption) }
            return !state.running.isEmpty || !state.waiting.isEmpty
        }
    }

    private func ring() { _ = interruptible { eventfd_write(wake.number, 1) } }
}
