import PuckSystem
import PuckTestKit
import PuckWire
import Testing

/// puckd with a wrong configuration on a socket that a service manager holds.
@Suite struct WrongConfigurationTests {
    @Test(
        "who waits is told what to type, however many they are, and puckd ends with the code of a wrong configuration")
    func socketActivated() throws {
        let directory = try TestDirectory()
        let file = try directory.write("[log]\nlevle = info\n", to: "puckd.conf")
        let socket = directory.file("puckd.sock")
        // It hands the socket over with the first connection, as systemd does.
        let manager = try TestProcess(
            "systemd-socket-activate", ["--listen=\(socket)", builtProgram("puckd"), "--config", file],
            output: .file(directory.file("log")))
        for _ in 0..<40 {
            let client = try LineClient(path: socket)
            let line = try client.lines.first(within: 10) { _ in true }
            guard case .error(let error) = try PuckdClient.decode(line) else {
                Issue.record("not an error: \(line)")
                return
            }
            #expect(error.isFatal && error.message.contains("puckd --check-config"))
        }
        #expect(try manager.waitForEnd(seconds: 20) == .exited(3))
        let log = String(decoding: try readFile(directory.file("log"), limit: 65_536), as: UTF8.self)
        #expect(log.contains("unknown key “levle” in [log]; did you mean “level”?"), "\(log)")
    }

    @Test("without a service manager's socket it ends at once")
    func alone() throws {
        let directory = try TestDirectory()
        let file = try directory.write("[log]\nlevle = info\n", to: "puckd.conf")
        let puckd = try TestProcess(builtProgram("puckd"), ["--config", file], output: .discard)
        #expect(try puckd.waitForEnd() == .exited(3))
    }
}
