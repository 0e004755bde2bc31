import Glibc

/// An owned file descriptor. It is closed when this value goes out of scope; no other code may close it.
public struct FileDescriptor: ~Copyable, Sendable {
    /// The descriptor's number, valid while this value exists.
    public let number: Int32

    /// Takes ownership of an open descriptor that no other code will close.
    public init(owning number: Int32) { self.number = number }

    deinit { _ = Glibc.close(number) }

    /// Gives up ownership and returns the number. The caller must close the descriptor.
    public consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }

    /// Returns a second descriptor for the same open file, with close-on-exec set.
    public borrowing func duplicate() throws(SystemError) -> FileDescriptor {
        // The third argument is the lowest number that the new descriptor may have.
        let copy = try systemCall("duplicate a descriptor") { fcntl(number, F_DUPFD_CLOEXEC, 0) }
        return FileDescriptor(owning: copy)
    }
}

/// The three descriptors that every process starts with.
public enum StandardDescriptor {
    /// Standard input.
    public static let input: Int32 = 0
    /// Standard output.
    public static let output: Int32 = 1
    /// Standard error.
    public static let error: Int32 = 2
}

/// Makes a descriptor non-blocking, so that reads and writes return at once.
public func setNonBlocking(_ descriptor: Int32) throws(SystemError) {
    let flags = try systemCall("read a descriptor's flags") { fcntl(descriptor, F_GETFL) }
    try systemCall("make a descriptor non-blocking") { fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
}

/// Returns whether a descriptor refers to a terminal.
public func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }
