import Glibc

/// Why a helper of the tests could not do what it was asked, in words.
public struct KitError: Error, CustomStringConvertible, Sendable {
    /// What happened, and what was expected.
    public let description: String

    /// An error of these words.
    public init(_ description: String) { self.description = description }

    /// A failed system call, named with what it was for.
    static func system(_ call: String, _ error: Int32 = errno) -> KitError {
        KitError("\(call): \(String(cString: strerror(error)))")
    }
}
