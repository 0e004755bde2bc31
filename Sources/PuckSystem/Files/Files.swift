import Glibc

/// Opens a file for reading.
public func openForReading(_ path: String) throws(SystemError) -> FileDescriptor {
    FileDescriptor(owning: try systemCall("open \(path)") { open(path, O_RDONLY | O_CLOEXEC) })
}

/// Makes a directory, for its owner only; one that is there already is left as it is.
public func createDirectory(_ path: String) throws(SystemError) {
    guard case .failure(let code) = interruptible({ mkdir(path, 0o700) }), code != EEXIST else { return }
    throw SystemError("create \(path)", code: code)
}

/// Makes a new directory in `parent`, for its owner only, whose name starts with `prefix`; returns its path. (mkdtemp(3))
public func createTemporaryDirectory(in parent: String, prefix: String) throws(SystemError) -> String {
    var template = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { buffer in
        buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
    }
    guard let made else { throw SystemError("create a directory in \(parent)", code: errno) }
    return made
}

/// Removes an empty directory; one that is gone already is none to remove.
public func removeDirectory(_ path: String) throws(SystemError) {
    switch interruptible({ rmdir(path) }) {
    case .success, .failure(ENOENT): return
    case .failure(let code): throw SystemError("remove \(path)", code: code)
    }
}

/// Reads a whole file; one of more than `limit` bytes is an error (EFBIG), and is not read.
public func readFile(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    let file = try openForReading(path)
    return try readAll(from: file.number, limit: limit, named: path)
}

/// Reads a descriptor that blocks to its end; more than `limit` bytes are an error (EFBIG).
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

/// Replaces a file by `bytes` so that whoever reads it, also after a power cut, finds the old or the new whole: they
/// are written beside it, flushed, and renamed. The new file has the permission bits `mode`.
public func replaceFile(_ path: String, with bytes: [UInt8], mode: UInt32 = 0o600) throws(SystemError) {
    let temporary = "\(path).new-\(getpid())"
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    // Left by a process of the same number that was cut off.
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

/// Renames a file within one file system; one that stands at `newPath` is replaced.
public func renameFile(_ path: String, to newPath: String) throws(SystemError) {
    try systemCall("rename \(path) to \(newPath)") { rename(path, newPath) }
}

/// Removes a file; one that does not exist is removed already.
public func removeFile(_ path: String) throws(SystemError) {
    switch interruptible({ unlink(path) }) {
    case .success, .failure(ENOENT): return
    case .failure(let code): throw SystemError("remove \(path)", code: code)
    }
}

/// The path with its links resolved, as the kernel names it.
public func resolvedPath(_ path: String) throws(SystemError) -> String {
    guard let resolved = realpath(path, nil) else { throw SystemError("resolve \(path)", code: errno) }
    defer { free(resolved) }
    return String(cString: resolved)
}

/// Removes a file so that a power cut does not bring it back.
public func removeFileForGood(_ path: String) throws(SystemError) {
    try removeFile(path)
    try flushDirectory(of: path)
}

/// Makes a renaming or removal itself last: a directory is flushed on its own. (fsync(2))
private func flushDirectory(of path: String) throws(SystemError) {
    let directory = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    let descriptor = FileDescriptor(owning: try systemCall("open \(directory)") { open(directory, flags) })
    let number = descriptor.number
    try systemCall("flush \(directory)") { fsync(number) }
}
