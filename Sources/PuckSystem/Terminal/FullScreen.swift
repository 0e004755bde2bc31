import CLinux
import Glibc
import Synchronization

/// A terminal's size in character cells.
public struct TerminalSize: Hashable, Sendable {
    /// Cells in a row.
    public var columns: Int
    /// Rows.
    public var rows: Int

    /// Creates a size.
    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// The whole of the terminal on standard input and output: an alternate screen without a cursor, and keys without echo.
///
/// The terminal is as it was before when the process ends, crashes or is suspended. This uses signal handlers, so a
/// process can show only one full screen at a time.
public enum FullScreen {
    /// Whether standard input and output are terminals.
    public static var isPossible: Bool {
        isatty(StandardDescriptor.input) == 1 && isatty(StandardDescriptor.output) == 1
    }

    /// The terminal's size; nil if it does not know its own.
    public static var size: TerminalSize? {
        var size = winsize()
        guard ioctl(StandardDescriptor.output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return nil
        }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// What happened at the terminal.
    public enum Input: Sendable {
        /// The user typed these bytes.
        case bytes([UInt8])
        /// The size changed, or the process was suspended and continues: draw everything again.
        case changed
        /// The terminal is gone.
        case ended
    }

    /// Shows the screen. Calls `handler` on a thread of its own for each input. Ctrl-C, Ctrl-\ and Ctrl-Z work as usual.
    /// Throws if the terminal's settings cannot be read or set, or if the process has no descriptors or threads left.
    public static func show(_ handler: @escaping @Sendable (Input) -> Void) throws(SystemError) {
        var pipe: [Int32] = [-1, -1]
        try systemCall("create a pipe") { pipe2(&pipe, O_CLOEXEC | O_NONBLOCK) }
        try systemCall("read the terminal's settings") { tcgetattr(StandardDescriptor.input, original) }
        wakeUp.store(pipe[1], ordering: .releasing)
        try enter()
        for signal in ending + [SIGTSTP, SIGWINCH] { handle(signal) }
        let wake = pipe[0]
        try runInBackground { readInput(wake, handler) }
    }

    /// Gives the terminal back as it was. Does nothing if the screen is not shown.
    public static func hide() { leave() }

    private static func readInput(_ wake: Int32, _ handler: (Input) -> Void) {
        var buffer = [UInt8](repeating: 0, count: 256)
        while true {
            var ready = [
                pollfd(fd: StandardDescriptor.input, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&ready, 2, -1) >= 0 || errno == EINTR else { return handler(.ended) }
            if ready[1].revents != 0 {
                while Glibc.read(wake, &buffer, buffer.count) > 0 {}
                handler(.changed)
            }
            guard ready[0].revents != 0 else { continue }
            let count = Glibc.read(StandardDescriptor.input, &buffer, buffer.count)
            if count > 0 {
                handler(.bytes(Array(buffer[..<count])))
            } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
                return handler(.ended)
            }
        }
    }
}

// MARK: What signal handlers use: no locks, no memory from the heap, no references

/// The terminal's settings before.
nonisolated(unsafe) private let original = UnsafeMutablePointer<termios>.allocate(capacity: 1)
/// The writing end of the pipe that wakes the reading thread.
private let wakeUp = Atomic<Int32>(-1)
private let isShown = Atomic<Bool>(false)

/// Signals that end the process: from outside, and its own faults.
private let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]

/// The alternate screen, no cursor, no line wrapping; and back.
nonisolated(unsafe) private let entrance = bytes("\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l")
nonisolated(unsafe) private let exit = bytes("\u{1b}[0m\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l")

private func bytes(_ text: String) -> UnsafeBufferPointer<UInt8> {
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
    _ = copy.initialize(from: text.utf8)
    return UnsafeBufferPointer(copy)
}

private func enter() throws(SystemError) {
    var settings = original.pointee
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    try systemCall("set the terminal's settings") { tcsetattr(StandardDescriptor.input, TCSANOW, &settings) }
    isShown.store(true, ordering: .sequentiallyConsistent)
    _ = write(StandardDescriptor.output, entrance.baseAddress, entrance.count)
}

private func leave() {
    guard isShown.exchange(false, ordering: .sequentiallyConsistent) else { return }
    _ = write(StandardDescriptor.output, exit.baseAddress, exit.count)
    _ = tcsetattr(StandardDescriptor.input, TCSANOW, original)
}

private func handle(_ signal: Int32) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { received($0) }
    // A handler that raises its own signal again must receive it.
    action.sa_flags = SA_RESTART | Int32(bitPattern: UInt32(SA_NODEFER))
    sigaction(signal, &action, nil)
}

private func received(_ signal: Int32) {
    let code = errno
    switch signal {
    case SIGWINCH: wake()
    case SIGTSTP:
        leave()
        // Stop as if there were no handler; the next lines run when the process continues.
        _ = Glibc.signal(SIGTSTP, SIG_DFL)
        raise(SIGTSTP)
        handle(SIGTSTP)
        try? enter()
        wake()
    default:
        leave()
        // End as if there were no handler.
        _ = Glibc.signal(signal, SIG_DFL)
        raise(signal)
    }
    errno = code
}

private func wake() {
    var byte: UInt8 = 0
    _ = write(wakeUp.load(ordering: .acquiring), &byte, 1)
}
