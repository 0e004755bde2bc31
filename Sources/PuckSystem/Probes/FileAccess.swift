import Glibc

/// A file's owner, group and permissions.
public struct FileAccess: Hashable, Sendable {
    /// The owner's user ID.
    public var user: UInt32
    /// The group's ID.
    public var group: UInt32
    /// The nine permission bits.
    public var mode: UInt16

    /// Reads the access to the file at `path`, following symbolic links; nil if there is no such file. See stat(2).
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
