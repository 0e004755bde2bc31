/// A refusal, or the reason why the connection closes.
public struct ErrorMessage: Error, Hashable, Sendable {
    /// The refused request's.
    public var id: RequestID?
    /// What kind.
    public var code: ErrorCode
    /// What was expected.
    public var message: String
    /// The path of the field it is about.
    public var field: String?
    /// Whether the connection closes after it.
    public var isFatal: Bool

    /// An error; fatal where it is a violation, unless said otherwise.
    public init(
        id: RequestID? = nil, code: ErrorCode, message: String, field: String? = nil, isFatal: Bool? = nil
    ) {
        self.id = id
        self.code = code
        self.message = message
        self.field = field
        self.isFatal = isFatal ?? code.isViolation
    }
    /// What a failure is answered with.
    public init(_ failure: RequestFailure) {
        self.init(id: failure.id, code: failure.code, message: failure.message, field: failure.field)
    }
}
