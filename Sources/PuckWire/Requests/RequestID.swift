/// What a client marks a request by, to know its answer. It is given back exactly.
public enum RequestID: Hashable, Sendable {
    /// A number, by the text it was written in: `7`, `7.0` and `1e400` all come back as they were.
    case number(String)
    /// A string.
    case string(String)

    /// A whole number.
    public init(_ number: Int) { self = .number(String(number)) }
}
