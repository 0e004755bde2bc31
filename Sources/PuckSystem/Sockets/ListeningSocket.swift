import CLinux
import CSystemd
import Glibc

/// A stream socket that waits for connections: a Unix socket, created here or passed by the service manager, or a TCP
/// port on the loopback interface.
public final class ListeningSocket {
    private let socket: FileDescriptor
    private var file: SocketFile?

    /// The descriptor, to watch.
    public var descriptor: Int32 { socket.number }

    /// The largest number of connections that wait to be accepted: Linux's default for net.core.somaxconn.
    private static let backlog: Int32 = 4_096

    /// Listens on a Unix socket at `path` with exactly the permission bits `mode`. It replaces a socket file on which
    /// no process listens, and throws EADDRINUSE if a process does. With `refusingDescriptors`, the default, the kernel
    /// refuses descriptors that peers pass with their bytes, if it can. Tests set it to false to see the behaviour of
    /// an older kernel.
    public init(path: String, mode: UInt32, refusingDescriptors: Bool = true) throws(SystemError) {
        socket = try streamSocket(AF_UNIX)
        file = try SocketFile(path: path, mode: mode, binding: socket)
        let number = socket.number
        if refusingDescriptors { PassedDescriptors.refuse(on: number) }
        do {
            try systemCall("listen on \(path)") { listen(number, ListeningSocket.backlog) }
        } catch {
            file?.remove()
            throw error
        }
    }

    /// Adopts a listening Unix stream socket that another process created and will remove.
    init(adopting descriptor: consuming FileDescriptor) throws(SystemError) {
        let number = descriptor.number
        let suits = try checked(
            "look at the socket from the service manager",
            sd_is_socket_unix(number, Int32(SOCK_STREAM.rawValue), 1, nil, 0))
        guard suits > 0 else {
            throw SystemError(
                "use the socket from the service manager", code: EINVAL,
                message: "a listening Unix stream socket is expected (ListenStream= with a path)")
        }
        try setNonBlocking(number)
        PassedDescriptors.refuse(on: number)
        socket = descriptor
    }

    /// Returns the socket that the service manager passes (socket activation); nil if there is none. Throws EINVAL if
    /// there are several, or if it is not a listening Unix stream socket.
    public static func fromServiceManager() throws(SystemError) -> ListeningSocket? {
        let count = try checked("take over sockets from the service manager", sd_listen_fds(1))
        guard count > 0 else { return nil }
        guard count == 1 else {
            throw SystemError(
                "take over sockets from the service manager", code: EINVAL, message: "one is expected, \(count) came")
        }
        return try ListeningSocket(adopting: FileDescriptor(owning: SD_LISTEN_FDS_START))
    }

    /// Listens on a TCP port of 127.0.0.1. If `loopbackPort` is 0, the host chooses a port, and `port` returns it.
    public init(loopbackPort: UInt16) throws(SystemError) {
        socket = try streamSocket(AF_INET)
        let number = socket.number
        var on: Int32 = 1
        try systemCall("reuse a port") {
            setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        }
        let address = loopback(loopbackPort)
        try systemCall("bind port \(loopbackPort)") { withSocketAddress(address) { bind(number, $0, $1) } }
        try systemCall("listen on port \(loopbackPort)") { listen(number, ListeningSocket.backlog) }
    }

    /// The TCP port; nil for a Unix socket.
    public var port: UInt16? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let number = socket.number
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(number, $0, &length) }
        }
        guard result == 0, address.sin_family == sa_family_t(AF_INET) else { return nil }
        return UInt16(bigEndian: address.sin_port)
    }

    deinit { file?.remove() }

    /// Accepts one waiting connection and returns it, non-blocking; nil if none is waiting.
    public func accept() throws(SystemError) -> FileDescriptor? {
        let flags = Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let number = socket.number
        while true {
            switch interruptible({ accept4(number, nil, nil, flags) }) {
            case .success(let connection): return FileDescriptor(owning: connection)
            case .failure(EAGAIN), .failure(EWOULDBLOCK): return nil
            // The peer gave up while it waited. Take the next connection.
            case .failure(ECONNABORTED): continue
            case .failure(let code): throw SystemError("accept a connection", code: code)
            }
        }
    }
}

/// Connects to a TCP port of 127.0.0.1. It blocks until the connection is made, which is immediate on the loopback
/// interface. The returned socket is non-blocking.
public func connectLoopback(port: UInt16) throws(SystemError) -> FileDescriptor {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let socket = FileDescriptor(owning: try systemCall("create a socket") { Glibc.socket(AF_INET, type, 0) })
    let number = socket.number
    let address = loopback(port)
    try systemCall("connect to port \(port)") { withSocketAddress(address) { connect(number, $0, $1) } }
    try setNonBlocking(number)
    return socket
}

private func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    // 127.0.0.1 in network byte order. See RFC 1122, section 3.2.1.3.
    address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
    return address
}

private func withSocketAddress<Result>(
    _ address: sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
) -> Result {
    withUnsafePointer(to: address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
}
