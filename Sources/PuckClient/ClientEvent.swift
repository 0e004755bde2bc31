/// An event for a client, other than a frame: a message from the daemon, or a change of the connection.
public enum ClientEvent: Hashable, Sendable {
    /// A connection was made. The client now restores the state that the previous connection had.
    case connected(Hello)
    /// The connection was lost, or could not be made. `retryIn` is the time in seconds until the next attempt; nil if
    /// there is none.
    case disconnected(ClientError, retryIn: Double?)
    /// The receiver's state.
    case source(SourceMessage)
    /// The accuracy that this client receives and may request.
    case authorization(AuthorizationMessage)
    /// A view's mode and transition.
    case view(ViewMessage)
    /// After reconnecting, the daemon refused a request that restores the earlier state, so this part of the state is
    /// lost.
    case notRestored(Request, ErrorMessage)
    /// The reader of this sequence was too slow and events were dropped, so the sequence ends here. A new sequence
    /// starts with the current state.
    case fellBehind
}

/// A frame or an event, in the order of the connection.
public struct Update: Hashable, Sendable {
    /// The content of an update.
    public enum Content: Hashable, Sendable {
        /// A frame: the view at one instant.
        case frame(Frame)
        /// Any other message, or a change of the connection.
        case event(ClientEvent)
        /// A message of a type that this version does not know.
        case unknown
    }
    /// The content.
    public var content: Content
    /// The daemon's line, without its newline; nil for a change of the connection.
    public var line: [UInt8]?

    /// The frame; nil for other content.
    public var frame: Frame? { if case .frame(let frame) = content { frame } else { nil } }
    /// The event; nil for other content.
    public var event: ClientEvent? { if case .event(let event) = content { event } else { nil } }
}
