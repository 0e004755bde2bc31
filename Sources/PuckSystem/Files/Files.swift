import Glibc

/// Opens a file for reading.
public func openForReading(_ path: String) throws(SystemError) -> FileDescriptor {
    FileDescriptor(owning: try systemCall("open \(path)") { open(path, O_RDONLY | O_CLOEXEC) })
}

/// Creates a directory that only its owner can use (mode 0700). An existing directory stays unchanged.
public func createDirectory(_ path: String) throws(SystemError) {
    guard case .failure(let code) = interruptible({ mkdir(path, 0o700) }), code != EEXIST else { return }
    throw SystemError("create \(path)", code: code)
}

/// Creates a new directory in `parent` that only its owner can use, with a name that starts with `prefix`. Returns its
/// path. See mkdtemp(3).
public func createTemporaryDirectory(in parent: String, prefix: String) throws(SystemError) -> String {
    var template = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { buffer in
        buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
    }
    guard let made else { throw SystemError("create a directory in \(parent)", code: errno) }
    return made
}

/// Removes an empty directory. It is not an error if the directory does not exist.
public func removeDirectory(_ path: String) throws(SystemError) {
    switch interruptible({ rmdir(path) }) {
    case .success, .failure(ENOENT): return
    case .failure(let code): throw SystemError("remove \(path)", code: code)
    }
}

/// Reads a whole file. Throws EFBIG if the file has more than `limit` bytes.
public func readFile(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    let file = try openForReading(path)
    return try readAll(from: file.number, limit: limit, named: path)
}

/// Reads a blocking descriptor to its end. Throws EFBIG if there are more than `limit` bytes. `name` is the name to use
/// in errors.
public func readAll(from descriptor: Int32, limit: Int, named name: String) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
        switch chunk.withUnsafeMutableBytes({ read(from: descriptor, into: $0) }) {
        case .closed: return bytes
        case .wouldBlock: throw SystemError("read \(name)", code: EAGAIN)
        case .failed(let error): throw SystemError("read \(name)", code: error.code)
        case .bytes(let count):
            guard bytes.count + count <= limit else {
                throw SystemError("read \(name)", code: EFBIG, message: "it has more than \(limit) bytes")
            }
            bytes.append(contentsOf: chunk.prefix(count))
        }
    }
}

/// Replaces a file's contents with `bytes` atomically. A reader sees either the old or the new contents, complete, even
/// after a power failure: the bytes are written to a new file in the same directory, flushed, and renamed. The new file
/// has the permission bits `mode`; default 0600.
public func replaceFile(_ path: String, with bytes: [UInt8], mode: UInt32 = 0o600) throws(SystemError) {
    let temporary = "\(path).new-\(getpid())"
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    // A process with the same ID may have left this file when it was killed.
    _ = unlink(temporary)
    let file = FileDescriptor(owning: try systemCall("create \(temporary)") { open(temporary, flags, mode_t(mode)) })
    let number = file.number
    do throws(SystemError) {
        try systemCall("set the permissions of \(temporary)") { fchmod(number, mode_t(mode)) }
        try writeAll(bytes, to: number)
        try systemCall("flush \(temporary)") { fsync(number) }
        try systemCall("rename \(temporary) to \(path)") { rename(temporary, path) }
    } catch {
        _ = unlink(temporary)
        throw error
    }
    try flushDirectory(of: path)
}

/// Renames a file within one file system, and replaces any file at `newPath`.
public func renameFile(_ path: String, to newPath: String) throws(SystemError) {
    try systemCall("rename \(path) to \(newPath)") { rename(path, newPath) }
}

/// Removes a file. It is not an error if the file does not exist.
public func removeFile(_ path: String) throws(SystemError) {
    switch interruptible({ unlink(path) }) {
    case .success, .failure(ENOENT): return
    case .failure(let code): throw SystemError("remove \(path)", code: code)
    }
}

/// Returns the absolute path with all symbolic links resolved. See realpath(3).
public func resolvedPath(_ path: String) throws(SystemError) -> String {
    guard let resolved = realpath(path, nil) else { throw SystemError("resolve \(path)", code: errno) }
    defer { free(resolved) }
    return String(cString: resolved)
}

/// Removes a file and flushes its directory, so that the file does not come back after a power failure.
public func removeFileForGood(_ path: String) throws(SystemError) {
    try removeFile(path)
    try flushDirectory(of: path)
}

/// Flushes the directory of `path`, so that a rename or removal in it survives a power failure. Flushing a file does
/// not flush its directory. See fsync(2).
private func flushDirectory(of path: String) throws(SystemError) {
    let directory = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    let descriptor = FileDescriptor(owning: try systemCall("open \(directory)") { open(directory, flags) })
    let number = descriptor.number
    try systemCall("flush \(directory)") { fsync(number) }
}
