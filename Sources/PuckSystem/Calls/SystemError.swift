import Glibc

/// What the kernel or the C library refused, and why.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was asked, in words that go before "failed", such as `bind /run/puckd/puckd.sock`.
    public let operation: String
    /// The error number. (errno(3))
    public let code: Int32
    /// What `code` means, or what else was wrong, in words.
    public let message: String

    /// A refusal with an error number, which is told in the C library's words.
    public init(_ operation: String, code: Int32) {
        self.operation = operation
        self.code = code
        message = SystemError.describe(code)
    }
    /// A refusal with an error number and words that say more than the C library's.
    public init(_ operation: String, code: Int32, message: String) {
        self.operation = operation
        self.code = code
        self.message = message
    }

    /// Whether there is nothing of that name. (ENOENT)
    public var isNotFound: Bool { code == ENOENT }
    /// Whether nobody reads any more. (EPIPE)
    public var isBrokenPipe: Bool { code == EPIPE }
    /// Whether nobody answers: no socket, or nobody at it. (ENOENT, ECONNREFUSED)
    public var isNobodyThere: Bool { code == ENOENT || code == ECONNREFUSED }
    /// Whether the permissions do not allow it. (EACCES, EPERM)
    public var isPermission: Bool { code == EACCES || code == EPERM }
    /// Whether the disk, or what of it is this user's, is full. (ENOSPC, EDQUOT)
    public var isOutOfRoom: Bool { code == ENOSPC || code == EDQUOT }

    /// One line: what failed, and why.
    public var description: String { "\(operation): \(message)" }

    private static func describe(_ code: Int32) -> String {
        // 256 bytes hold any of glibc's messages, also translated ones.
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let start = buffer.baseAddress, strerror_r(code, start, buffer.count) == 0 else {
                return "error \(code)"
            }
            return String(cString: start)
        }
    }
}

/// The one gate to calls that return -1 and set errno: repeats one that a signal interrupted, and reads errno at once.
/// (close(2) is the exception: it must not be repeated.)
@discardableResult
func systemCall<Result: FixedWidthInteger & SignedInteger>(
    _ operation: @autoclosure () -> String, _ call: () -> Result
) throws(SystemError) -> Result {
    switch interruptible(call) {
    case .success(let value): return value
    case .failure(let code): throw SystemError(operation(), code: code)
    }
}

/// What a call through the gate came to.
enum CallResult<Value> {
    case success(Value)
    case failure(Int32)
}

/// The gate for calls of which some errors are no failures: they come back as numbers.
func interruptible<Result: FixedWidthInteger & SignedInteger>(_ call: () -> Result) -> CallResult<Result> {
    while true {
        let result = call()
        if result != -1 { return .success(result) }
        let code = errno
        if code != EINTR { return .failure(code) }
    }
}

/// The gate for calls that return an error number, or its negative as libsystemd does, in place of setting errno.
@discardableResult
func checked(_ operation: @autoclosure () -> String, _ result: Int32) throws(SystemError) -> Int32 {
    guard result >= 0 else { throw SystemError(operation(), code: -result) }
    return result
}
