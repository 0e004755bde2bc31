import Glibc

/// The owner of one open file descriptor: it is closed when this goes out of scope, and by nobody else.
public struct FileDescriptor: ~Copyable, Sendable {
    /// The number, valid for as long as this owner lives.
    public let number: Int32

    /// Takes over a descriptor that nobody else will close.
    public init(owning number: Int32) { self.number = number }

    deinit { _ = Glibc.close(number) }

    /// Gives the descriptor away: from here on the caller closes it.
    public consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }

    /// A second descriptor of the same open file.
    public borrowing func duplicate() throws(SystemError) -> FileDescriptor {
        // fcntl's third argument is the least number that the new one may have.
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

/// Makes reads and writes on a descriptor return at once.
public func setNonBlocking(_ descriptor: Int32) throws(SystemError) {
    let flags = try systemCall("read a descriptor's flags") { fcntl(descriptor, F_GETFL) }
    try systemCall("make a descriptor non-blocking") { fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
}

/// Whether a descriptor is a terminal.
public func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }
