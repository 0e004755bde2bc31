import Glibc
import PuckSystem

/// A TCP connection that takes as long to close as its peer likes: it has unsent data, SO_LINGER of one minute, and a
/// peer that does not read.
public final class SlowToClose {
    private var number: Int32
    private let listener: Int32
    private let peer: Int32

    /// Creates a connection and holds both of its ends.
    public init() throws {
        let type = Int32(SOCK_STREAM.rawValue)
        listener = socket(AF_INET, type, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listening = listener
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listening, $0, length) == 0 && listen(listening, 1) == 0
                    && getsockname(listening, $0, &length) == 0
            }
        }
        guard isBound else { throw KitError.system("listen") }
        number = socket(AF_INET, type, 0)
        let own = number
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(own, $0, length) == 0 }
        }
        guard isConnected else { throw KitError.system("connect") }
        peer = accept(listener, nil, nil)
        try setNonBlocking(number)
        let bytes = [UInt8](repeating: 0, count: 65_536)
        while write(number, bytes, bytes.count) > 0 {}
        var patience = linger(l_onoff: 1, l_linger: 60)
        let size = socklen_t(MemoryLayout<linger>.size)
        // Make it blocking again, because a non-blocking socket closes at once.
        guard setsockopt(number, SOL_SOCKET, SO_LINGER, &patience, size) == 0, fcntl(number, F_SETFL, 0) == 0 else {
            throw KitError.system("set SO_LINGER")
        }
    }

    deinit {
        if number >= 0 { close(number) }
        close(peer)
        close(listener)
    }

    /// Passes the connection's descriptor on `socket` along with `bytes`, and closes it here. Returns errno, or 0 on
    /// success.
    public func handOver(on socket: Int32, with bytes: [UInt8], flags: Int32 = 0) -> Int32 {
        let error = sendDescriptor(number, on: socket, with: bytes, flags: flags)
        close(number)
        number = -1
        return error
    }
}

/// Sends bytes with one descriptor, using sendmsg(2). Returns errno, or 0 on success.
public func sendDescriptor(_ descriptor: Int32, on socket: Int32, with bytes: [UInt8], flags: Int32 = 0) -> Int32 {
    // A control message with one descriptor on a 64-bit host: a header of 16 bytes, and 4 of 8 bytes. See cmsg(3).
    var control = [UInt8](repeating: 0, count: 24)
    control.withUnsafeMutableBytes {
        $0.storeBytes(of: UInt(20), toByteOffset: 0, as: UInt.self)
        $0.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: Int32.self)
        $0.storeBytes(of: 1, toByteOffset: 12, as: Int32.self)
        $0.storeBytes(of: descriptor, toByteOffset: 16, as: Int32.self)
    }
    var bytes = bytes
    return bytes.withUnsafeMutableBytes { bytes in
        control.withUnsafeMutableBytes { control in
            var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
            return withUnsafeMutablePointer(to: &part) { part in
                var message = msghdr()
                message.msg_iov = part
                message.msg_iovlen = 1
                message.msg_control = control.baseAddress
                message.msg_controllen = control.count
                return sendmsg(socket, &message, flags | Int32(MSG_NOSIGNAL)) < 0 ? errno : 0
            }
        }
    }
}
