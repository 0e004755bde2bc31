import Glibc
import PuckCore
import PuckSystem
import Testing

/// The only suite that sets NOTIFY_SOCKET, one test at a time.
@Suite("Service notifier", .serialized)
struct ServiceNotifierTests {
    @Test("each state as the service manager reads it")
    func states() throws {
        let manager = try Manager()
        let notifier = ServiceNotifier()
        notifier.ready(status: "waiting for gpsd")
        notifier.status("fix\nREADY=0")
        notifier.reloading(since: 12_345_678)
        notifier.stopping()
        #expect(
            manager.messages == [
                "READY=1\nSTATUS=waiting for gpsd", "STATUS=fix READY=0", "RELOADING=1\nMONOTONIC_USEC=12345678",
                "STOPPING=1",
            ])
    }

    @Test("the watchdog hears from the loop for as long as it turns")
    func watchdog() throws {
        let manager = try Manager()
        setenv("WATCHDOG_USEC", "20000", 1)
        defer { unsetenv("WATCHDOG_USEC") }
        let loop = try EventLoop()
        #expect(try loop.watchdog())
        // One at once, others by the clock.
        var heard = manager.messages.count
        #expect(heard == 1)
        for _ in 0..<200 where heard < 3 {
            _ = try loop.runOnce(timeout: 0.02)
            heard += manager.messages.filter { $0 == "WATCHDOG=1" }.count
        }
        #expect(heard >= 3)
    }

    @Test("without a service manager nothing happens")
    func none() throws {
        ServiceNotifier().ready(status: "up")
        #expect(try EventLoop().watchdog() == false)
    }
}

/// The service manager's end: a socket that NOTIFY_SOCKET names for as long as this lives.
private final class Manager {
    private let directory: TemporaryDirectory
    private let socket: Held

    init() throws {
        directory = try TemporaryDirectory()
        // SOCK_DGRAM, which the Glibc module leaves out.
        socket = Held(FileDescriptor(owning: Glibc.socket(AF_UNIX, 2, 0)))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(directory["notify"].utf8)) }
        let number = socket.number
        let bound = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
        setenv("NOTIFY_SOCKET", directory["notify"], 1)
    }

    deinit { unsetenv("NOTIFY_SOCKET") }

    /// What came since it was asked last.
    var messages: [String] {
        var messages: [String] = []
        var buffer = [UInt8](repeating: 0, count: 1_000)
        while case .bytes(let count) = buffer.withUnsafeMutableBytes({ receive(from: socket.number, into: $0) }) {
            messages.append(String(decoding: buffer.prefix(count), as: UTF8.self))
        }
        return messages
    }
}
