import CLinux
import CSystemd
import Glibc

/// The way in which a process ended.
public enum ExitStatus: Hashable, Sendable {
    /// The process exited with this code.
    case exited(Int32)
    /// A signal killed the process.
    case killed(Signal)
}

/// A program started by this process. The owner must wait for it.
public final class ChildProcess {
    /// The process ID.
    public let process: Int32
    /// The way in which the process ended; nil until a wait has returned it.
    public private(set) var status: ExitStatus?
    private let handle: FileDescriptor

    /// Starts `program`, which is looked up in PATH if its name has no slash.
    ///
    /// `arguments` do not include the program's name. `environment` adds to this process's environment, or replaces
    /// variables in it. `input`, `output` and `error` become the child's descriptors 0, 1 and 2; nil, the default,
    /// means this process's own. The child gets no other descriptors, no blocked signals, and the default action for
    /// SIGPIPE.
    public init(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
        input: Int32? = nil, output: Int32? = nil, error: Int32? = nil
    ) throws(SystemError) {
        let operation = "start \(program)"
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (source, target) in [
            (input, StandardDescriptor.input), (output, StandardDescriptor.output), (error, StandardDescriptor.error),
        ] {
            if let source { posix_spawn_file_actions_adddup2(&actions, source, target) }
        }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var defaults = sigset_t()
        sigemptyset(&defaults)
        sigaddset(&defaults, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var process: pid_t = 0
        let result = withCStrings([program] + arguments) { arguments in
            withCStrings(ChildProcess.merged(environment)) { environment in
                posix_spawnp(&process, program, &actions, &attributes, arguments, environment)
            }
        }
        guard result == 0 else { throw SystemError(operation, code: result) }
        self.process = process
        // The child's ID stays valid until this process waits for it.
        handle = FileDescriptor(owning: try systemCall("watch \(program)") { pidfd_open(process, 0) })
    }

    /// Sends a signal to the process, unless a wait has already returned its status.
    public func send(_ signal: Signal) {
        guard status == nil else { return }
        // This fails only if the process has ended.
        _ = kill(process, signal.number)
    }

    /// Waits up to `timeout` seconds for the process to end, and returns its status; nil if it is still running. A nil
    /// timeout, the default, waits indefinitely.
    public func wait(timeout: Double? = nil) throws(SystemError) -> ExitStatus? {
        if let status { return status }
        if let timeout, try !ends(within: timeout) { return nil }
        var raw: Int32 = 0
        try systemCall("wait for process \(process)") { waitpid(process, &raw, 0) }
        status = ChildProcess.status(raw)
        return status
    }

    /// Calls `handler` on the loop when the process has ended, while the returned watch exists.
    public func onExit(_ loop: EventLoop, _ handler: @escaping (ExitStatus) -> Void) throws(SystemError) -> IOWatch {
        try loop.watch(handle.number, for: .readable) { [self] _ in
            guard status == nil, let ended = try? wait() else { return }
            handler(ended)
        }
    }

    private func ends(within timeout: Double) throws(SystemError) -> Bool {
        let deadline = Clocks.now.monotonic.advanced(by: timeout)
        while true {
            let left = max(0, deadline.seconds(since: Clocks.now.monotonic))
            var entry = pollfd(fd: handle.number, events: Int16(POLLIN), revents: 0)
            let ready = interruptible { poll(&entry, 1, Int32(min(left * 1e3, 1e9).rounded(.up))) }
            switch ready {
            case .success(0): if left <= 0 { return false }
            case .success: return true
            case .failure(let code): throw SystemError("wait for process \(process)", code: code)
            }
        }
    }

    /// Decodes the status from waitpid(2): the signal is in the low seven bits, the exit code in bits 8 to 15.
    private static func status(_ raw: Int32) -> ExitStatus {
        let signal = raw & 0x7F
        return signal == 0 ? .exited((raw >> 8) & 0xFF) : .killed(Signal(number: signal))
    }

    private static func merged(_ settings: [String: String]) -> [String] {
        var result = settings.map { "\($0.key)=\($0.value)" }
        var next = clinux_environment()
        while let entry = next?.pointee {
            let text = String(cString: entry)
            if settings[String(text.prefix { $0 != "=" })] == nil { result.append(text) }
            next = next?.successor()
        }
        return result
    }
}

/// Calls `body` with a null-terminated array of C strings.
private func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
}
