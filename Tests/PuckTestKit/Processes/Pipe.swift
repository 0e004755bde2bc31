import Glibc
import PuckSystem

/// A pipe whose ends no child process inherits by itself.
///
/// It is a pair of sockets, which are made close-on-exec at once. `socketPair` of PuckSystem makes them non-blocking,
/// and a program does not expect that of its standard output.
final class Pipe {
    /// What goes in here…
    let write: FileDescriptor
    private var read: FileDescriptor?

    init() throws {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw KitError.system("socketpair") }
        write = FileDescriptor(owning: ends[0])
        read = FileDescriptor(owning: ends[1])
        shutdown(ends[1], Int32(SHUT_WR))
    }

    /// … comes out of this, which belongs to whoever takes it. It is there to be taken once.
    func takeReadEnd() throws -> FileDescriptor {
        guard let end = read.take() else { throw KitError("the pipe's end is taken already") }
        return end
    }
}

/// Opens a file for this process alone; a new one only its user can read.
func openFile(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws -> FileDescriptor {
    let number = open(path, flags | O_CLOEXEC, mode)
    guard number >= 0 else { throw KitError.system("open \(path)") }
    return FileDescriptor(owning: number)
}
