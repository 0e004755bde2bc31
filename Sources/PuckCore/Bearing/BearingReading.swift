/// Where the vehicle points and what the puck's arrow shows, at one instant. Unknown is nil: no arrow, never north.
public struct BearingReading: Hashable, Sendable {
    /// Where the vehicle points.
    public var heading: Direction?
    /// Heading's 95 % half-width, degrees.
    public var headingAccuracy: Double?
    /// Which north `heading` is from.
    public var northReference: NorthReference?
    /// What the arrow shows.
    public var bearing: Direction?
    /// Where `bearing` comes from.
    public var bearingSource: BearingSource?

    /// Nothing known.
    public init() {}
}
