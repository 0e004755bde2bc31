import Glibc

/// Whom a file belongs to, and who may open it.
public struct FileAccess: Hashable, Sendable {
    /// The owner's number.
    public var user: UInt32
    /// The group's number.
    public var group: UInt32
    /// The nine permission bits.
    public var mode: UInt16

    /// Of the file at `path`, or the one that it links to; nil where there is none. (stat(2))
    public init?(of path: String) throws(SystemError) {
        var status = stat()
        switch interruptible({ stat(path, &status) }) {
        case .success: break
        case .failure(ENOENT), .failure(ENOTDIR): return nil
        case .failure(let code): throw SystemError("look at \(path)", code: code)
        }
        user = status.st_uid
        group = status.st_gid
        mode = UInt16(truncatingIfNeeded: status.st_mode & 0o777)
    }
}
