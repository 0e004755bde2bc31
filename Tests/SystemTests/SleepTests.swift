import Glibc
import PuckCore
import PuckSystem
import PuckTestKit
import PuckWire
import Testing

/// The clock that ages is the one that counts the host's sleep. A namespace of time makes a host for puckd alone that has
/// slept for a day: its CLOCK_BOOTTIME is a day ahead, its CLOCK_MONOTONIC is not. (time_namespaces(7))
@Suite struct SleepTests {
    private static let day = 86_400.0
    private static let unshare = ["--user", "--map-root-user", "--time", "--boottime", "86400"]

    /// Whether this host lets its users have such a namespace.
    static let hasNamespaces =
        (try? TestProcess("unshare", unshare + ["true"], output: .discard).waitForEnd()) == .exited(0)

    @Test("P16 puckd's clock counts the host's sleep", .enabled(if: hasNamespaces))
    func countsSleep() throws {
        let directory = try TestDirectory()
        let configuration = try directory.write(
            """
            [gpsd]
            port = 1
            [socket]
            path = \(directory.file("puckd.sock"))
            [approximate]
            state-directory = \(directory.path)

            """, to: "puckd.conf")
        let puckd = try TestProcess(
            "unshare", Self.unshare + [builtProgram("puckd"), "--config", configuration],
            output: .file(directory.file("log")))
        let client = try PuckdClient(LineClient(path: directory.file("puckd.sock")))
        try client.send(#"{"type":"ping","id":1}"#)
        let before = Clocks.now.monotonic
        let message = try client.message { if case .ok(.number("1"), .pong) = $0 { true } else { false } }
        guard case .ok(_, .pong(let moment)) = message else { throw KitError("no answer") }
        let ahead = moment.monotonic.seconds(since: before)
        #expect(ahead > Self.day - 60 && ahead < Self.day + 60)
        #expect(try puckd.terminate() == .exited(0))
    }
}
