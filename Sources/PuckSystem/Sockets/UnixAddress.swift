import CLinux
import Glibc

/// The address of a Unix socket in the file system. See unix(7).
struct UnixAddress {
    let path: String
    private var address = sockaddr_un()

    /// The longest path in an address, in bytes of UTF-8, without the final zero byte.
    static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    init(path: String) throws(SystemError) {
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, !bytes.contains(0) else {
            throw SystemError("use “\(path)” as a socket", code: EINVAL, message: "a path is expected")
        }
        guard bytes.count <= UnixAddress.longestPath else {
            throw SystemError(
                "use \(path) as a socket", code: ENAMETOOLONG,
                message: "the path has \(bytes.count) bytes; a socket's may have \(UnixAddress.longestPath) at most")
        }
        self.path = path
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    }

    /// Calls `body` with the arguments that bind(2) and connect(2) take.
    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

/// Creates a non-blocking stream socket.
func streamSocket(_ family: Int32) throws(SystemError) -> FileDescriptor {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    return FileDescriptor(owning: try systemCall("create a socket") { socket(family, type, 0) })
}

/// Connects to the Unix stream socket at `path`, and returns a non-blocking socket. It never waits: if the listener's
/// queue is full, it throws EAGAIN.
public func connectUnix(_ path: String) throws(SystemError) -> FileDescriptor {
    let address = try UnixAddress(path: path)
    let socket = try streamSocket(AF_UNIX)
    let number = socket.number
    try systemCall("connect to \(path)") { address.withPointer { connect(number, $0, $1) } }
    return socket
}

/// Creates two non-blocking Unix stream sockets, connected to each other.
public func socketPair() throws(SystemError) -> SocketPair {
    var numbers: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    try systemCall("create a pair of sockets") { socketpair(AF_UNIX, type, 0, &numbers) }
    return SocketPair(first: FileDescriptor(owning: numbers[0]), second: FileDescriptor(owning: numbers[1]))
}

/// The two ends of a connection. The type is frozen so that each end can be moved out of it.
@frozen
public struct SocketPair: ~Copyable {
    /// One end.
    public let first: FileDescriptor
    /// The other end.
    public let second: FileDescriptor
}

/// Sets the size of a socket's send buffer in bytes: the data that the kernel keeps until the peer reads it. The kernel
/// doubles the number to allow for its own overhead. See SO_SNDBUF in socket(7).
public func setSendBuffer(_ bytes: Int32, of socket: Int32) throws(SystemError) {
    var bytes = bytes
    try systemCall("set a socket's send buffer") {
        setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }
}
