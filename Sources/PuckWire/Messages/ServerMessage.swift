import PuckCore

/// What the server sends: one line each.
public enum ServerMessage: Hashable, Sendable {
    /// Once, on connection.
    case hello(Hello)
    /// A request was carried out.
    case ok(id: RequestID?, Answer)
    /// A request was refused, or the connection closes.
    case error(ErrorMessage)
    /// A view of the world at one instant.
    case frame(Frame)
    /// The receiver's state.
    case source(SourceMessage)
    /// What this client may see.
    case authorization(AuthorizationMessage)
    /// A view's mode or transition changed.
    case view(ViewMessage)
}
