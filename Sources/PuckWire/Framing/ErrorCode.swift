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
    /// The request lacks a field that it needs.
    case missingField = "missing-field"
    /// A field holds what it can't hold.
    case badValue = "bad-value"
    /// Policy does not let this client do it.
    case notPermitted = "not-permitted"
    /// No purpose of this key is declared.
    case unknownPurpose = "unknown-purpose"
    /// The client has precise accuracy already.
    case alreadyPrecise = "already-precise"
    /// No view of this name.
    case unknownView = "unknown-view"
    /// The view has no marker of this name.
    case unknownMarker = "unknown-marker"
    /// It needs a position, and there is none.
    case noPosition = "no-position"
    /// More of something than the server keeps.
    case tooMany = "too-many"
    /// What is to outlive the server can't be saved.
    case notSaved = "not-saved"
    /// The client does not read what it is sent.
    case overloaded
    /// The server is going.
    case shuttingDown = "shutting-down"

    /// Whether bytes broke the framing, so that the connection can't go on.
    public var isViolation: Bool {
        switch self {
        case .badJSON, .lineTooLong, .badEncoding: true
        default: false
        }
    }
}
