/// How fresh what is shown is.
public enum PuckState: String, Hashable, Sendable {
    /// From a fix after which the receiver has not been silent for longer than it usually is.
    case live
    /// Carried forward over a gap.
    case predicted
    /// Held where it last was.
    case stale
}

/// Precise or approximate: what a client is given.
public enum AccuracyMode: String, CaseIterable, Hashable, Sendable {
    /// As well as the receiver and the filters can tell.
    case precise
    /// A point within some kilometres, that does not give the rest away.
    case approximate
}

/// What the puck's arrow shows.
public enum BearingSource: String, Hashable, Sendable {
    /// A compass or a dual antenna.
    case heading
    /// The direction of travel.
    case course
    /// The last direction, kept while standing still.
    case held
}

/// What a client wants the puck's arrow to show.
public enum BearingPreference: String, CaseIterable, Hashable, Sendable {
    /// Heading where it is fresh, else course.
    case auto
    /// Heading only.
    case heading
    /// Course only.
    case course
    /// No arrow.
    case none
}

/// The location puck as told to a client. Unknown is nil, and absent on the wire.
public struct Puck: Hashable, Sendable {
    /// How fresh it is.
    public var state: PuckState
    /// Which tier it belongs to.
    public var accuracyMode: AccuracyMode
    /// Position.
    public var coordinate: Coordinate
    /// 95 % radius, metres; nil where the location was placed by one who did not say it.
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
    /// What a map turns by whose top is the course: the course, which it turns to when that comes to be known anew, and the
    /// last one while standing still. It is not sent by itself.
    public var drawnCourse: Direction?
    /// Where the vehicle points.
    public var heading: Direction?
    /// 95 % half-width, degrees.
    public var headingAccuracy: Double? {
        get { headingAccuracyFigure.value }
        set { headingAccuracyFigure.value = newValue }
    }
    /// Which north `heading` is from.
    public var northReference: NorthReference?
    /// How it is tilted: degrees, -90 to 90, positive with the bow up.
    public var pitch: Double? {
        get { pitchFigure.value }
        set { pitchFigure.value = newValue }
    }
    /// Degrees, -180 to 180, positive with the right side down.
    public var roll: Double? {
        get { rollFigure.value }
        set { rollFigure.value = newValue }
    }
    /// What the arrow shows; nil: draw no arrow.
    public var bearing: Direction?
    /// Where `bearing` comes from.
    public var bearingSource: BearingSource?
    /// Whether it stands still; nil where that may not be told.
    public var stationary: Bool?
    /// Whether it still moves to where it rests, while a correction is worked in. It is not sent.
    public var isGliding = false
    /// True on the one frame that jumps on purpose.
    public var discontinuity = false
    /// Whether the receiver reckoned its newest fix, wholly or partly, instead of measuring it by satellites alone.
    public var estimated = false
    /// UTC of the newest fix used.
    public var fixTime: UTC?
    /// Seconds since that fix was true, or that placed location.
    public var age: Double?

    private var altitudeAccuracyFigure = CompactFigure()
    private var speedAccuracyFigure = CompactFigure()
    private var courseAccuracyFigure = CompactFigure()
    private var headingAccuracyFigure = CompactFigure()
    private var pitchFigure = CompactFigure()
    private var rollFigure = CompactFigure()

    /// A puck of the fields that each must have.
    public init(state: PuckState, accuracyMode: AccuracyMode, coordinate: Coordinate, accuracy: Double?) {
        self.state = state
        self.accuracyMode = accuracyMode
        self.coordinate = coordinate
        self.accuracy = accuracy
    }
}
