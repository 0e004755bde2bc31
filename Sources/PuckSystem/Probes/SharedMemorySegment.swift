import CLinux
import Glibc

/// A segment of System V shared memory, as far as any user may see it. See sysvipc(7).
public struct SharedMemorySegment: Hashable, Sendable {
    /// Whether this process may read it.
    public var isReadable: Bool
    /// The nine permission bits; nil if this process may not read them.
    public var mode: UInt16?

    /// Looks for the segment with this key in the process's IPC namespace; nil if there is none. See shmget(2).
    public init?(key: Int32) throws(SystemError) {
        let id: Int32
        // The call requests no permissions, so it finds the segment even if this process may not read it.
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
        // The segment was removed in the meantime.
        case .failure(EINVAL), .failure(EIDRM): return nil
        case .failure(let code): throw SystemError("look at a shared memory segment", code: code)
        }
    }
}
