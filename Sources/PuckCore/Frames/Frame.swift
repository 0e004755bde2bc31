/// A named marker at the frame's instant.
public struct Marker: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// Its position.
    public var coordinate: Coordinate
    /// Whether it moves.
    public var moving: Bool

    /// A marker.
    public init(name: String, coordinate: Coordinate, moving: Bool) {
        self.name = name
        self.coordinate = coordinate
        self.moving = moving
    }
}

/// The puck, camera and markers of one instant.
public struct Frame: Hashable, Sendable {
    /// Counts the frames made for a subscription.
    public var sequence: UInt64
    /// The instant, on both clocks.
    public var moment: Moment
    /// The view's name; empty for a connection's own.
    public var view: String
    /// The puck; nil if no position is known.
    public var puck: Puck?
    /// The camera axes that the view controls.
    public var camera: Camera?
    /// The view's markers.
    public var markers: [Marker]?

    /// A frame.
    public init(
        sequence: UInt64, moment: Moment, view: String, puck: Puck? = nil, camera: Camera? = nil,
        markers: [Marker]? = nil
    ) {
        self.sequence = sequence
        self.moment = moment
        self.view = view
        self.puck = puck
        self.camera = camera
        self.markers = markers
    }
}
