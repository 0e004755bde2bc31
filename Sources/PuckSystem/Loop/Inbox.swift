import CLinux
import Glibc
import Synchronization

/// A letter box of the event loop: the end that stays on the loop's thread. Messages come in the order of sending. It
/// closes with `close()`, or with its last reference; what is sent after is dropped.
public final class Inbox<Message: Sendable> {
    /// The end for other threads.
    public let sender: Sender<Message>
    private var watch: IOWatch?

    init(loop: EventLoop, handler: @escaping (Message) -> Void) throws(SystemError) {
        let sender = try Sender<Message>()
        self.sender = sender
        watch = try loop.watch(sender.wake.number, for: .readable) { _ in
            for message in sender.takeAll() where !sender.isClosed { handler(message) }
        }
    }

    deinit { close() }

    /// Takes no more messages, and drops those that wait.
    public func close() {
        watch?.cancel()
        watch = nil
        sender.close()
    }
}

/// The end of an `Inbox` that any thread may use.
public final class Sender<Message: Sendable>: Sendable {
    /// Counts what was sent, so that the loop wakes up. (eventfd(2))
    let wake: FileDescriptor
    /// What waits for the loop; nil once the letter box is closed.
    private let waiting = Mutex<[Message]?>([])

    init() throws(SystemError) {
        let flags = Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)
        wake = FileDescriptor(owning: try systemCall("create an event descriptor") { eventfd(0, flags) })
    }

    /// Sends a message. It is dropped where the letter box is closed.
    public func send(_ message: Message) {
        let wakes = waiting.withLock { waiting in
            waiting?.append(message)
            return waiting?.count == 1
        }
        guard wakes else { return }
        // It can fail only where the counter is at its greatest, and then the loop is awake anyway.
        _ = interruptible { eventfd_write(wake.number, 1) }
    }

    /// All that waits. The counter is put back first, so that what comes in between wakes the loop again.
    func takeAll() -> [Message] {
        var count: eventfd_t = 0
        _ = interruptible { eventfd_read(wake.number, &count) }
        return waiting.withLock { waiting in
            defer { if waiting != nil { waiting = [] } }
            return waiting ?? []
        }
    }

    /// Whether the letter box is closed.
    var isClosed: Bool { waiting.withLock { $0 == nil } }

    func close() { waiting.withLock { $0 = nil } }
}
