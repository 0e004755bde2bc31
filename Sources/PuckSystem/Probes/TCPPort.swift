import Glibc

/// Returns whether a process listens on a TCP port of the IPv4 loopback address. It connects and closes the connection.
/// The call returns at once, because nothing leaves the host.
public func isListening(onLocalPort port: UInt16) throws(SystemError) -> Bool {
    let number = try systemCall("make a socket") {
        socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    }
    defer { _ = close(number) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            interruptible { connect(number, address, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }
    switch result {
    case .success: return true
    case .failure(ECONNREFUSED), .failure(ENETUNREACH): return false
    case .failure(let code): throw SystemError("connect to 127.0.0.1 port \(port)", code: code)
    }
}
