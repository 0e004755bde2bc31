import CLinux
import Glibc

/// A pseudo-terminal in raw mode: bytes written to one side are read unchanged from the other. See pty(7).
public struct PseudoTerminal: ~Copyable {
    /// This program's side, non-blocking.
    public let controller: FileDescriptor
    /// The other side, kept open so that the controller keeps working while no other process has the terminal open.
    private let terminal: FileDescriptor
    /// The other side's path, such as `/dev/pts/3`.
    public let path: String

    /// Opens a new pseudo-terminal.
    public init() throws(SystemError) {
        let controller = FileDescriptor(
            owning: try systemCall("open a pseudo-terminal") { posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC) })
        let number = controller.number
        try systemCall("grant the pseudo-terminal") { grantpt(number) }
        try systemCall("unlock the pseudo-terminal") { unlockpt(number) }
        let path = try PseudoTerminal.path(of: number)
        let terminal = FileDescriptor(
            owning: try systemCall("open \(path)") { open(path, O_RDWR | O_NOCTTY | O_CLOEXEC) })
        try setRaw(terminal.number)
        try setNonBlocking(number)
        self.controller = controller
        self.terminal = terminal
        self.path = path
    }

    private static func path(of controller: Int32) throws(SystemError) -> String {
        // "/dev/pts/" and a number of at most ten digits.
        var buffer = [CChar](repeating: 0, count: 64)
        let result = ptsname_r(controller, &buffer, buffer.count)
        guard result == 0 else { throw SystemError("name the pseudo-terminal", code: result) }
        return buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }
}

/// Puts a terminal into raw mode: no echo, no line editing, no translation. See cfmakeraw(3).
public func setRaw(_ descriptor: Int32) throws(SystemError) {
    var settings = termios()
    try systemCall("read a terminal's settings") { tcgetattr(descriptor, &settings) }
    cfmakeraw(&settings)
    try systemCall("set a terminal raw") { tcsetattr(descriptor, TCSANOW, &settings) }
}
