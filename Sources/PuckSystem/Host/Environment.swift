import Glibc

/// Returns the value of an environment variable; nil if it is not set.
public func environmentVariable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

/// Ends the process at once with an exit code.
public func exitProcess(_ code: Int32) -> Never { exit(code) }
