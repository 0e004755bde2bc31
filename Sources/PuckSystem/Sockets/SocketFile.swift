import CLinux
import Glibc

/// The file of a listening Unix socket. Only one process at a time creates it, and only that process removes it.
///
/// A lock file beside it (`PATH.lock`) is locked while this value exists. If two processes start, one gets the lock and
/// the other fails with the reason. This type never removes the lock file, because then two processes could both hold a
/// lock on a file of that name.
struct SocketFile: ~Copyable {
    let path: String
    private let lock: FileDescriptor
    private let device: dev_t
    private let inode: ino_t

    /// Binds `socket` to `path` with exactly the permission bits `mode`, and replaces a stale socket there.
    init(path: String, mode: UInt32, binding socket: borrowing FileDescriptor) throws(SystemError) {
        let address = try UnixAddress(path: path)
        let lock = try SocketFile.takeLock(path + ".lock", for: path)
        try SocketFile.removeStale(path)

        // No client can connect before the socket listens, so the umask does not matter until then. (Changing the umask
        // would affect other files that this process creates at the same time.)
        let number = socket.number
        try systemCall("bind \(path)") { address.withPointer { bind(number, $0, $1) } }
        try systemCall("set the permissions of \(path)") { chmod(path, mode_t(mode)) }

        var status = stat()
        try systemCall("look at \(path)") { lstat(path, &status) }
        self.path = path
        self.lock = lock
        device = status.st_dev
        inode = status.st_ino
    }

    /// Removes the file, if it is still the one created here.
    func remove() {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_dev == device, status.st_ino == inode else { return }
        _ = unlink(path)
    }

    private static func takeLock(_ lockPath: String, for path: String) throws(SystemError) -> FileDescriptor {
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW
        let number: Int32
        switch interruptible({ open(lockPath, flags, 0o600) }) {
        case .success(let opened): number = opened
        case .failure(ENOENT):
            let directory = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
                separator: "/")
            throw SystemError(
                "listen on \(path)", code: ENOENT,
                message:
                    "the directory \(directory) does not exist; create it, or let systemd do so (RuntimeDirectory=)")
        case .failure(let code): throw SystemError("open \(lockPath)", code: code)
        }
        let lock = FileDescriptor(owning: number)
        switch interruptible({ flock(number, LOCK_EX | LOCK_NB) }) {
        case .success: return lock
        case .failure(EWOULDBLOCK): throw inUse(path)
        case .failure(let code): throw SystemError("lock \(lockPath)", code: code)
        }
    }

    /// Removes a socket on which no process listens. Throws if the file is something else, or if a process listens.
    private static func removeStale(_ path: String) throws(SystemError) {
        var status = stat()
        switch interruptible({ lstat(path, &status) }) {
        case .failure(ENOENT): return
        case .failure(let code): throw SystemError("look at \(path)", code: code)
        case .success: break
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw SystemError("listen on \(path)", code: EEXIST, message: "a file that is not a socket is in the way")
        }
        do {
            _ = try connectUnix(path)
        } catch {
            switch error.code {
            case ECONNREFUSED: break
            case ENOENT: return
            case EAGAIN, EPROTOTYPE: throw inUse(path)
            default: throw error
            }
            try systemCall("remove the stale socket \(path)") { unlink(path) }
            return
        }
        throw inUse(path)
    }

    private static func inUse(_ path: String) -> SystemError {
        SystemError("listen on \(path)", code: EADDRINUSE, message: "another process listens there already")
    }
}
