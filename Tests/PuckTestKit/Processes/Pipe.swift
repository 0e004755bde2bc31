import Glibc
import PuckSystem

/// A pipe whose ends are not inherited by child processes.
///
/// It is a pair of sockets, which can be created with close-on-exec. It does not use `socketPair` of PuckSystem,
/// because that makes the sockets non-blocking, which a program does not expect of its standard output.
final class Pipe {
    /// The end to write to.
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

    /// Returns the end to read from, and gives up its ownership. Throws if it was taken before.
    func takeReadEnd() throws -> FileDescriptor {
        guard let end = read.take() else { throw KitError("the pipe's end is taken already") }
        return end
    }
}

/// Opens a file with close-on-exec. By default, only the user can read a new file.
func openFile(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws -> FileDescriptor {
    let number = open(path, flags | O_CLOEXEC, mode)
    guard number >= 0 else { throw KitError.system("open \(path)") }
    return FileDescriptor(owning: number)
}
