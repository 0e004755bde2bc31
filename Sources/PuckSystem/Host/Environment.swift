import Glibc

/// An environment variable's value; nil where it is not set.
public func environmentVariable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

/// Ends the process at once with a code.
public func exitProcess(_ code: Int32) -> Never { exit(code) }
