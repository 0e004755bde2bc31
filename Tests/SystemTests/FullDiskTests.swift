import Glibc
import PuckSystem
import PuckTestKit
import Testing

/// A file system of 64 KiB of a test's own, unmounted with this object.
private final class SmallDisk {
    let path: String

    init(in directory: TestDirectory) throws {
        path = directory.file("disk")
        try #require(mkdir(path, 0o700) == 0)
        let mount = try TestProcess("mount", ["-t", "tmpfs", "-o", "size=64k,mode=0700", "puckd-test", path])
        guard try mount.waitForEnd(seconds: 20) == .exited(0) else { throw KitError("no file system for a test") }
    }

    deinit {
        if let umount = try? TestProcess("umount", ["--lazy", path]) { _ = try? umount.waitForEnd(seconds: 20) }
    }

    /// Takes all the room there is.
    func fill() throws {
        let file = open("\(path)/ballast", O_WRONLY | O_CREAT, 0o600)
        try #require(file >= 0)
        defer { close(file) }
        let bytes = [UInt8](repeating: 1, count: 4_096)
        while write(file, bytes, bytes.count) > 0 {}
        try #require(errno == ENOSPC)
    }

    func makeRoom() { unlink("\(path)/ballast") }
}

/// A real full disk under the real daemon.
@Suite struct FullDiskTests {
    private static var canMount: Bool { geteuid() == 0 }
    private static let bind = #"{"type":"accuracy","id":1,"mode":"approximate","scope":"system"}"#
    private static let rule = "[policy]\nrule = user:root precise observer admin"

    private func answer(_ client: LineClient) throws -> String {
        try client.lines.first(within: 30) { $0.contains(#""id":1"#) }
    }

    @Test(
        "a bind is answered only when it is on the disk: full, an error; with room, done and kept over a crash",
        .enabled(if: FullDiskTests.canMount, "mounting takes root"))
    func bind() throws {
        let directory = try TestDirectory()
        let disk = try SmallDisk(in: directory)
        let puckd = try PuckdBench(gpsdPort: try freePort(), state: disk.path, configuration: Self.rule)
        _ = try puckd.connect()
        let client = try LineClient(path: puckd.socket)
        try disk.fill()
        try client.send(Self.bind)
        let refused = try answer(client)
        #expect(refused.contains(#""code":"not-saved""#) && refused.contains("No space left on device"))
        #expect(puckd.log.contains("cannot save state"))
        // On a full disk it starts, serves, and says what can't be.
        try puckd.terminate()
        try puckd.start()
        let again = try LineClient(path: puckd.socket)
        #expect(try again.lines.first(within: 30) { $0.contains("authorization") }.contains(#""precise""#))
        #expect(puckd.log.contains("approximate clients keep their last point"))
        try again.send(Self.bind)
        #expect(try answer(again).contains("not-saved"))
        disk.makeRoom()
        try again.send(Self.bind)
        #expect(try answer(again).contains(#""type":"ok""#))
        puckd.kill()
        try puckd.start()
        let last = try LineClient(path: puckd.socket)
        #expect(try last.lines.first(within: 30) { $0.contains("authorization") }.contains(#""reason":"system""#))
    }
}
