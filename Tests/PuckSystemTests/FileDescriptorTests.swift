import Glibc
import PuckSystem
import Testing

@Suite("File descriptors and transfers")
struct FileDescriptorTests {
    @Test("a socket's end is told as closed, not as an error or a signal")
    func closed() throws {
        let pair = try Ends()
        let first = pair.first.number
        var buffer = [UInt8](repeating: 0, count: 8)
        #expect(buffer.withUnsafeMutableBytes { receive(from: first, into: $0) } == .wouldBlock)
        #expect(Array("hi".utf8).withUnsafeBytes { send($0, to: pair.second.number) } == .bytes(2))
        #expect(buffer.withUnsafeMutableBytes { receive(from: first, into: $0) } == .bytes(2))
        #expect(buffer.prefix(2) == [0x68, 0x69])
        shutdown(pair.second.number, Int32(SHUT_RDWR))
        #expect(buffer.withUnsafeMutableBytes { receive(from: first, into: $0) } == .closed)
        #expect(Array("hi".utf8).withUnsafeBytes { send($0, to: first) } == .closed)
    }

    @Test("a peer that goes away with bytes unread is closed, too")
    func reset() throws {
        let pair = try Ends()
        let first = pair.first.number
        _ = [UInt8](repeating: 1, count: 16).withUnsafeBytes { send($0, to: first) }
        pair.second.close()
        var buffer = [UInt8](repeating: 0, count: 8)
        #expect(buffer.withUnsafeMutableBytes { receive(from: first, into: $0) } == .closed)
    }

    @Test("a full socket would block")
    func full() throws {
        let pair = try Ends()
        let chunk = [UInt8](repeating: 7, count: 65_536)
        var outcome = Transfer.bytes(0)
        var sent = 0
        while case .bytes(let count) = outcome {
            sent += count
            outcome = chunk.withUnsafeBytes { send($0, to: pair.first.number) }
        }
        #expect(outcome == .wouldBlock)
        #expect(sent > 0)
    }

    @Test("a descriptor that is none fails with its number")
    func invalid() {
        var buffer: [UInt8] = [0]
        let outcome = buffer.withUnsafeMutableBytes { receive(from: -1, into: $0) }
        #expect(outcome == .failed(SystemError("receive", code: EBADF)))
    }

    @Test("an error says what failed and why")
    func message() {
        #expect(SystemError("open /nowhere", code: ENOENT).description == "open /nowhere: No such file or directory")
        #expect(throws: SystemError("open /nowhere/x", code: ENOENT)) { try readFile("/nowhere/x", limit: 10) }
    }
}
