/// What a client is told beside frames: changes in what the daemon says, and of the connection itself.
public enum ClientEvent: Hashable, Sendable {
    /// There is a connection, and what was in force on the one before it is asked for again.
    case connected(Hello)
    /// There is none any more, or still none; the next attempt is in so many seconds. nil: there is no next.
    case disconnected(ClientError, retryIn: Double?)
    /// The receiver's state.
    case source(SourceMessage)
    /// What this client may see.
    case authorization(AuthorizationMessage)
    /// A view's mode or transition.
    case view(ViewMessage)
    /// What was in force before a reconnection is so no more: the daemon now refuses it.
    case notRestored(Request, ErrorMessage)
    /// The reader of this sequence was so slow that events had to be left out: it ends here. A new one starts with how
    /// things stand.
    case fellBehind
}

/// Something a client is told, in the order of the connection.
public struct Update: Hashable, Sendable {
    /// What it is.
    public enum Content: Hashable, Sendable {
        /// A view of the world at one instant.
        case frame(Frame)
        /// Anything else.
        case event(ClientEvent)
        /// A message of a type that this version does not know.
        case unknown
    }
    /// What it is.
    public var content: Content
    /// The daemon's own line, without its newline; nil where it is about the connection.
    public var line: [UInt8]?

    /// The frame, where it is one.
    public var frame: Frame? { if case .frame(let frame) = content { frame } else { nil } }
    /// The event, where it is one.
    public var event: ClientEvent? { if case .event(let event) = content { event } else { nil } }
}
