import CLinux

/// What a descriptor is ready for, or is watched for.
public struct Readiness: OptionSet, Hashable, Sendable {
    /// epoll's bits. (epoll_ctl(2))
    public let rawValue: UInt32
    /// A set by epoll's bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// There is something to read, or a connection to accept, or the end.
    public static let readable = Readiness(rawValue: EPOLLIN.rawValue)
    /// Something can be written.
    public static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
    /// The other end closed its sending half. Told only where it is asked for.
    public static let peerClosed = Readiness(rawValue: EPOLLRDHUP.rawValue)
    /// Both halves are closed. Always told.
    public static let hangup = Readiness(rawValue: EPOLLHUP.rawValue)
    /// An error is pending. Always told.
    public static let error = Readiness(rawValue: EPOLLERR.rawValue)
}
