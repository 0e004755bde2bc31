import Glibc
import PuckSystem

/// A program that a test started. It is killed with this object at the latest, and also if the test's process crashes.
public final class TestProcess {
    /// The destination of standard output and standard error.
    public enum Output {
        /// Discards both.
        case discard
        /// Uses those of the test.
        case inherit
        /// Sends standard output to `lines`. Standard error is that of the test.
        case lines
        /// Appends both to a file.
        case file(String)
        /// Sends both to the terminal at this path, which is standard input as well.
        case terminal(String)
    }

    /// The lines on standard output, with `.lines`; nil otherwise.
    public let lines: LineReader?
    private let child: ChildProcess
    private let lifeline: Lifeline

    /// Starts `program` (a path, or a name in PATH). `environment` adds variables to those of the test.
    public init(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = [:], output: Output = .inherit
    ) throws {
        let null = try OpenFile("/dev/null", O_RDWR)
        switch output {
        case .inherit:
            child = try ChildProcess(program, arguments, environment: environment, input: null.number)
            lines = nil
        case .discard:
            child = try ChildProcess(
                program, arguments, environment: environment, input: null.number, output: null.number,
                error: null.number)
            lines = nil
        case .file(let path):
            let file = try OpenFile(path, O_WRONLY | O_CREAT | O_APPEND)
            child = try ChildProcess(
                program, arguments, environment: environment, input: null.number, output: file.number,
                error: file.number)
            lines = nil
        case .terminal(let path):
            let terminal = try OpenFile(path, O_RDWR | O_NOCTTY)
            child = try ChildProcess(
                program, arguments, environment: environment, input: terminal.number, output: terminal.number,
                error: terminal.number)
            lines = nil
        case .lines:
            let pipe = try Pipe()
            child = try ChildProcess(
                program, arguments, environment: environment, input: null.number, output: pipe.write.number)
            lines = try LineReader(pipe.takeReadEnd())
        }
        do { lifeline = try Lifeline(for: child.process) } catch {
            child.send(Signal(number: SIGKILL))
            _ = try? child.wait(timeout: 10)
            throw error
        }
    }

    deinit { kill() }

    /// The process ID.
    public var pid: pid_t { child.process }
    /// The status with which it ended; nil while it is running.
    public var ending: ExitStatus? {
        let status = (try? child.wait(timeout: 0)) ?? nil
        if status != nil { lifeline.cut() }
        return status
    }
    /// Whether it is running.
    public var isRunning: Bool { ending == nil }

    /// Sends a signal, unless it has ended.
    public func signal(_ number: Int32) { child.send(Signal(number: number)) }

    /// Waits up to `seconds` for it to end, and returns its status. Throws if it is still running.
    @discardableResult
    public func waitForEnd(seconds: Double = 10) throws -> ExitStatus {
        guard let status = try child.wait(timeout: seconds) else {
            throw KitError("process \(pid) still runs after \(seconds) s")
        }
        lifeline.cut()
        return status
    }

    /// Ends it with SIGTERM, and returns its status.
    @discardableResult
    public func terminate(seconds: Double = 10) throws -> ExitStatus {
        signal(SIGTERM)
        return try waitForEnd(seconds: seconds)
    }

    /// Ends it with SIGKILL.
    public func kill() {
        signal(SIGKILL)
        _ = try? waitForEnd()
    }
}

/// Kills a process when this process ends. A shell waits for the end of a pipe, which the kernel closes at that moment.
private final class Lifeline {
    private let shell: ChildProcess
    private let pipe: Pipe

    init(for process: pid_t) throws {
        pipe = try Pipe()
        let null = try OpenFile("/dev/null", O_RDWR)
        let end = try pipe.takeReadEnd()
        shell = try ChildProcess(
            "/bin/sh", ["-c", "read -r _; kill -KILL \(process)"], input: end.number, output: null.number,
            error: null.number)
    }

    /// Stops waiting, once the process has ended, so that no other process with the same ID is killed.
    func cut() {
        shell.send(Signal(number: SIGKILL))
        _ = try? shell.wait(timeout: 10)
    }
}

/// Returns the path of a program of this package that was built with the tests, such as `puckd`.
public func builtProgram(_ name: String) throws -> String {
    let own = try resolvedPath("/proc/self/exe")
    let path = own.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/\(name)"
    guard access(path, X_OK) == 0 else { throw KitError("\(path): not built; `swift build --build-tests` builds it") }
    return path
}

/// An open file as a reference type. Swift 6.0's optimizer crashes on an initializer that throws while it holds
/// noncopyable descriptors in some of its branches.
private final class OpenFile {
    private let descriptor: FileDescriptor
    init(_ path: String, _ flags: Int32) throws { descriptor = try openFile(path, flags) }
    var number: Int32 { descriptor.number }
}
