import CSystemd
import Glibc

/// A signal. See signal(7).
public struct Signal: Hashable, Sendable, CustomStringConvertible {
    /// The signal's number.
    public let number: Int32
    /// Creates a signal from its number.
    public init(number: Int32) { self.number = number }

    /// SIGTERM: stop.
    public static let terminate = Signal(number: SIGTERM)
    /// SIGINT: stop, from the keyboard.
    public static let interrupt = Signal(number: SIGINT)
    /// SIGQUIT: stop with a core dump, from the keyboard.
    public static let quit = Signal(number: SIGQUIT)
    /// SIGHUP: read the configuration again.
    public static let hangUp = Signal(number: SIGHUP)
    /// SIGUSR1.
    public static let user1 = Signal(number: SIGUSR1)
    /// SIGUSR2.
    public static let user2 = Signal(number: SIGUSR2)
    /// SIGKILL: end at once.
    public static let kill = Signal(number: SIGKILL)
    /// SIGSTOP: pause until SIGCONT.
    public static let stop = Signal(number: SIGSTOP)
    /// SIGCONT: continue.
    public static let `continue` = Signal(number: SIGCONT)

    /// The signal's usual name, such as `SIGTERM`, or `signal` and its number.
    public var description: String {
        switch self {
        case .terminate: "SIGTERM"
        case .interrupt: "SIGINT"
        case .quit: "SIGQUIT"
        case .hangUp: "SIGHUP"
        case .user1: "SIGUSR1"
        case .user2: "SIGUSR2"
        case .kill: "SIGKILL"
        case .stop: "SIGSTOP"
        case .continue: "SIGCONT"
        default: "signal \(number)"
        }
    }

    /// Makes a write to a closed pipe fail instead of ending the process. `send` on a socket never raises SIGPIPE.
    public static func ignoreBrokenPipes() { _ = Glibc.signal(SIGPIPE, SIG_IGN) }
}

/// The sender of a signal.
public enum SignalOrigin: Hashable, Sendable {
    /// A process, which sent the signal to this process.
    case process
    /// The kernel. It sends the keyboard's signals to all processes in the terminal's foreground.
    case kernel
}

/// A watch on one signal, which must be blocked.
final class SignalWatch {
    private var source: EventSource?
    private let handler: (SignalOrigin) -> Void

    init(loop: EventLoop, signal: Signal, handler: @escaping (SignalOrigin) -> Void) throws(SystemError) {
        self.handler = handler
        let data = Unmanaged.passUnretained(self).toOpaque()
        source = try EventSource("watch for \(signal)") { created in
            sd_event_add_signal(
                loop.event, created, signal.number,
                { _, information, data in
                    guard let data else { return 0 }
                    let isKernel = information.map { $0.pointee.ssi_code == siKernel } ?? false
                    Unmanaged<SignalWatch>.fromOpaque(data).takeUnretainedValue().handler(
                        isKernel ? .kernel : .process)
                    return 0
                }, data)
        }
    }
}

/// The code of a signal from the kernel: SI_KERNEL in sigaction(2), which Swift does not import.
private let siKernel: Int32 = 0x80

/// Blocks signals in this thread and in all threads that it starts later.
func block(_ signals: [Signal]) throws(SystemError) {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal.number) }
    let result = pthread_sigmask(SIG_BLOCK, &set, nil)
    guard result == 0 else { throw SystemError("block signals", code: result) }
}
