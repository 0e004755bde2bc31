import CLinux
import Glibc

/// Descriptors that a peer passes along with its bytes. See SCM_RIGHTS in unix(7).
///
/// puckd wants none. If puckd takes one, or closes a socket with one unread in it, that descriptor may be the last one
/// of its open file. The kernel then closes the file in puckd's own call, and for a TCP socket with SO_LINGER this
/// takes as long as the peer likes. So puckd asks the kernel to refuse descriptors. If the kernel cannot, puckd peeks
/// at the bytes and reads them only if no descriptor comes with them, and it closes the socket on another thread.
enum PassedDescriptors {
    /// SO_PASSRIGHTS of Linux 6.16, which the C library's headers do not define yet. See asm-generic/socket.h.
    private static let option: Int32 = 83

    /// Makes the kernel refuse descriptors on `socket`, and on connections made to it from now on. Returns false if the
    /// kernel cannot do so.
    @discardableResult
    static func refuse(on socket: Int32) -> Bool {
        var off: Int32 = 0
        return setsockopt(socket, SOL_SOCKET, option, &off, socklen_t(MemoryLayout<Int32>.size)) == 0
    }

    /// Returns whether the socket may contain descriptors, now or later. This is true for a connection made before the
    /// kernel was asked to refuse them, because it keeps what was already sent.
    static func mayCome(on socket: Int32) -> Bool {
        var value: Int32 = 1
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(socket, SOL_SOCKET, option, &value, &length) != 0 || value != 0
    }

    /// Makes urgent bytes arrive in line with the other bytes. Otherwise the kernel would drop an urgent byte in the
    /// middle of a read, together with its descriptors, which the peek did not show.
    static func takeUrgentBytesInline(on socket: Int32) {
        var on: Int32 = 1
        _ = setsockopt(socket, SOL_SOCKET, SO_OOBINLINE, &on, socklen_t(MemoryLayout<Int32>.size))
    }
}

/// Receives available bytes from a socket, at most `limit`, and passes them to `take`. If descriptors come with them,
/// it fails and leaves everything in the socket.
func receiveBytesAlone(
    from descriptor: Int32, atMost limit: Int, _ take: (UnsafeRawBufferPointer) -> Void
) -> Transfer {
    withUnsafeTemporaryAllocation(byteCount: limit, alignment: 1) { buffer in
        switch look(at: descriptor, into: buffer) {
        // A peek ends at the bytes that carry descriptors, so the bytes before them carry none.
        case .bytes(let count):
            return receive(from: descriptor, atMost: count, take)
        case let other:
            return other
        }
    }
}

/// Peeks at the bytes that the next receive would return. They stay in the socket.
private func look(at descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
    var part = iovec(iov_base: buffer.baseAddress, iov_len: buffer.count)
    return withUnsafeMutablePointer(to: &part) { part in
        var message = msghdr()
        message.msg_iov = part
        message.msg_iovlen = 1
        let flags = Int32(MSG_DONTWAIT) | Int32(MSG_PEEK) | Int32(MSG_CMSG_CLOEXEC)
        switch interruptible({ recvmsg(descriptor, &message, flags) }) {
        // The message has no room for descriptors, so the kernel reports truncation if there are any.
        case .success where message.msg_flags & Int32(MSG_CTRUNC) != 0:
            return .failed(SystemError("receive", code: EPERM, message: "puckd accepts no descriptors"))
        case .success(0): return .closed
        case .success(let count): return .bytes(count)
        case .failure(EAGAIN), .failure(EWOULDBLOCK): return .wouldBlock
        case .failure(ECONNRESET): return .closed
        case .failure(let code): return .failed(SystemError("receive", code: code))
        }
    }
}
