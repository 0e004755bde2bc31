import Glibc

/// An error of the test kit.
public struct KitError: Error, CustomStringConvertible, Sendable {
    /// What happened, and what was expected.
    public let description: String

    /// Creates an error with this description.
    public init(_ description: String) { self.description = description }

    /// Creates an error for a failed system call, with its purpose.
    static func system(_ call: String, _ error: Int32 = errno) -> KitError {
        KitError("\(call): \(String(cString: strerror(error)))")
    }
}
