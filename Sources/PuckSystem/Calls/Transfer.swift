import CLinux
import Glibc

/// The result of one attempt to move bytes.
public enum Transfer: Hashable, Sendable {
    /// The number of bytes moved: at least 1, unless 0 were requested.
    case bytes(Int)
    /// No bytes can move now. Wait until the descriptor is ready.
    case wouldBlock
    /// The other end is closed.
    case closed
    /// A permanent failure.
    case failed(SystemError)
}

/// Receives available bytes from a socket, at most the size of `buffer`. It never blocks.
public func receive(from descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
    incoming("receive", asked: buffer.count) { recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)) }
}

/// Receives available bytes from a socket, at most `limit`, and passes them to `take`. It never blocks.
public func receive(from descriptor: Int32, atMost limit: Int, _ take: (UnsafeRawBufferPointer) -> Void) -> Transfer {
    withUnsafeTemporaryAllocation(byteCount: limit, alignment: 1) { buffer in
        let transfer = receive(from: descriptor, into: buffer)
        if case .bytes(let count) = transfer { take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
        return transfer
    }
}

/// Sends as many of `bytes` as the socket accepts. It never blocks. If the other end is closed, it returns `.closed`
/// and raises no SIGPIPE.
public func send(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Transfer {
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    return outgoing("send") { Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags) }
}

/// Closes the sending half of a socket. The other end can still send. See shutdown(2).
public func endSending(on descriptor: Int32) {
    // This fails only if the other end is gone, and then there is nothing left to do.
    _ = shutdown(descriptor, Int32(SHUT_WR))
}

/// Reads available bytes from any descriptor (a pipe, a terminal, a file), at most the size of `buffer`. It blocks if
/// the descriptor is blocking.
public func read(from descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
    incoming("read", asked: buffer.count) { Glibc.read(descriptor, buffer.baseAddress, buffer.count) }
}

/// Writes as many of `bytes` as any descriptor accepts. It blocks if the descriptor is blocking. A closed pipe raises
/// SIGPIPE, unless the process ignores that signal.
public func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Transfer {
    outgoing("write") { Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
}

/// Writes all of `bytes` to a blocking descriptor, such as a file or standard output. Throws EAGAIN if the descriptor
/// is non-blocking and full, and EPIPE if the other end is closed.
public func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
        switch write(UnsafeRawBufferPointer(rebasing: rest), to: descriptor) {
        case .bytes(let count): rest = rest.dropFirst(count)
        case .wouldBlock: throw SystemError("write", code: EAGAIN)
        case .closed: throw SystemError("write", code: EPIPE)
        case .failed(let error): throw error
        }
    }
}

/// Writes all of `bytes` to a blocking descriptor, such as a file or standard output. Throws EAGAIN if the descriptor
/// is non-blocking and full, and EPIPE if the other end is closed.
public func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
    // Swift 6.0 does not carry a closure's typed throw through `withUnsafeBytes`, so the closure returns a `Result`.
    let result: Result<Void, SystemError> = bytes.withUnsafeBytes { buffer in
        do throws(SystemError) { return .success(try writeAll(buffer, to: descriptor)) } catch {
            return .failure(error)
        }
    }
    try result.get()
}

private func incoming(_ operation: String, asked: Int, _ call: () -> Int) -> Transfer {
    switch interruptible(call) {
    case .success(0) where asked > 0: .closed
    case .success(let count): .bytes(count)
    case .failure(EAGAIN), .failure(EWOULDBLOCK): .wouldBlock
    // ECONNRESET: the peer closed a stream with unread bytes in it. EIO: the other end of a terminal is closed.
    case .failure(ECONNRESET), .failure(EIO): .closed
    case .failure(let code): .failed(SystemError(operation, code: code))
    }
}

private func outgoing(_ operation: String, _ call: () -> Int) -> Transfer {
    switch interruptible(call) {
    case .success(let count): .bytes(count)
    case .failure(EAGAIN), .failure(EWOULDBLOCK): .wouldBlock
    case .failure(EPIPE), .failure(ECONNRESET): .closed
    case .failure(let code): .failed(SystemError(operation, code: code))
    }
}
