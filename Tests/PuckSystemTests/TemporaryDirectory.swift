import Glibc
import Testing

/// A directory of a test's own, removed with all that is in it at the end.
final class TemporaryDirectory {
    let path: String

    init() throws {
        var template = Array("/tmp/puck-test-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer {
            $0.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        path = try #require(made)
    }

    deinit {
        for name in names { unlink(self[name]) }
        rmdir(path)
    }

    subscript(name: String) -> String { "\(path)/\(name)" }

    /// What is in it.
    var names: [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The permission bits of what stands there; nil where nothing does.
    func mode(_ name: String) -> UInt32? {
        var status = stat()
        return lstat(self[name], &status) == 0 ? status.st_mode & 0o7777 : nil
    }
}

/// Whether a descriptor number is open in this process.
func isOpen(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFD) != -1 }
