import Glibc

/// Whose the other end of a TCP connection is, if it is on this host.
public enum PeerOwner: Hashable, Sendable {
    /// A process of that user accepted the connection.
    case user(UInt32)
    /// The kernel has the connection ready, and nobody has accepted it yet. It is nobody's then.
    case nobodyYet
    /// No socket of this host is at the other end: it is on another one, or closed.
    case notHere

    /// Of the connection of `socket`. It reads the kernel's table of sockets, which is as long as there are sockets: for a
    /// thread that may wait. (proc_net_tcp; in /proc/self, that of this process's own network namespace)
    public init(ofConnection socket: Int32) throws(SystemError) {
        let own = try Endpoint("look at a socket", getsockname, socket)
        let peer = try Endpoint("look at a socket's peer", getpeername, socket)
        self = .notHere
        for (path, isSix) in [("/proc/self/net/tcp", false), ("/proc/self/net/tcp6", true)] {
            // The peer's own end, as it sees it.
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
            // A kernel without IPv6.
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

/// Whether a TCP connection's ends are both on this host: the addresses are the same, or loopback's.
public func isLocalConnection(_ socket: Int32) throws(SystemError) -> Bool {
    let own = try Endpoint("look at a socket", getsockname, socket)
    let peer = try Endpoint("look at a socket's peer", getpeername, socket)
    return peer.isLoopback || own.words == peer.words
}

/// A line of the kernel's table: number, both ends, state, queues, timer, retransmits, user, time-out, inode, and more.
struct SocketLine {
    private let fields: [Substring]
    private static let established = "01"

    init?(_ line: [UInt8]) {
        fields = String(decoding: line, as: UTF8.self).split(separator: " ")
        guard fields.count > 9 else { return nil }
    }

    /// Whose it is, if it is the connected socket with these ends. One without an inode is nobody's, though its user is
    /// given as 0: not accepted yet, or closed.
    func owner(_ local: String, _ remote: String) -> PeerOwner? {
        guard fields[1] == local, fields[2] == remote else { return nil }
        guard fields[3] == Self.established, let user = UInt32(fields[7]), fields[9] != "0" else { return .nobodyYet }
        return .user(user)
    }
}

/// An address and a port of TCP, as the kernel's tables have them: words of 32 bits, each in this machine's order.
struct Endpoint {
    let words: [UInt32]
    private let port: UInt16

    /// 127.0.0.0/8, also mapped, or ::1.
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
        // (ip(7), ipv6(7): family, port, then the address; behind a flow label for IPv6)
        port = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
        let address = isSix ? bytes[8..<24] : bytes[4..<8]
        words = stride(from: address.startIndex, to: address.endIndex, by: 4).map { at in
            address[at..<at + 4].withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
        }
    }

    /// The text in the table of IPv4, or of IPv6, which has IPv4's mapped too; nil: it can't be in that one.
    func text(isSix: Bool) -> String? {
        switch (words.count, isSix) {
        case (1, false), (4, true): Self.text(words, port)
        case (1, true): Self.text([0, 0, UInt32(0xFFFF).bigEndian] + words, port)
        // A mapped address is in the other table if its peer's socket is of IPv4.
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
