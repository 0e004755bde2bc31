import CLinux

/// Conditions of a descriptor, to watch for or to report.
public struct Readiness: OptionSet, Hashable, Sendable {
    /// The bits of epoll. See epoll_ctl(2).
    public let rawValue: UInt32
    /// Creates a set from epoll's bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// There are bytes to read, a connection to accept, or an end of file.
    public static let readable = Readiness(rawValue: EPOLLIN.rawValue)
    /// Bytes can be written.
    public static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
    /// The other end has closed its sending half. It is reported only if it is watched for.
    public static let peerClosed = Readiness(rawValue: EPOLLRDHUP.rawValue)
    /// Both halves are closed. It is always reported.
    public static let hangup = Readiness(rawValue: EPOLLHUP.rawValue)
    /// An error is pending. It is always reported.
    public static let error = Readiness(rawValue: EPOLLERR.rawValue)
}
