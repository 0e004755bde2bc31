import Glibc
import PuckSystem

/// A client for a line protocol on a Unix socket or a local TCP port.
public final class LineClient {
    /// The lines from the server.
    public let lines: LineReader
    private let number: Int32

    /// Connects to the Unix socket `path`. Retries for up to `seconds` if no process listens yet.
    public convenience init(path: String, within seconds: Double = 5) throws {
        try self.init(within: seconds) { try connectUnix(path) }
    }

    /// Connects to a port of 127.0.0.1. Retries for up to `seconds` if no process listens yet.
    public convenience init(port: UInt16, within seconds: Double = 5) throws {
        try self.init(within: seconds) { try connectLoopback(port: port) }
    }

    private init(within seconds: Double, _ connect: () throws -> FileDescriptor) throws {
        let socket = try Self.retrying(Deadline(seconds: seconds), connect)
        number = socket.number
        lines = try LineReader(socket)
    }

    private static func retrying(
        _ deadline: Deadline, _ connect: () throws -> FileDescriptor
    ) throws -> FileDescriptor {
        while true {
            do { return try connect() } catch { if deadline.hasPassed { throw error } }
            deadline.pause()
        }
    }

    /// Sends a line and adds its line end.
    public func send(_ line: String) throws { try send(Array(line.utf8) + [UInt8(ascii: "\n")]) }

    /// Sends bytes, waiting up to `seconds` for the server to read them.
    public func send(_ bytes: [UInt8], within seconds: Double = 5) throws {
        let deadline = Deadline(seconds: seconds)
        var rest = bytes[...]
        while !rest.isEmpty {
            switch rest.withUnsafeBytes({ PuckSystem.send($0, to: number) }) {
            case .bytes(let count): rest = rest.dropFirst(count)
            case .closed: throw KitError("send: the server has closed the connection")
            case .failed(let error): throw error
            case .wouldBlock:
                guard !deadline.hasPassed else { throw KitError("send: not read within \(seconds) s") }
                var wait = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
                poll(&wait, 1, deadline.milliseconds)
            }
        }
    }

    /// Closes the sending half, as `socat` does at the end of its input.
    public func endSending() { shutdown(number, Int32(SHUT_WR)) }
}

/// Returns the address of a port on 127.0.0.1.
private func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
    return address
}

private func loopbackSocket() throws -> FileDescriptor {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw KitError.system("socket") }
    return FileDescriptor(owning: number)
}

private func connectLoopback(port: UInt16) throws -> FileDescriptor {
    let socket = try loopbackSocket()
    let address = loopback(port: port)
    let result = withUnsafeBytes(of: address) { raw in
        connect(socket.number, raw.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(raw.count))
    }
    guard result == 0 else { throw KitError.system("connect to port \(port)") }
    return socket
}

/// Returns a port of 127.0.0.1 on which no process listens.
public func freePort() throws -> UInt16 {
    let socket = try loopbackSocket()
    var address = loopback(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let found = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(socket.number, $0, length) == 0 && getsockname(socket.number, $0, &length) == 0
        }
    }
    guard found else { throw KitError.system("find a free port") }
    return UInt16(bigEndian: address.sin_port)
}
