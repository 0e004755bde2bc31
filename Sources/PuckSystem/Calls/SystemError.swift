import Glibc

/// An error from the kernel or the C library.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The operation that failed, such as `bind /run/puckd/puckd.sock`.
    public let operation: String
    /// The error number. See errno(3).
    public let code: Int32
    /// A description of the error: the C library's text for `code`, or a more specific one.
    public let message: String

    /// Creates an error with the C library's description of `code`.
    public init(_ operation: String, code: Int32) {
        self.operation = operation
        self.code = code
        message = SystemError.describe(code)
    }
    /// Creates an error with a description that says more than the C library's.
    public init(_ operation: String, code: Int32, message: String) {
        self.operation = operation
        self.code = code
        self.message = message
    }

    /// Whether the file or object does not exist (ENOENT).
    public var isNotFound: Bool { code == ENOENT }
    /// Whether the reader has closed its end (EPIPE).
    public var isBrokenPipe: Bool { code == EPIPE }
    /// Whether nothing answers at the address: there is no socket, or no process listens on it (ENOENT, ECONNREFUSED).
    public var isNobodyThere: Bool { code == ENOENT || code == ECONNREFUSED }
    /// Whether permissions forbid the operation (EACCES, EPERM).
    public var isPermission: Bool { code == EACCES || code == EPERM }
    /// Whether the disk is full or the user's quota is used up (ENOSPC, EDQUOT).
    public var isOutOfRoom: Bool { code == ENOSPC || code == EDQUOT }

    /// The operation and the reason, on one line.
    public var description: String { "\(operation): \(message)" }

    private static func describe(_ code: Int32) -> String {
        // 256 bytes hold any of glibc's messages, including the translated ones.
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let start = buffer.baseAddress, strerror_r(code, start, buffer.count) == 0 else {
                return "error \(code)"
            }
            return String(cString: start)
        }
    }
}

/// Runs a call that returns -1 and sets errno on failure. Repeats it if a signal interrupts it, and throws a
/// `SystemError` for any other failure. Do not use it for close(2), which must not be repeated.
@discardableResult
func systemCall<Result: FixedWidthInteger & SignedInteger>(
    _ operation: @autoclosure () -> String, _ call: () -> Result
) throws(SystemError) -> Result {
    switch interruptible(call) {
    case .success(let value): return value
    case .failure(let code): throw SystemError(operation(), code: code)
    }
}

/// The result of a system call: its return value, or errno.
enum CallResult<Value> {
    case success(Value)
    case failure(Int32)
}

/// Runs a call that returns -1 and sets errno on failure, and returns errno as a value: for calls that have expected
/// errors. Repeats the call if a signal interrupts it.
func interruptible<Result: FixedWidthInteger & SignedInteger>(_ call: () -> Result) -> CallResult<Result> {
    while true {
        let result = call()
        if result != -1 { return .success(result) }
        let code = errno
        if code != EINTR { return .failure(code) }
    }
}

/// Checks the result of a call that returns a negative error number instead of setting errno, as libsystemd's functions
/// do. Throws a `SystemError` if the result is negative.
@discardableResult
func checked(_ operation: @autoclosure () -> String, _ result: Int32) throws(SystemError) -> Int32 {
    guard result >= 0 else { throw SystemError(operation(), code: -result) }
    return result
}
