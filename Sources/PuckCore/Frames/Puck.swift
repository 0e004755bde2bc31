/// The freshness of the shown position.
public enum PuckState: String, Hashable, Sendable {
    /// From a fix, after which the receiver has not been silent for longer than usual.
    case live
    /// Extrapolated over a gap.
    case predicted
    /// Held at its last position.
    case stale
}

/// The accuracy that a client gets.
public enum AccuracyMode: String, CaseIterable, Hashable, Sendable {
    /// The full accuracy of the receiver and the filters.
    case precise
    /// A point within some kilometres that does not reveal the rest.
    case approximate
}

/// The source of the arrow's bearing.
public enum BearingSource: String, Hashable, Sendable {
    /// A compass or a dual antenna.
    case heading
    /// The direction of travel.
    case course
    /// The last direction, kept while the vehicle stands still.
    case held
}

/// The bearing that a client wants.
public enum BearingPreference: String, CaseIterable, Hashable, Sendable {
    /// The heading if it is recent, else the course.
    case auto
    /// Heading only.
    case heading
    /// Course only.
    case course
    /// No arrow.
    case none
}

/// The location puck for a client. An unknown value is nil, and absent on the wire.
public struct Puck: Hashable, Sendable {
    /// Its freshness.
    public var state: PuckState
    /// Its tier.
    public var accuracyMode: AccuracyMode
    /// Position.
    public var coordinate: Coordinate
    /// 95 % radius, metres; nil if a client placed the location without it.
    public var accuracy: Double?
    /// Above the WGS 84 ellipsoid, metres.
    public var altitude: Double?
    /// Above mean sea level, metres.
    public var altitudeMSL: Double?
    /// 95 % half-width, metres.
    public var altitudeAccuracy: Double? {
        get { altitudeAccuracyFigure.value }
        set { altitudeAccuracyFigure.value = newValue }
    }
    /// Over ground, m/s.
    public var speed: Double?
    /// 95 % half-width, m/s.
    public var speedAccuracy: Double? {
        get { speedAccuracyFigure.value }
        set { speedAccuracyFigure.value = newValue }
    }
    /// Direction of travel.
    public var course: Direction?
    /// 95 % half-width, degrees.
    public var courseAccuracy: Double? {
        get { courseAccuracyFigure.value }
        set { courseAccuracyFigure.value = newValue }
    }
    /// The bearing of a map with the course up: the course, to which it turns when the course becomes known again,
    /// and the last one at a standstill. It is only sent as part of a camera.
    public var drawnCourse: Direction?
    /// The direction in which the vehicle points.
    public var heading: Direction?
    /// 95 % half-width, degrees.
    public var headingAccuracy: Double? {
        get { headingAccuracyFigure.value }
        set { headingAccuracyFigure.value = newValue }
    }
    /// The north to which `heading` refers.
    public var northReference: NorthReference?
    /// Tilt: degrees, -90 to 90, positive with the bow up.
    public var pitch: Double? {
        get { pitchFigure.value }
        set { pitchFigure.value = newValue }
    }
    /// Degrees, -180 to 180, positive with the right side down.
    public var roll: Double? {
        get { rollFigure.value }
        set { rollFigure.value = newValue }
    }
    /// The direction of the arrow; nil: draw no arrow.
    public var bearing: Direction?
    /// The source of `bearing`.
    public var bearingSource: BearingSource?
    /// Whether the vehicle stands still; nil if the client may not know.
    public var stationary: Bool?
    /// Whether it still moves to its rest position while a correction is applied. It is not sent.
    public var isGliding = false
    /// True on the one frame that jumps on purpose.
    public var discontinuity = false
    /// Whether the newest fix comes from dead reckoning, at least partly.
    public var estimated = false
    /// UTC of the newest fix used.
    public var fixTime: UTC?
    /// Seconds since the instant of that fix, or of the placed location.
    public var age: Double?

    private var altitudeAccuracyFigure = CompactFigure()
    private var speedAccuracyFigure = CompactFigure()
    private var courseAccuracyFigure = CompactFigure()
    private var headingAccuracyFigure = CompactFigure()
    private var pitchFigure = CompactFigure()
    private var rollFigure = CompactFigure()

    /// A puck with the required fields. Set the others afterwards.
    public init(state: PuckState, accuracyMode: AccuracyMode, coordinate: Coordinate, accuracy: Double?) {
        self.state = state
        self.accuracyMode = accuracyMode
        self.coordinate = coordinate
        self.accuracy = accuracy
    }
}
