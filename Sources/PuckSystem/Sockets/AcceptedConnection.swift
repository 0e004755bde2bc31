import Glibc

/// An accepted connection of a listening Unix socket. It never takes descriptors from the peer.
public final class AcceptedConnection {
    /// The socket's number, valid until the connection is closed.
    public let number: Int32
    /// Whether the socket may contain unread descriptors. Closing it may then take long, and must happen on another
    /// thread.
    public let mayHoldDescriptors: Bool
    private var owned: FileDescriptor?

    /// Takes ownership of a newly accepted socket.
    public init(_ socket: consuming FileDescriptor) {
        number = socket.number
        mayHoldDescriptors = PassedDescriptors.mayCome(on: socket.number)
        if mayHoldDescriptors {
            PassedDescriptors.refuse(on: socket.number)
            PassedDescriptors.takeUrgentBytesInline(on: socket.number)
        }
        owned = consume socket
    }

    /// Receives available bytes, at most `limit`, and passes them to `take`. Fails if a descriptor comes with them.
    public func receive(atMost limit: Int, _ take: (UnsafeRawBufferPointer) -> Void) -> Transfer {
        mayHoldDescriptors
            ? receiveBytesAlone(from: number, atMost: limit, take)
            : PuckSystem.receive(from: number, atMost: limit, take)
    }

    /// Gives up ownership of the socket and returns it; nil if it is already closed or released.
    public func release() -> FileDescriptor? { owned.take() }

    /// Closes the connection. Returns true if it is closed. If closing may take long, returns false and leaves it to
    /// `closer`, which reports when it is done.
    public func close(with closer: SocketCloser, of user: UInt32) -> Bool {
        guard let socket = owned.take() else { return true }
        guard mayHoldDescriptors else { return true }
        closer.close(socket, of: user)
        return false
    }
}
