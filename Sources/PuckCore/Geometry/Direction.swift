/// A direction in the horizontal plane, in degrees clockwise from north, in [0, 360).
///
/// The reference (true or magnetic north) is stored separately. A value that is not finite, negative, or above 360 is
/// refused, not wrapped: receivers send -1 and 655.35 for "unknown", and wrapping would turn them into directions.
/// 360 itself is north.
public struct Direction: Hashable, Sendable {
    /// Degrees, in [0, 360).
    public let degrees: Double

    /// The direction, or nil if `degrees` is not a number in [0, 360].
    public init?(_ degrees: Double) {
        guard degrees >= 0, degrees <= 360 else { return nil }
        self.degrees = degrees == 360 ? 0 : degrees
    }
    /// The direction for a computed angle of any size; nil if it is not finite.
    public init?(wrapping degrees: Double) {
        guard degrees.isFinite else { return nil }
        let turn = degrees.truncatingRemainder(dividingBy: 360)
        let positive = turn < 0 ? turn + 360 : turn
        self.degrees = positive >= 360 || positive == 0 ? 0 : positive
    }
    /// The signed angle to turn from this direction to `other` by the shorter way, in (-180, 180] degrees.
    public func turn(to other: Direction) -> Double { shortestTurn(from: degrees, to: other.degrees) }
    /// This direction turned by `angle` degrees clockwise.
    public func turned(by angle: Double) -> Direction { Direction(wrapping: degrees + angle) ?? self }
    /// Due north.
    public static let north = Direction(unchecked: 0)
    /// Due east.
    public static let east = Direction(unchecked: 90)

    private init(unchecked degrees: Double) { self.degrees = degrees }
}

/// The signed angle from `a` to `b` by the shorter way, in (-180, 180] degrees.
public func shortestTurn(from a: Double, to b: Double) -> Double {
    let d = (b - a).truncatingRemainder(dividingBy: 360)
    return d > 180 ? d - 360 : d <= -180 ? d + 360 : d
}

/// The north to which a direction refers.
public enum NorthReference: String, Hashable, Sendable {
    /// Geographic north.
    case `true`
    /// The north of the Earth's magnetic field at the instrument.
    case magnetic
}
