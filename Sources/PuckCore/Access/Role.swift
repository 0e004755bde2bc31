/// What a client may do, besides seeing. Roles are independent of each other: none includes another.
public enum Role: String, CaseIterable, Hashable, Sendable {
    /// Watches.
    case observer
    /// Steers cameras and markers.
    case controller
    /// Puts its own location in place of the receiver's.
    case provider
    /// Decides for everyone: the system's accuracy, other clients' grants.
    case admin
}
