import Glibc
import PuckCore
import PuckSystem
import Testing

/// The only suite that sets NOTIFY_SOCKET, one test at a time.
@Suite("Service notifier", .serialized)
struct ServiceNotifierTests {
    @Test("each state as the service manager reads it")
    func states() throws {
        let directory = try TemporaryDirectory()
        let socket = Held(FileDescriptor(owning: Glibc.socket(AF_UNIX, 2 /* SOCK_DGRAM */, 0)))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(directory["notify"].utf8)) }
        let bound = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
        setenv("NOTIFY_SOCKET", directory["notify"], 1)
        defer { unsetenv("NOTIFY_SOCKET") }

        let notifier = ServiceNotifier()
        notifier.ready(status: "waiting for gpsd")
        notifier.status("fix\nREADY=0")
        notifier.reloading(at: Instant(nanoseconds: 12_345_678_901))
        notifier.stopping()
        var messages: [String] = []
        var buffer = [UInt8](repeating: 0, count: 1_000)
        while case .bytes(let count) = buffer.withUnsafeMutableBytes({ receive(from: socket.number, into: $0) }) {
            messages.append(String(decoding: buffer.prefix(count), as: UTF8.self))
        }
        #expect(
            messages == [
                "READY=1\nSTATUS=waiting for gpsd", "STATUS=fix READY=0", "RELOADING=1\nMONOTONIC_USEC=12345678",
                "STOPPING=1",
            ])
    }

    @Test("without a service manager nothing happens")
    func none() throws {
        ServiceNotifier().ready(status: "up")
        #expect(try EventLoop().watchdog() == false)
    }
}
