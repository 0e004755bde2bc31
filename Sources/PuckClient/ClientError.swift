import PuckSystem

/// The reason why a request failed, or why there is no connection.
public enum ClientError: Error, Hashable, Sendable {
    /// The daemon refused the request. The message contains the error code and what was expected. Nothing has changed.
    case refused(ErrorMessage)
    /// The connection ended. The message is the daemon's reason, if it sent one. It is unknown whether a request that
    /// was already sent has been carried out.
    case disconnected(ErrorMessage?)
    /// The connection to the socket failed.
    case system(SystemError)
    /// The peer is not puckd, or uses a different version of the protocol. The text says what was expected.
    case protocolViolation(String)
    /// No answer arrived within the timeout. A request that could not be sent within the timeout fails with the reason
    /// for the missing connection, if there is one.
    case timedOut
    /// Too many requests are waiting for answers. The limit is 1,024.
    case tooManyRequests
    /// The task that made the request was cancelled. It is unknown whether the request has been carried out.
    case cancelled
    /// The program called `close()`.
    case closed
}

extension ClientError: CustomStringConvertible {
    /// The error on one line, for people to read.
    public var description: String {
        switch self {
        case .refused(let error): "\(error.message) (\(error.code.rawValue))"
        case .disconnected(let last?): "puckd closed the connection: \(last.message) (\(last.code.rawValue))"
        case .disconnected(nil): "puckd closed the connection"
        case .system(let error): error.description
        case .protocolViolation(let expected): "the server does not speak puckd's protocol: \(expected)"
        case .timedOut: "puckd does not answer"
        case .tooManyRequests: "more than \(ClientSession.mostRequests) requests wait for their answers"
        case .cancelled: "the request was cancelled"
        case .closed: "the client is closed"
        }
    }
}
