import Foundation
import Testing

@testable import PuckSystem

/// What the kernel's tables of sockets say. (proc_net_tcp)
@Suite struct PeerOwnerTests {
    private static let line =
        "   3: 0100007F:0B83 0100007F:C350 01 00000000:00000000 00:00000000 00000000   107        0 48213 1 0 20 4 30 10 -1"

    private func owner(_ line: String) -> PeerOwner? {
        SocketLine(Array(line.utf8))?.owner("0100007F:0B83", "0100007F:C350")
    }

    @Test("the user of a connected socket that somebody has accepted")
    func line() {
        #expect(owner(Self.line) == .user(107))
        #expect(owner(Self.line.replacingOccurrences(of: " 01 0", with: " 08 0")) == .nobodyYet)
        #expect(owner(Self.line.replacingOccurrences(of: " 48213 ", with: " 0 ")) == .nobodyYet)
        #expect(owner(Self.line.replacingOccurrences(of: ":C350", with: ":C351")) == nil)
        #expect(owner("  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid") == nil)
        #expect(owner("") == nil && owner("garbage 0100007F:0B83 0100007F:C350") == nil)
    }

    @Test("addresses as the tables have them: IPv4, IPv6, and IPv4 in IPv6")
    func addresses() {
        let loopback = Endpoint(words: [UInt32(0x7F00_0001).bigEndian], port: 2_947)
        #expect(loopback.text(isSix: false) == "0100007F:0B83")
        #expect(loopback.text(isSix: true) == "0000000000000000FFFF00000100007F:0B83")
        let mapped = Endpoint(words: [0, 0, UInt32(0xFFFF).bigEndian, UInt32(0x7F00_0001).bigEndian], port: 80)
        #expect(mapped.text(isSix: false) == "0100007F:0050")
        #expect(mapped.text(isSix: true) == "0000000000000000FFFF00000100007F:0050")
        let six = Endpoint(words: [0, 0, 0, UInt32(1).bigEndian], port: 2_947)
        #expect(six.text(isSix: true) == "00000000000000000000000001000000:0B83")
        #expect(six.text(isSix: false) == nil)
        #expect(loopback.isLoopback && mapped.isLoopback && six.isLoopback)
        #expect(!Endpoint(words: [UInt32(0x0A00_0001).bigEndian], port: 1).isLoopback)
        #expect(!Endpoint(words: [0, 0, 0, UInt32(2).bigEndian], port: 1).isLoopback)
    }
}
