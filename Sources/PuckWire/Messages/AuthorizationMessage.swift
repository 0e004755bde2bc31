import PuckCore

/// What a client may see now.
public struct AuthorizationMessage: Hashable, Sendable {
    /// What it is given.
    public var accuracy: AccuracyMode
    /// The best it may ask for.
    public var allowed: AccuracyMode
    /// Why.
    public var reason: AuthorizationReason
    /// The purpose of the grant in force.
    public var purpose: String?
    /// When that ends by itself.
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

/// Why a client's accuracy is what it is.
public enum AuthorizationReason: String, CaseIterable, Hashable, Sendable {
    /// By the policy alone.
    case policy
    /// The client asked for less.
    case client
    /// An admin set approximate for everyone.
    case system
    /// A grant is in force.
    case purpose
    /// A grant came to its time.
    case expired
    /// A grant was given back, or taken away.
    case ended
}
