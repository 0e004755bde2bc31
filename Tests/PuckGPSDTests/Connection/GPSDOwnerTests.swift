import Glibc
import PuckSystem
import PuckTestKit
import Testing

@testable import PuckGPSD

/// Who holds gpsd's port: whoever does is the receiver for all.
@Suite struct GPSDOwnerTests {
    /// A program of another user that listens on a port of 127.0.0.1, accepts, and says what gpsd says; its port.
    private static let stranger = """
        import os, socket
        os.setgroups([]); os.setgid(65534); os.setuid(65534)
        s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen()
        print(s.getsockname()[1], flush=True)
        while True:
            c = s.accept()[0]
            c.sendall(b'{"class":"VERSION","release":"3.25","rev":"3.25","proto_major":3,"proto_minor":15}\\n')
            kept = globals().setdefault("kept", []); kept.append(c)
        """

    private static var canBeOthers: Bool { geteuid() == 0 && access("/usr/bin/python3", X_OK) == 0 }

    private func reason(_ port: UInt16, owners: [String] = GPSDConfiguration.usualOwners) -> String? {
        let configuration = GPSDConfiguration(host: "127.0.0.1", port: String(port), owners: owners)
        switch GPSDSession.open(configuration) {
        case .success: return nil
        case .failure(let failure): return failure.reason
        }
    }

    @Test(
        "another user who holds gpsd's port is refused by number, unless the configuration names that user, or anybody",
        .enabled(if: GPSDOwnerTests.canBeOthers, "it takes root, and python3"))
    func stranger() throws {
        let process = try TestProcess("/usr/bin/python3", ["-c", Self.stranger], output: .lines)
        let lines = try #require(process.lines)
        let line = try #require(lines.next(within: 20))
        let port = try #require(UInt16(line))
        #expect(reason(port)?.contains("held by user 65534, who is not gpsd's (see owner)") == true)
        #expect(reason(port, owners: ["root", "daemon"])?.contains("65534") == true)
        #expect(reason(port, owners: ["no-such-user", "nobody"]) == nil)
        #expect(reason(port, owners: ["any"]) == nil)
    }

    @Test("a connection is nobody's until it is accepted, then its acceptor's, and nobody's again once closed")
    func accepted() throws {
        let gpsd = try FakeGPSD()
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(number) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = gpsd.port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0)
        // The kernel gives its user as root's by then.
        #expect(try PeerOwner(ofConnection: number) == .nobodyYet)
        var client: FakeGPSDClient? = try gpsd.accept(within: 10)
        #expect(client != nil)
        #expect(try PeerOwner(ofConnection: number) == .user(geteuid()))
        #expect(try isLocalConnection(number))
        client = nil
        #expect(try PeerOwner(ofConnection: number) != .user(0) || geteuid() != 0)
    }
}
