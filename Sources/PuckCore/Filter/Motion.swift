/// What the position filter says of one instant.
public struct Motion: Hashable, Sendable {
    /// Position.
    public var coordinate: Coordinate
    /// Horizontal accuracy, 95 % radius, metres.
    public var accuracy: Double
    /// Speed over ground, m/s; 0 while standing still.
    public var speed: Double
    /// Speed's 95 % half-width, m/s.
    public var speedAccuracy: Double
    /// Direction of travel, where it is known well enough.
    public var course: Direction?
    /// Course's 95 % half-width, degrees.
    public var courseAccuracy: Double?
    /// What an arrow shows of the course: the course, which it turns to when that comes to be known anew; and the last one,
    /// kept while standing still.
    public var drawnCourse: Direction?
    /// Whether the receiver is held to stand still.
    public var stationary: Bool
    /// Whether it still moves to where it rests, while a correction is worked in.
    public var isGliding = false

    /// All of it.
    public init(
        coordinate: Coordinate, accuracy: Double, speed: Double, speedAccuracy: Double, course: Direction? = nil,
        courseAccuracy: Double? = nil, drawnCourse: Direction? = nil, stationary: Bool = false
    ) {
        self.coordinate = coordinate
        self.accuracy = accuracy
        self.speed = speed
        self.speedAccuracy = speedAccuracy
        self.course = course
        self.courseAccuracy = courseAccuracy
        self.drawnCourse = drawnCourse
        self.stationary = stationary
    }
}

/// What the position filter did with a fix.
public enum FilterOutcome: Hashable, Sendable {
    /// Taken.
    case accepted
    /// Taken as a new place, of which the next frame is told as a discontinuity.
    case jumped
    /// Left out.
    case refused(RefusalReason)
}

/// Why a report, an epoch or a fix was left out. Counted by name, shown by `status`.
public enum RefusalReason: String, CaseIterable, Hashable, Sendable {
    /// Mode says that there is no fix.
    case noFix
    /// A fix without latitude and longitude.
    case noPosition
    /// Exactly (0, 0), where nothing near corroborates it.
    case nullIsland
    /// An epoch that was already taken.
    case repeated
    /// An epoch older than the last one taken.
    case backwards
    /// From a receiver that is not the one in use.
    case otherDevice
    /// The innovation is outside the gate: an outlier, until others agree with it.
    case outlier
}
