import Glibc
import PuckSystem
import Testing

@Suite("Child processes")
struct ChildProcessTests {
    private func pipeEnds() throws -> (read: Held, write: Held) {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (Held(FileDescriptor(owning: ends[0])), Held(FileDescriptor(owning: ends[1])))
    }

    private func output(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws -> String
    {
        let ends = try pipeEnds()
        let child = try ChildProcess(program, arguments, environment: environment, output: ends.write.number)
        ends.write.close()
        let bytes = try readAll(from: ends.read.number, limit: 100_000, named: program)
        #expect(try child.wait() == .exited(0))
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("arguments arrive as they are")
    func arguments() throws {
        #expect(try output("printf", ["[%s]", "a b", "", "$HOME;é"]) == "[a b][][$HOME;é]")
    }

    @Test("the environment is this process's own, with settings over it")
    func environment() throws {
        let lines = try output("env", [], environment: ["PUCK_TEST": "1", "PATH": "/usr/bin:/bin"]).split(
            separator: "\n")
        #expect(lines.contains("PUCK_TEST=1"))
        #expect(lines.filter { $0.hasPrefix("PATH=") } == ["PATH=/usr/bin:/bin"])
    }

    @Test("descriptors of ours are closed to it")
    func descriptors() throws {
        let pair = try Ends()
        let open = try output("ls", ["/proc/self/fd"]).split(separator: "\n")
        #expect(!open.contains(Substring("\(pair.first.number)")) || pair.first.number <= 3)
    }

    @Test("how it ended is told: code, signal, or not yet")
    func status() throws {
        #expect(try ChildProcess("sh", ["-c", "exit 7"]).wait() == .exited(7))
        let ends = try pipeEnds()
        let child = try ChildProcess("cat", input: ends.read.number)
        #expect(try child.wait(timeout: 0) == nil)
        child.send(.terminate)
        #expect(try child.wait(timeout: 10) == .killed(.terminate))
        #expect(try child.wait() == .killed(.terminate))
        // Its number may be another's by now: no signal goes there.
        child.send(.kill)
    }

    @Test("a program that is not there")
    func missing() {
        #expect(throws: SystemError("start /nowhere/program", code: ENOENT)) { try ChildProcess("/nowhere/program") }
    }

    @Test("its end is an event of the loop")
    func onExit() throws {
        let loop = try EventLoop()
        let child = try ChildProcess("sh", ["-c", "exit 3"])
        let watch = try child.onExit(loop) { status in
            #expect(status == .exited(3))
            loop.exit(0)
        }
        #expect(try loop.run() == 0)
        watch.cancel()
    }

    @Test("signals that are blocked or ignored here are as usual there")
    func signals() throws {
        Signal.ignoreBrokenPipes()
        // `yes` ends by SIGPIPE once nobody reads.
        let ends = try pipeEnds()
        let child = try ChildProcess("yes", output: ends.write.number)
        ends.write.close()
        ends.read.close()
        #expect(try child.wait(timeout: 10) == .killed(Signal(number: SIGPIPE)))
    }
}
