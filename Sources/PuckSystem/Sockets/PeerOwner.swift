import Glibc

/// The owner of the other end of a TCP connection.
public enum PeerOwner: Hashable, Sendable {
    /// A process of this user accepted the connection.
    case user(UInt32)
    /// The kernel has completed the connection, but no process has accepted it, so it has no owner yet.
    case nobodyYet
    /// The other end is on another host, or closed.
    case notHere

    /// Finds the owner of the peer of `socket`. It reads the kernel's whole table of TCP sockets (/proc/self/net/tcp
    /// and tcp6, which show the process's own network namespace), so call it on a thread that may wait. See
    /// proc_net_tcp in the kernel's documentation.
    public init(ofConnection socket: Int32) throws(SystemError) {
        let own = try Endpoint("look at a socket", getsockname, socket)
        let peer = try Endpoint("look at a socket's peer", getpeername, socket)
        self = .notHere
        for (path, isSix) in [("/proc/self/net/tcp", false), ("/proc/self/net/tcp6", true)] {
            // The peer's socket lists the addresses the other way round: its own as local, ours as remote.
            guard let local = peer.text(isSix: isSix), let remote = own.text(isSix: isSix) else { continue }
            guard let owner = try Self.find(local, remote, in: path) else { continue }
            self = owner
            return
        }
    }

    private static func find(_ local: String, _ remote: String, in path: String) throws(SystemError) -> PeerOwner? {
        do throws(SystemError) {
            let file = try openForReading(path)
            return try find(local, remote, in: file.number, named: path)
        } catch {
            // The kernel has no IPv6.
            if error.isNotFound { return nil }
            throw error
        }
    }

    private static func find(
        _ local: String, _ remote: String, in table: Int32, named path: String
    ) throws(SystemError) -> PeerOwner? {
        var line: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            switch chunk.withUnsafeMutableBytes({ read(from: table, into: $0) }) {
            case .bytes(let count):
                for byte in chunk[..<count] {
                    guard byte == 0x0A else {
                        line.append(byte)
                        continue
                    }
                    if let owner = SocketLine(line)?.owner(local, remote) { return owner }
                    line.removeAll(keepingCapacity: true)
                }
            case .closed: return nil
            case .wouldBlock: throw SystemError("read \(path)", code: EAGAIN)
            case .failed(let error): throw SystemError("read \(path)", code: error.code)
            }
        }
    }
}

/// Returns whether both ends of a TCP connection are on this host: their addresses are equal, or the peer's is a
/// loopback address.
public func isLocalConnection(_ socket: Int32) throws(SystemError) -> Bool {
    let own = try Endpoint("look at a socket", getsockname, socket)
    let peer = try Endpoint("look at a socket's peer", getpeername, socket)
    return peer.isLoopback || own.words == peer.words
}

/// A line of the kernel's table: number, local and remote address, state, queues, timer, retransmits, user, timeout,
/// inode, and more.
struct SocketLine {
    private let fields: [Substring]
    private static let established = "01"

    init?(_ line: [UInt8]) {
        fields = String(decoding: line, as: UTF8.self).split(separator: " ")
        guard fields.count > 9 else { return nil }
    }

    /// Returns the owner if this is the socket with these addresses; nil otherwise. A socket without an inode has not
    /// been accepted, or is closed. It has no owner, although its user is given as 0.
    func owner(_ local: String, _ remote: String) -> PeerOwner? {
        guard fields[1] == local, fields[2] == remote else { return nil }
        guard fields[3] == Self.established, let user = UInt32(fields[7]), fields[9] != "0" else { return .nobodyYet }
        return .user(user)
    }
}

/// A TCP address and port as in the kernel's tables: 32-bit words, each in this machine's byte order.
struct Endpoint {
    let words: [UInt32]
    private let port: UInt16

    /// Whether the address is in 127.0.0.0/8, possibly mapped to IPv6, or is ::1.
    var isLoopback: Bool {
        let isMapped = words.count == 4 && words[..<3] == [0, 0, UInt32(0xFFFF).bigEndian]
        if words.count == 1 || isMapped { return (words.last?.bigEndian ?? 0) >> 24 == 127 }
        return words == [0, 0, 0, UInt32(1).bigEndian]
    }

    init(words: [UInt32], port: UInt16) {
        self.words = words
        self.port = port
    }

    fileprivate init(
        _ operation: String,
        _ call: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32, _ socket: Int32
    ) throws(SystemError) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                interruptible { call(socket, address, &length) }
            }
        }
        if case .failure(let code) = result { throw SystemError(operation, code: code) }
        let bytes = withUnsafeBytes(of: &storage) { Array($0) }
        let isSix = Int32(storage.ss_family) == AF_INET6
        guard isSix || Int32(storage.ss_family) == AF_INET else { throw SystemError(operation, code: EAFNOSUPPORT) }
        // The layout of a socket address: family, port, then the address, which follows the flow label in IPv6. See
        // ip(7) and ipv6(7).
        port = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
        let address = isSix ? bytes[8..<24] : bytes[4..<8]
        words = stride(from: address.startIndex, to: address.endIndex, by: 4).map { at in
            address[at..<at + 4].withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
        }
    }

    /// Returns the address as text for the table of IPv6 or of IPv4; nil if it can't be in that table. The table of
    /// IPv6 also contains mapped IPv4 addresses.
    func text(isSix: Bool) -> String? {
        switch (words.count, isSix) {
        case (1, false), (4, true): Self.text(words, port)
        case (1, true): Self.text([0, 0, UInt32(0xFFFF).bigEndian] + words, port)
        // A mapped address is in the table of IPv4 if the peer's socket is an IPv4 socket.
        case (4, false) where words[0] == 0 && words[1] == 0 && words[2] == UInt32(0xFFFF).bigEndian:
            Self.text([words[3]], port)
        default: nil
        }
    }

    private static func text(_ words: [UInt32], _ port: UInt16) -> String {
        words.map { hexadecimal($0, digits: 8) }.joined() + ":" + hexadecimal(UInt32(port), digits: 4)
    }

    private static func hexadecimal(_ value: UInt32, digits: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
