/// A location that a client with the role `provider` sets instead of the receiver's, or an attitude without a
/// position (from an IMU beside the receiver). Unknown values are nil.
public struct Placement: Hashable, Sendable {
    /// The maximum age of a placement, seconds. An older one is useless to a driver.
    public static let oldest = 2.0

    /// Position, WGS 84; nil: the receiver's position stays, and only the attitude is placed.
    public var coordinate: Coordinate?
    /// 95 % radius, metres.
    public var accuracy: Double?
    /// Above the WGS 84 ellipsoid, metres.
    public var altitude: Double?
    /// Above mean sea level, metres.
    public var altitudeMSL: Double?
    /// 95 % half-width of both, metres.
    public var altitudeAccuracy: Double?
    /// The direction in which the vehicle points, and its tilt. Without a heading, a moving position points in its
    /// direction of travel.
    public var attitude: Attitude
    /// Over ground, m/s, 0 or more. With a course, the puck moves on until the next placement.
    public var speed: Double?
    /// Direction of travel, from true north.
    public var course: Direction?
    /// The instant of these values, by CLOCK_BOOTTIME, at most `oldest` seconds ago; nil: the instant at which puckd
    /// reads it.
    public var instant: Instant?

    /// A placed location.
    public init(
        coordinate: Coordinate, accuracy: Double? = nil, heading: Direction? = nil, speed: Double? = nil,
        course: Direction? = nil, instant: Instant? = nil
    ) {
        self.coordinate = coordinate
        self.accuracy = accuracy
        attitude = Attitude(heading: heading)
        self.speed = speed
        self.course = course
        self.instant = instant
    }

    /// An attitude without a position. Place it at least every two seconds: like a compass's heading, it is lost
    /// after a silence.
    public init(attitude: Attitude, instant: Instant? = nil) {
        self.attitude = attitude
        self.instant = instant
    }

    /// The direction in which the vehicle points, from true north.
    public var heading: Direction? {
        get { attitude.heading }
        set { attitude.heading = newValue }
    }

    /// Whether the location moves. It then ages like a receiver's position; one at rest is live until it is moved.
    var isMoving: Bool { (speed ?? 0) > 0 }
}

/// The direction in which a vehicle points, and its tilt. Unknown values are nil.
public struct Attitude: Hashable, Sendable {
    /// From true north.
    public var heading: Direction?
    /// 95 % half-width of the heading, degrees.
    public var headingAccuracy: Double?
    /// Degrees, -90 to 90; positive with the bow up.
    public var pitch: Double?
    /// Degrees, -180 to 180; positive with the right side down.
    public var roll: Double?

    /// An attitude.
    public init(
        heading: Direction? = nil, headingAccuracy: Double? = nil, pitch: Double? = nil, roll: Double? = nil
    ) {
        self.heading = heading
        self.headingAccuracy = headingAccuracy
        self.pitch = pitch
        self.roll = roll
    }

    /// Whether all values are unknown.
    public var isEmpty: Bool { heading == nil && pitch == nil && roll == nil }
}
