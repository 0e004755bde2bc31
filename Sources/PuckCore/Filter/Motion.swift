/// The position filter's values for one instant.
public struct Motion: Hashable, Sendable {
    /// Position.
    public var coordinate: Coordinate
    /// Horizontal accuracy, 95 % radius, metres.
    public var accuracy: Double
    /// Speed over ground, m/s; 0 while standing still.
    public var speed: Double
    /// Speed's 95 % half-width, m/s.
    public var speedAccuracy: Double
    /// Direction of travel; nil if it is too uncertain.
    public var course: Direction?
    /// Course's 95 % half-width, degrees.
    public var courseAccuracy: Double?
    /// The course for an arrow: the course, to which it turns when the course becomes known again, and the last one
    /// at a standstill.
    public var drawnCourse: Direction?
    /// Whether the receiver is assumed to stand still.
    public var stationary: Bool
    /// Whether it still moves to its rest position while a correction is applied.
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

/// The filter's treatment of a fix.
public enum FilterOutcome: Hashable, Sendable {
    /// Taken.
    case accepted
    /// Taken as a new position; the next frame is a discontinuity.
    case jumped
    /// Refused.
    case refused(RefusalReason)
}

/// The reason why a report, an epoch or a fix was refused. Counted by name; `status` shows the counts.
public enum RefusalReason: String, CaseIterable, Hashable, Sendable {
    /// The mode says that there is no fix.
    case noFix
    /// A fix without latitude and longitude.
    case noPosition
    /// Exactly (0, 0), without a position nearby that confirms it.
    case nullIsland
    /// An epoch that was already taken.
    case repeated
    /// An epoch older than the last one taken.
    case backwards
    /// From a receiver other than the one in use.
    case otherDevice
    /// The innovation is outside the gate: an outlier, until others agree with it.
    case outlier
}
