/// A location that a client with the role of provider put in place of the receiver's.
public struct Placement: Hashable, Sendable {
    /// Position, WGS 84.
    public var coordinate: Coordinate
    /// 95 % radius, metres.
    public var accuracy: Double?
    /// Where the vehicle points, from true north.
    public var heading: Direction?
    /// Over ground, m/s.
    public var speed: Double?
    /// Direction of travel, from true north.
    public var course: Direction?

    /// A placed location.
    public init(
        coordinate: Coordinate, accuracy: Double? = nil, heading: Direction? = nil, speed: Double? = nil,
        course: Direction? = nil
    ) {
        self.coordinate = coordinate
        self.accuracy = accuracy
        self.heading = heading
        self.speed = speed
        self.course = course
    }
}
