/// The number of a connection, in the order of arrival. The daemon uses each number once.
public struct ClientID: Hashable, Comparable, Sendable {
    /// 1, 2, 3 …
    public let number: UInt64
    /// The connection with that number.
    public init(_ number: UInt64) { self.number = number }
    /// Whether `a` came first.
    public static func < (a: ClientID, b: ClientID) -> Bool { a.number < b.number }
}
