/// A named marker as it stands at the frame's instant.
public struct Marker: Hashable, Sendable {
    /// The name it was put by.
    public var name: String
    /// Where it is.
    public var coordinate: Coordinate
    /// Whether it is on its way.
    public var moving: Bool

    /// A marker.
    public init(name: String, coordinate: Coordinate, moving: Bool) {
        self.name = name
        self.coordinate = coordinate
        self.moving = moving
    }
}

/// A view of the world at one instant: puck, camera and markers made together.
public struct Frame: Hashable, Sendable {
    /// Counts the frames made for a subscription.
    public var sequence: UInt64
    /// The instant, on both clocks.
    public var moment: Moment
    /// The view's name; empty for a connection's own.
    public var view: String
    /// The puck, where there is a position.
    public var puck: Puck?
    /// The camera's axes that the view owns.
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
