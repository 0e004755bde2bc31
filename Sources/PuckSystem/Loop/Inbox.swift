import CLinux
import Glibc
import Synchronization

/// A queue of messages from other threads to the event loop. This end belongs to the loop's thread; messages arrive in
/// the order of sending. It closes with `close()` or with its last reference, and messages sent after that are dropped.
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

    /// Closes the inbox and drops the messages that wait.
    public func close() {
        watch?.cancel()
        watch = nil
        sender.close()
    }
}

/// The sending end of an `Inbox`, which any thread may use.
public final class Sender<Message: Sendable>: Sendable {
    /// An eventfd(2) that wakes the loop when a message arrives.
    let wake: FileDescriptor
    /// The messages that wait for the loop; nil once the inbox is closed.
    private let waiting = Mutex<[Message]?>([])

    init() throws(SystemError) {
        let flags = Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)
        wake = FileDescriptor(owning: try systemCall("create an event descriptor") { eventfd(0, flags) })
    }

    /// Sends a message. It is dropped if the inbox is closed.
    public func send(_ message: Message) {
        let wakes = waiting.withLock { waiting in
            waiting?.append(message)
            return waiting?.count == 1
        }
        guard wakes else { return }
        // This fails only if the counter is at its maximum, and then the loop is awake anyway.
        _ = interruptible { eventfd_write(wake.number, 1) }
    }

    /// Returns all waiting messages. It resets the counter first, so that a message that arrives meanwhile wakes the
    /// loop again.
    func takeAll() -> [Message] {
        var count: eventfd_t = 0
        _ = interruptible { eventfd_read(wake.number, &count) }
        return waiting.withLock { waiting in
            defer { if waiting != nil { waiting = [] } }
            return waiting ?? []
        }
    }

    /// Whether the inbox is closed.
    var isClosed: Bool { waiting.withLock { $0 == nil } }

    func close() { waiting.withLock { $0 = nil } }
}
