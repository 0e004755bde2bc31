/// Where a text stops being JSON.
public struct JSONFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// Bytes from the start of the text, from 0.
    public let offset: Int
    /// What the text should have had there.
    public let expected: String

    /// A fault at `offset`.
    public init(offset: Int, expected: String) {
        self.offset = offset
        self.expected = expected
    }
    /// Such as `expected ':' at byte 12`.
    public var description: String { "expected \(expected) at byte \(offset)" }
}
