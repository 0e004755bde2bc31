import Glibc
import PuckCore
import PuckSystem
import Testing

@Suite("The host")
struct HostTests {
    @Test("the monotonic clock never goes back; the other one is in this century")
    func clocks() {
        let first = Clocks.now
        let second = Clocks.now
        #expect(second.monotonic >= first.monotonic)
        // 2000-01-01 and 2100-01-01.
        #expect(first.utc.seconds > 946_684_800 && first.utc.seconds < 4_102_444_800)
    }

    @Test("the kernel's random bits: no two alike, every bit both ways")
    func random() {
        var random = KernelRandom()
        let values = (0..<64).map { _ in random.next() }
        #expect(Set(values).count == values.count)
        #expect(values.reduce(0, |) == UInt64.max)
        #expect(values.reduce(UInt64.max, &) == 0)
        #expect((0..<100).allSatisfy { _ in (0.0..<1.0).contains(Double.random(in: 0..<1, using: &random)) })
    }

    @Test("a process's program by the kernel's name; none of a process that is not")
    func programs() throws {
        let sleeper = try ChildProcess("sleep", ["60"], input: StandardDescriptor.input)
        defer { sleeper.send(.kill) }
        let deadline = Clocks.now.monotonic.advanced(by: 10)
        // Between fork and exec it still has its parent's name.
        while programName(ofProcess: sleeper.process) != "sleep", Clocks.now.monotonic < deadline {}
        #expect(programName(ofProcess: sleeper.process) == "sleep")
        #expect(programName(ofProcess: 0) == nil)
        #expect(programName(ofProcess: Int32.max) == nil)
    }

    @Test("users and groups by number and by name")
    func users() throws {
        #expect(try Users.name(ofUser: 0) == "root")
        #expect(try Users.id(ofUser: "root") == 0)
        #expect(try Users.name(ofGroup: 0) == "root")
        #expect(try Users.id(ofGroup: "root") == 0)
        #expect(Users.current == geteuid())
    }

    @Test("users and groups that are not there")
    func unknownUsers() throws {
        #expect(try Users.id(ofUser: "no such user") == nil)
        #expect(try Users.id(ofGroup: "no such group") == nil)
        #expect(try Users.id(ofUser: "") == nil)
        #expect(try Users.name(ofUser: 4_000_000_123) == nil)
        #expect(try Users.name(ofGroup: 4_000_000_123) == nil)
    }

    @Test("what this process has used")
    func usage() {
        let before = ResourceUsage.current
        #expect(before.maximumResidentBytes > 1_000_000)
        var sum = 0.0
        while ResourceUsage.current.processorSeconds <= before.processorSeconds { sum += 1 }
        #expect(sum >= 0)
    }

    @Test("the limit of open files is raised, never lowered")
    func limits() throws {
        let before = ResourceLimits.openFiles
        #expect(try ResourceLimits.raiseOpenFiles(to: 1) >= before)
        #expect(try ResourceLimits.raiseOpenFiles(to: .max) >= before)
    }

    @Test("a pseudo-terminal passes every byte as it is, both ways")
    func pseudoTerminal() throws {
        let terminal = try PseudoTerminal()
        #expect(terminal.path.hasPrefix("/dev/pts/"))
        let other = Held(FileDescriptor(owning: open(terminal.path, O_RDWR | O_NOCTTY | O_CLOEXEC)))
        let controller = terminal.controller.number
        let bytes = (0...255).map { UInt8($0) }
        try writeAll(bytes, to: controller)
        #expect(try readExactly(256, from: other.number) == bytes)
        try writeAll(bytes, to: other.number)
        #expect(try readExactly(256, from: controller) == bytes)
        var one: [UInt8] = [0]
        #expect(one.withUnsafeMutableBytes { read(from: controller, into: $0) } == .wouldBlock)
        #expect(isTerminal(controller))
        #expect(!isTerminal(try Ends().first.number))
    }

    private func readExactly(_ count: Int, from descriptor: Int32) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: count)
        while bytes.count < count {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            try #require(poll(&entry, 1, 5_000) == 1)
            guard case .bytes(let got) = chunk.withUnsafeMutableBytes({ read(from: descriptor, into: $0) }) else {
                break
            }
            bytes += chunk.prefix(got)
        }
        return bytes
    }
}
