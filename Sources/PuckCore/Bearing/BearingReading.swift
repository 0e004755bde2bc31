/// Where the vehicle points and what the puck's arrow shows, at one instant. Unknown values are nil: draw no arrow,
/// not one to the north.
public struct BearingReading: Hashable, Sendable {
    /// The direction in which the vehicle points.
    public var heading: Direction?
    /// 95 % half-width of `heading`, degrees.
    public var headingAccuracy: Double?
    /// The north to which `heading` refers.
    public var northReference: NorthReference?
    /// The direction of the arrow.
    public var bearing: Direction?
    /// The source of `bearing`.
    public var bearingSource: BearingSource?

    /// A reading without values.
    public init() {}
}
