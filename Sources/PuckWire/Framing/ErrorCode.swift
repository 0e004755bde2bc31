/// Why a request was not carried out, or why the connection closes.
public enum ErrorCode: String, CaseIterable, Hashable, Sendable {
    /// Violation: not JSON, or not one object.
    case badJSON = "bad-json"
    /// Violation: a line past the limit.
    case lineTooLong = "line-too-long"
    /// Violation: not UTF-8.
    case badEncoding = "bad-encoding"
    /// No such request.
    case unknownType = "unknown-type"
    /// The request has no such field.
    case unknownField = "unknown-field"
    /// A required field is missing.
    case missingField = "missing-field"
    /// A field has an invalid value.
    case badValue = "bad-value"
    /// The policy does not permit it.
    case notPermitted = "not-permitted"
    /// No purpose with this key is declared.
    case unknownPurpose = "unknown-purpose"
    /// The client may already use precise accuracy.
    case alreadyPrecise = "already-precise"
    /// No view has this name.
    case unknownView = "unknown-view"
    /// The view has no marker with this name.
    case unknownMarker = "unknown-marker"
    /// The request needs a position, and none is known.
    case noPosition = "no-position"
    /// More than the server accepts.
    case tooMany = "too-many"
    /// The server could not save a change.
    case notSaved = "not-saved"
    /// The client does not read its messages, or the server accepts no more clients.
    case overloaded
    /// The server is shutting down.
    case shuttingDown = "shutting-down"

    /// Whether bytes broke the framing, so that the connection can't go on.
    public var isViolation: Bool {
        switch self {
        case .badJSON, .lineTooLong, .badEncoding: true
        default: false
        }
    }
}
