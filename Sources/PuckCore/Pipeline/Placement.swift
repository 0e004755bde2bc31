/// A location that a client with the role of provider put in place of the receiver's.
public struct Placement: Hashable, Sendable {
    /// Position, WGS 84.
    public var coordinate: Coordinate
    /// 95 % radius, metres; nil: not known.
    public var accuracy: Double?
    /// Where the vehicle points, from true north; nil: where the position moves, the direction in which it does.
    public var heading: Direction?
    /// Over ground, m/s, 0 or more; nil: not known. With a course the puck moves on by it until the next placement.
    public var speed: Double?
    /// Direction of travel, from true north; nil: not known.
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

    /// Whether it is on the move: it then ages as a receiver's position does. One that stands is true until it is moved.
    var isMoving: Bool { (speed ?? 0) > 0 }
}
