import PuckSystem

/// Why a request was not answered with what it asks for, or why there is no connection.
public enum ClientError: Error, Hashable, Sendable {
    /// The daemon refused the request: its code, and what was expected. Nothing has changed.
    case refused(ErrorMessage)
    /// The connection ended, with the daemon's last word where it gave one. Whether a request on its way was carried out
    /// is not known.
    case disconnected(ErrorMessage?)
    /// The socket can't be connected to, or failed.
    case system(SystemError)
    /// What answers is no puckd, or one of another version of the protocol; what was expected, in words that say so.
    case protocolViolation(String)
    /// There was no answer, or no connection, within the time given.
    case timedOut
    /// More requests wait for their answers than this client keeps.
    case tooManyRequests
    /// The task that asked was cancelled. Whether the request was carried out is not known.
    case cancelled
    /// `close()` was called.
    case closed
}

extension ClientError: CustomStringConvertible {
    /// One line for a person.
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
