import CLinux
import Glibc

/// What came of one attempt to move bytes.
public enum Transfer: Hashable, Sendable {
    /// That many bytes moved; at least one, unless none was asked for.
    case bytes(Int)
    /// Nothing can move now: wait until the descriptor is ready.
    case wouldBlock
    /// The other end is closed.
    case closed
    /// It failed for good.
    case failed(SystemError)
}

/// Receives what a socket has, up to the size of `buffer`.
public func receive(from descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
    incoming("receive", asked: buffer.count) { recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)) }
}

/// Receives what a socket has, `limit` bytes at the most, and gives it to `take`.
public func receive(from descriptor: Int32, atMost limit: Int, _ take: (UnsafeRawBufferPointer) -> Void) -> Transfer {
    withUnsafeTemporaryAllocation(byteCount: limit, alignment: 1) { buffer in
        let transfer = receive(from: descriptor, into: buffer)
        if case .bytes(let count) = transfer { take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
        return transfer
    }
}

/// Sends what a socket takes of `bytes`. A closed other end is told as `.closed`, never by a signal.
public func send(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Transfer {
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    return outgoing("send") { Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags) }
}

/// Tells a socket's other end that nothing more is sent to it; what it sends is still received. (shutdown(2))
public func endSending(on descriptor: Int32) {
    // It can fail only where the other end is gone, which it then knows.
    _ = shutdown(descriptor, Int32(SHUT_WR))
}

/// Reads what any descriptor (a pipe, a terminal, a file) has, up to the size of `buffer`. It blocks where the
/// descriptor does.
public func read(from descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
    incoming("read", asked: buffer.count) { Glibc.read(descriptor, buffer.baseAddress, buffer.count) }
}

/// Writes what any descriptor takes of `bytes`. It blocks where the descriptor does; a closed pipe raises SIGPIPE
/// unless that is ignored.
public func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Transfer {
    outgoing("write") { Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
}

/// Writes all of `bytes` to a descriptor that blocks, such as a file or standard output.
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

/// Writes all of `bytes` to a descriptor that blocks, such as a file or standard output.
public func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
    // A closure's typed throw is not carried through here by Swift 6.0, hence the result.
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
    // A peer that went away with bytes unread resets a stream; a terminal whose other end closed says EIO.
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
