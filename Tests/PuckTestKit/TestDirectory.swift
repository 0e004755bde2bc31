import Glibc
import PuckSystem

/// A directory for one test. It is removed with its contents when the last reference goes away.
public final class TestDirectory: Sendable {
    /// The path, without a slash at the end.
    public let path: String

    /// Creates an empty directory under `TMPDIR` or `/tmp` that only this user can enter. Its path is short, because
    /// the path of a Unix socket may have only 107 bytes.
    public init() throws {
        let parent = environmentVariable("TMPDIR") ?? "/tmp"
        var template = Array("\(parent)/puckd-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw KitError.system("make a directory in \(parent)") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { removeTree(path) }

    /// Returns the path of an entry.
    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// The names of the entries.
    public var names: [String] { entries(of: path) ?? [] }

    /// Writes a file in the directory, and returns its path.
    @discardableResult
    public func write(_ text: String, to name: String, mode: mode_t = 0o600) throws -> String {
        try write(Array(text.utf8), to: name, mode: mode)
    }

    /// Writes a file in the directory, and returns its path.
    @discardableResult
    public func write(_ bytes: [UInt8], to name: String, mode: mode_t = 0o600) throws -> String {
        let file = try openFile(file(name), O_WRONLY | O_CREAT | O_TRUNC, mode: mode)
        try writeAll(bytes, to: file.number)
        return self.file(name)
    }
}

/// Returns the names of a directory's entries; nil if it is not a directory.
func entries(of path: String) -> [String]? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, let directory = opendir(path) else {
        return nil
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { raw in
            String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != ".", name != ".." { names.append(name) }
    }
    return names
}

/// Removes a file, or a directory with its contents. Links are removed, not followed.
private func removeTree(_ path: String) {
    guard let names = entries(of: path) else {
        unlink(path)
        return
    }
    for name in names { removeTree("\(path)/\(name)") }
    rmdir(path)
}
