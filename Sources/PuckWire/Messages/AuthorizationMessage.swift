import PuckCore

/// A client's present access to the location.
public struct AuthorizationMessage: Hashable, Sendable {
    /// The accuracy that the client gets.
    public var accuracy: AccuracyMode
    /// The best accuracy that it may ask for.
    public var allowed: AccuracyMode
    /// The reason.
    public var reason: AuthorizationReason
    /// The purpose of the active grant.
    public var purpose: String?
    /// When the grant expires.
    public var expires: UTC?

    /// An authorization.
    public init(
        accuracy: AccuracyMode, allowed: AccuracyMode, reason: AuthorizationReason, purpose: String? = nil,
        expires: UTC? = nil
    ) {
        self.accuracy = accuracy
        self.allowed = allowed
        self.reason = reason
        self.purpose = purpose
        self.expires = expires
    }
}

/// The reason for a client's accuracy.
public enum AuthorizationReason: String, CaseIterable, Hashable, Sendable {
    /// The policy alone.
    case policy
    /// The client asked for less.
    case client
    /// An admin set approximate for everyone.
    case system
    /// A grant is active.
    case purpose
    /// A grant expired.
    case expired
    /// A grant was ended early.
    case ended
}
