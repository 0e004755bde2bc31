import Glibc
import PuckCore
import PuckTestKit
import Testing

@testable import PuckSystem

/// Descriptors that a peer hands over are never taken, and closing them holds up nobody.
@Suite("Descriptors handed over")
struct PassedDescriptorsTests {
    /// A listening socket and a connection to it, both ends.
    private final class Scene {
        let directory: TemporaryDirectory
        let listener: ListeningSocket
        let client: Held
        let connection: AcceptedConnection
        let loop: EventLoop

        init(refusing: Bool) throws {
            directory = try TemporaryDirectory()
            loop = try EventLoop()
            listener = try ListeningSocket(path: directory["s"], mode: 0o600, refusingDescriptors: refusing)
            client = Held(try connectUnix(directory["s"]))
            connection = try #require(try listener.acceptConnection())
        }

        func receive() -> (Transfer, [UInt8]) {
            var bytes: [UInt8] = []
            let transfer = connection.receive(atMost: 4_096) { bytes += Array($0) }
            return (transfer, bytes)
        }
        func send(_ text: String) {
            let bytes = Array(text.utf8)
            _ = bytes.withUnsafeBytes { PuckSystem.send($0, to: client.number) }
        }
    }

    /// Whether this kernel can refuse descriptors.
    static let kernelRefuses: Bool = {
        guard let pair = try? socketPair() else { return false }
        return PassedDescriptors.refuse(on: pair.first.number)
    }()

    @Test(
        "a kernel that can refuses them, also on what was connected before it was accepted",
        .enabled(if: kernelRefuses))
    func refused() throws {
        let scene = try Scene(refusing: true)
        #expect(!scene.connection.mayHoldDescriptors)
        #expect(sendDescriptor(0, on: scene.client.number, with: [1]) == EPERM)
        let waiting = Held(try connectUnix(scene.directory["s"]))
        #expect(sendDescriptor(0, on: waiting.number, with: [1]) == EPERM)
        scene.send("hello")
        #expect(scene.receive() == (.bytes(5), Array("hello".utf8)))
    }

    @Test("what was connected before the kernel was asked may hold some, and is known by that")
    func before() throws {
        let directory = try TemporaryDirectory()
        let made = try ListeningSocket(path: directory["s"], mode: 0o600, refusingDescriptors: false)
        let client = Held(try connectUnix(directory["s"]))
        #expect(sendDescriptor(0, on: client.number, with: [1]) == 0)
        let adopted = try ListeningSocket(adopting: FileDescriptor(owning: dup(made.descriptor)))
        #expect(try #require(try adopted.acceptConnection()).mayHoldDescriptors)
    }

    @Test(
        "a slow one, sent before the acceptance, is seen and not taken, however it comes",
        arguments: [[], ["before"], ["before", "behind"]], [Int32(0), Int32(MSG_OOB)])
    func slow(around: [String], flags: Int32) throws {
        let directory = try TemporaryDirectory()
        let loop = try EventLoop()
        let listener = try ListeningSocket(path: directory["s"], mode: 0o600, refusingDescriptors: false)
        let client = Held(try connectUnix(directory["s"]))
        let number = client.number
        func send(_ text: String) {
            let bytes = Array(text.utf8)
            _ = bytes.withUnsafeBytes { PuckSystem.send($0, to: number) }
        }
        if around.count > 0 { send("before\\n") }
        #expect(try SlowToClose().handOver(on: number, with: Array("x".utf8), flags: flags) == 0)
        if around.count > 1 { send("behind\\n") }
        let connection = try #require(try listener.acceptConnection())

        var closed: [UInt32] = []
        let closer = try SocketCloser(loop: loop) { closed.append($0) }
        let begin = Clocks.now.monotonic
        var last = Transfer.wouldBlock
        for _ in 0..<5 {
            last = connection.receive(atMost: 4_096) { _ in }
            guard case .bytes = last else { break }
        }
        guard case .failed = last else { Issue.record("\(last)"); return }
        #expect(!connection.close(with: closer, of: 7))
        // All of this takes no time; the closing thread takes it.
        #expect(Clocks.now.monotonic.seconds(since: begin) < 1)
        while closed.isEmpty { _ = try loop.runOnce(timeout: 10) }
        #expect(closed == [7])
        #expect(Clocks.now.monotonic.seconds(since: begin) < 30)
    }

    @Test("many slow ones of one user hold up no other's")
    func many() throws {
        let directory = try TemporaryDirectory()
        let loop = try EventLoop()
        let listener = try ListeningSocket(path: directory["s"], mode: 0o600, refusingDescriptors: false)
        var closed: [UInt32] = []
        let closer = try SocketCloser(loop: loop) { closed.append($0) }
        var clients: [Held] = []
        for _ in 0..<40 {
            let client = Held(try connectUnix(directory["s"]))
            #expect(try SlowToClose().handOver(on: client.number, with: [1]) == 0)
            clients.append(client)
            let connection = try #require(try listener.acceptConnection())
            #expect(!connection.close(with: closer, of: 1))
        }
        clients.append(Held(try connectUnix(directory["s"])))
        let connection = try #require(try listener.acceptConnection())
        let begin = Clocks.now.monotonic
        #expect(!connection.close(with: closer, of: 2))
        while closed.count < 41 { #expect(try loop.runOnce(timeout: 30)) }
        #expect(closed.contains(2))
        #expect(Clocks.now.monotonic.seconds(since: begin) < 30)
    }
}
