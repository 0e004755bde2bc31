/// A connection, by the order in which it came. Never used twice in a run.
public struct ClientID: Hashable, Comparable, Sendable {
    /// 1, 2, 3 …
    public let number: UInt64
    /// The connection of that number.
    public init(_ number: UInt64) { self.number = number }
    /// Whether `a` came first.
    public static func < (a: ClientID, b: ClientID) -> Bool { a.number < b.number }
}
