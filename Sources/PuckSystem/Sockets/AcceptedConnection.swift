import Glibc

/// An accepted connection of a listening Unix socket, on which no descriptor of the peer's is ever taken over.
public final class AcceptedConnection {
    /// The socket's number, valid until it is closed.
    public let number: Int32
    /// Whether descriptors may lie in it unread. Its closing may then take long, and is for another thread.
    public let mayHoldDescriptors: Bool
    private var owned: FileDescriptor?

    /// Takes over a socket that was accepted just now.
    public init(_ socket: consuming FileDescriptor) {
        number = socket.number
        mayHoldDescriptors = PassedDescriptors.mayCome(on: socket.number)
        if mayHoldDescriptors {
            PassedDescriptors.refuse(on: socket.number)
            PassedDescriptors.takeUrgentBytesInline(on: socket.number)
        }
        owned = consume socket
    }

    /// Receives what there is, `limit` bytes at the most, and gives it to `take`. Fails if a descriptor came along.
    public func receive(atMost limit: Int, _ take: (UnsafeRawBufferPointer) -> Void) -> Transfer {
        mayHoldDescriptors
            ? receiveBytesAlone(from: number, atMost: limit, take)
            : PuckSystem.receive(from: number, atMost: limit, take)
    }

    /// Gives the socket away; nil if it is closed or given away already.
    public func release() -> FileDescriptor? { owned.take() }

    /// Closes it here, if that takes no time. True if it is closed, or was already; else `closer` does it and reports.
    public func close(with closer: SocketCloser, of user: UInt32) -> Bool {
        guard let socket = owned.take() else { return true }
        guard mayHoldDescriptors else { return true }
        closer.close(socket, of: user)
        return false
    }
}
