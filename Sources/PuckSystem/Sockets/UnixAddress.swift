import CLinux
import Glibc

/// The address of a Unix socket in the file system. (unix(7))
struct UnixAddress {
    let path: String
    private var address = sockaddr_un()

    /// The longest path that an address holds, in bytes of UTF-8, besides the zero at its end.
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

    /// Calls `body` with what bind(2) and connect(2) take.
    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

/// A new, non-blocking stream socket.
func streamSocket(_ family: Int32) throws(SystemError) -> FileDescriptor {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    return FileDescriptor(owning: try systemCall("create a socket") { socket(family, type, 0) })
}

/// Connects to the Unix stream socket at `path`. It never waits: a socket whose queue is full is an error (EAGAIN).
public func connectUnix(_ path: String) throws(SystemError) -> FileDescriptor {
    let address = try UnixAddress(path: path)
    let socket = try streamSocket(AF_UNIX)
    let number = socket.number
    try systemCall("connect to \(path)") { address.withPointer { connect(number, $0, $1) } }
    return socket
}

/// Two stream sockets, connected to each other.
public func socketPair() throws(SystemError) -> SocketPair {
    var numbers: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    try systemCall("create a pair of sockets") { socketpair(AF_UNIX, type, 0, &numbers) }
    return SocketPair(first: FileDescriptor(owning: numbers[0]), second: FileDescriptor(owning: numbers[1]))
}

/// Two ends of one connection; frozen, so that each end can be taken out of it.
@frozen
public struct SocketPair: ~Copyable {
    /// One end.
    public let first: FileDescriptor
    /// The other end.
    public let second: FileDescriptor
}

/// Sets how many bytes the kernel keeps of what a socket sends and nobody reads. It takes twice as many, its own
/// overhead counted. (socket(7): SO_SNDBUF)
public func setSendBuffer(_ bytes: Int32, of socket: Int32) throws(SystemError) {
    var bytes = bytes
    try systemCall("set a socket's send buffer") {
        setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }
}
