import CLinux
import Glibc

/// A segment of System V shared memory (sysvipc(7)), as far as anybody may know of it.
public struct SharedMemorySegment: Hashable, Sendable {
    /// Whether this process may read it.
    public var isReadable: Bool
    /// The nine permission bits; nil where this process may not read them.
    public var mode: UInt16?

    /// The segment of that key in this process's IPC namespace; nil where there is none. (shmget(2))
    public init?(key: Int32) throws(SystemError) {
        let id: Int32
        // No permission is asked for: whoever may not read it is told that it is there.
        switch interruptible({ shmget(key, 0, 0) }) {
        case .success(let found): id = found
        case .failure(ENOENT): return nil
        case .failure(EACCES):
            isReadable = false
            return
        case .failure(let code): throw SystemError("look for a shared memory segment", code: code)
        }
        var status = shmid_ds()
        switch interruptible({ shmctl(id, IPC_STAT, &status) }) {
        case .success:
            isReadable = true
            mode = UInt16(truncatingIfNeeded: status.shm_perm.mode) & 0o777
        case .failure(EACCES): isReadable = false
        // Removed meanwhile.
        case .failure(EINVAL), .failure(EIDRM): return nil
        case .failure(let code): throw SystemError("look at a shared memory segment", code: code)
        }
    }
}
