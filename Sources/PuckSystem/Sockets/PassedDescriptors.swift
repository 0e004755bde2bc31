import CLinux
import Glibc

/// Descriptors that a peer hands over along with its bytes (SCM_RIGHTS, unix(7)).
///
/// puckd wants none. One that it takes, or leaves unread in a socket that it closes, may be the last of its open file: the
/// kernel then closes that file within puckd's own call, and with SO_LINGER on a TCP socket this takes as long as the
/// peer likes. So nobody may hand over any, where the kernel can see to it; elsewhere a socket is only looked at until
/// it is sure that none comes with what is read, and is closed on another thread.
enum PassedDescriptors {
    /// SO_PASSRIGHTS of Linux 6.16, which the C library's headers do not know yet. (asm-generic/socket.h)
    private static let option: Int32 = 83

    /// Has the kernel refuse descriptors on `socket`, and on connections made to it from now on. False if it can't.
    @discardableResult
    static func refuse(on socket: Int32) -> Bool {
        var off: Int32 = 0
        return setsockopt(socket, SOL_SOCKET, option, &off, socklen_t(MemoryLayout<Int32>.size)) == 0
    }

    /// Whether descriptors may have been handed over, or may still be: true for a connection that was made before the
    /// kernel was asked to refuse them, since what is in it stays in it.
    static func mayCome(on socket: Int32) -> Bool {
        var value: Int32 = 1
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(socket, SOL_SOCKET, option, &value, &length) != 0 || value != 0
    }

    /// Makes an urgent byte come in its place among the others. Else the kernel would drop it in the midst of a read,
    /// with the descriptors at it, though they were not seen before.
    static func takeUrgentBytesInline(on socket: Int32) {
        var on: Int32 = 1
        _ = setsockopt(socket, SOL_SOCKET, SO_OOBINLINE, &on, socklen_t(MemoryLayout<Int32>.size))
    }
}

/// Receives what a socket has, `limit` bytes at the most, and gives it to `take`. Fails, with nothing taken out of the
/// socket, if descriptors come with it.
func receiveBytesAlone(
    from descriptor: Int32, atMost limit: Int, _ take: (UnsafeRawBufferPointer) -> Void
) -> Transfer {
    withUnsafeTemporaryAllocation(byteCount: limit, alignment: 1) { buffer in
        switch look(at: descriptor, into: buffer) {
        // The kernel ends a look at the bytes with which descriptors come: before those there are none.
        case .bytes(let count):
            return receive(from: descriptor, atMost: count, take)
        case let other:
            return other
        }
    }
}

/// What a receive would give, which stays where it is.
private func look(at descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
    var part = iovec(iov_base: buffer.baseAddress, iov_len: buffer.count)
    return withUnsafeMutablePointer(to: &part) { part in
        var message = msghdr()
        message.msg_iov = part
        message.msg_iovlen = 1
        let flags = Int32(MSG_DONTWAIT) | Int32(MSG_PEEK) | Int32(MSG_CMSG_CLOEXEC)
        switch interruptible({ recvmsg(descriptor, &message, flags) }) {
        // There is no room for descriptors: if some come, the kernel says that it left something out.
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
