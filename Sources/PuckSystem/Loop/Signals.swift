import CSystemd
import Glibc

/// A signal. (signal(7))
public struct Signal: Hashable, Sendable, CustomStringConvertible {
    /// The signal's number.
    public let number: Int32
    /// A signal by its number.
    public init(number: Int32) { self.number = number }

    /// SIGTERM: stop.
    public static let terminate = Signal(number: SIGTERM)
    /// SIGINT: stop, from a keyboard.
    public static let interrupt = Signal(number: SIGINT)
    /// SIGQUIT: stop with a core dump, from a keyboard.
    public static let quit = Signal(number: SIGQUIT)
    /// SIGHUP: read the configuration again.
    public static let hangUp = Signal(number: SIGHUP)
    /// SIGUSR1.
    public static let user1 = Signal(number: SIGUSR1)
    /// SIGUSR2.
    public static let user2 = Signal(number: SIGUSR2)
    /// SIGKILL: end at once.
    public static let kill = Signal(number: SIGKILL)
    /// SIGSTOP: stand still until SIGCONT.
    public static let stop = Signal(number: SIGSTOP)
    /// SIGCONT: go on.
    public static let `continue` = Signal(number: SIGCONT)

    /// The signal's usual name.
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

    /// Makes a write to a closed pipe an error in place of the process's end. Sockets need no such thing here.
    public static func ignoreBrokenPipes() { _ = Glibc.signal(SIGPIPE, SIG_IGN) }
}

/// Who sent a signal.
public enum SignalOrigin: Hashable, Sendable {
    /// A process, to this one.
    case process
    /// The kernel: of the keyboard's signals, to all processes in the terminal's foreground.
    case kernel
}

/// A watch over one signal, which must be blocked.
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

/// A signal's code where the kernel sent it. (SI_KERNEL in sigaction(2), which Swift does not import)
private let siKernel: Int32 = 0x80

/// Blocks signals in this thread and in those started by it from now on.
func block(_ signals: [Signal]) throws(SystemError) {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal.number) }
    let result = pthread_sigmask(SIG_BLOCK, &set, nil)
    guard result == 0 else { throw SystemError("block signals", code: result) }
}
