/// What a client with the role of provider put in place of the receiver's: a location, or an attitude alone (an IMU beside
/// the receiver). Unknown is nil.
public struct Placement: Hashable, Sendable {
    /// The oldest placement that is taken, seconds: what is older is no news to a driver.
    public static let oldest = 2.0

    /// Position, WGS 84; nil: the receiver's stays, and only the attitude is placed.
    public var coordinate: Coordinate?
    /// 95 % radius, metres.
    public var accuracy: Double?
    /// Above the WGS 84 ellipsoid, metres.
    public var altitude: Double?
    /// Above mean sea level, metres.
    public var altitudeMSL: Double?
    /// 95 % half-width of both, metres.
    public var altitudeAccuracy: Double?
    /// Where the vehicle points and how it is tilted. Without a heading, a position that moves has the direction in which
    /// it does.
    public var attitude: Attitude
    /// Over ground, m/s, 0 or more. With a course the puck moves on by it until the next placement.
    public var speed: Double?
    /// Direction of travel, from true north.
    public var course: Direction?
    /// When it was true, by CLOCK_BOOTTIME, at most `oldest` ago; nil: when puckd takes it.
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

    /// An attitude alone. Place it again and again, at least each two seconds: one that is not heard of any more is lost,
    /// as a compass's heading is.
    public init(attitude: Attitude, instant: Instant? = nil) {
        self.attitude = attitude
        self.instant = instant
    }

    /// Where the vehicle points, from true north.
    public var heading: Direction? {
        get { attitude.heading }
        set { attitude.heading = newValue }
    }

    /// Whether it is on the move: it then ages as a receiver's position does. One that stands is true until it is moved.
    var isMoving: Bool { (speed ?? 0) > 0 }
}

/// Where a vehicle points, and how it is tilted. Unknown is nil.
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

    /// Whether nothing of it is known.
    public var isEmpty: Bool { heading == nil && pitch == nil && roll == nil }
}
