import Glibc
import PuckSystem
import Testing

@Suite("Files")
struct FilesTests {
    let directory: TemporaryDirectory
    var path: String { directory["state"] }

    init() throws { directory = try TemporaryDirectory() }

    @Test("a file is written whole, with its mode, and nothing is left beside it")
    func replace() throws {
        try replaceFile(path, with: Array("old".utf8), mode: 0o644)
        #expect(directory.mode("state") == 0o644)
        try replaceFile(path, with: Array("new".utf8))
        #expect(directory.mode("state") == 0o600)
        #expect(try readFile(path, limit: 3) == Array("new".utf8))
        #expect(directory.names == ["state"])
    }

    @Test("what can't be put in place leaves the old, and nothing beside it")
    func failure() throws {
        mkdir(path, 0o700)
        #expect(throws: SystemError.self) { try replaceFile(path, with: [1]) }
        #expect(directory.names == ["state"])
        rmdir(path)
        #expect(throws: SystemError.self) { try replaceFile("/nowhere/state", with: [1]) }
    }

    @Test("a full disk says so")
    func fullDisk() {
        let full = Held(FileDescriptor(owning: open("/dev/full", O_WRONLY | O_CLOEXEC)))
        #expect(throws: SystemError("write", code: ENOSPC)) { try writeAll([1, 2, 3], to: full.number) }
    }

    @Test("reading stops at the limit, also of files without an end")
    func limit() throws {
        try replaceFile(path, with: [UInt8](repeating: 1, count: 70_000))
        #expect(try readFile(path, limit: 70_000).count == 70_000)
        #expect(throws: SystemError.self) { try readFile(path, limit: 69_999) }
        #expect(throws: SystemError("read /dev/zero", code: EFBIG, message: "it has more than 100 bytes")) {
            try readFile("/dev/zero", limit: 100)
        }
        try replaceFile(path, with: [])
        #expect(try readFile(path, limit: 0) == [])
    }

    @Test("renaming, removing, resolving")
    func others() throws {
        try replaceFile(path, with: [1])
        try renameFile(path, to: directory["aside"])
        #expect(directory.names == ["aside"])
        symlink("aside", directory["link"])
        #expect(try resolvedPath(directory["link"]) == (try resolvedPath(directory["aside"])))
        try removeFile(directory["aside"])
        try removeFile(directory["aside"])
        #expect(directory.names == ["link"])
        #expect(throws: SystemError.self) { try resolvedPath(directory["link"]) }
    }
}
