/// A value that changes with time in what a client draws.
public enum MotionChannel: Hashable, Sendable {
    /// The puck's longitude and latitude, degrees.
    case position
    /// The puck's accuracy, metres.
    case accuracy
    /// The puck's heights above the ellipsoid and above the sea, metres.
    case altitude
    /// What the puck's arrow shows, degrees.
    case bearing
    /// The camera's centre: longitude and latitude, degrees.
    case center
    /// The camera's zoom.
    case zoom
    /// The camera's bearing, degrees.
    case cameraBearing
    /// The camera's pitch, degrees.
    case pitch
    /// The camera's padding, points: top, left, bottom, right.
    case padding
    /// A marker's longitude and latitude, degrees.
    case marker(String)

    /// Whether the first lane is an angle, which goes round at 360 degrees.
    var isAngular: Bool {
        switch self {
        case .position, .center, .marker, .bearing, .cameraBearing: true
        case .accuracy, .altitude, .zoom, .pitch, .padding: false
        }
    }

    /// Whether a fix may set it at once, to what it was not before; it is then led there.
    var isStepped: Bool { self == .accuracy || self == .altitude }

    /// The channels that a frame has, in the order in which they are sent.
    static func all(in frame: Frame) -> [MotionChannel] {
        var channels: [MotionChannel] = []
        if let puck = frame.puck {
            channels.append(.position)
            if puck.accuracy != nil { channels.append(.accuracy) }
            if puck.altitude != nil || puck.altitudeMSL != nil { channels.append(.altitude) }
            if puck.bearing != nil { channels.append(.bearing) }
        }
        if let camera = frame.camera {
            if camera.center != nil { channels.append(.center) }
            if camera.zoom != nil { channels.append(.zoom) }
            if camera.bearing != nil { channels.append(.cameraBearing) }
            if camera.pitch != nil { channels.append(.pitch) }
            if camera.padding != nil { channels.append(.padding) }
        }
        return channels + (frame.markers ?? []).map { .marker($0.name) }
    }

    /// The channel's value in a frame; nil if the frame has none. `place` is where a marker is in the frame's list.
    func value(in frame: Frame, place: Int = 0) -> SIMD4<Double>? {
        switch self {
        case .position: frame.puck.map { Self.lanes($0.coordinate) }
        case .accuracy: frame.puck?.accuracy.map { SIMD4($0, 0, 0, 0) }
        case .altitude: frame.puck.map { SIMD4($0.altitude ?? 0, $0.altitudeMSL ?? 0, 0, 0) }
        case .bearing: frame.puck?.bearing.map { SIMD4($0.degrees, 0, 0, 0) }
        case .center: frame.camera?.center.map { Self.lanes($0) }
        case .zoom: frame.camera?.zoom.map { SIMD4($0, 0, 0, 0) }
        case .cameraBearing: frame.camera?.bearing.map { SIMD4($0, 0, 0, 0) }
        case .pitch: frame.camera?.pitch.map { SIMD4($0, 0, 0, 0) }
        case .padding: frame.camera?.padding.map { SIMD4($0.top, $0.left, $0.bottom, $0.right) }
        case .marker:
            frame.markers.flatMap { $0.indices.contains(place) ? Self.lanes($0[place].coordinate) : nil }
        }
    }

    /// Sets the channel's value in a frame.
    func set(_ value: SIMD4<Double>, in frame: inout Frame) {
        let coordinate = Coordinate(wrappingLongitude: value[0], clampingLatitude: value[1])
        switch self {
        case .position: frame.puck?.coordinate = coordinate
        case .accuracy: frame.puck?.accuracy = value[0]
        case .altitude:
            if frame.puck?.altitude != nil { frame.puck?.altitude = value[0] }
            if frame.puck?.altitudeMSL != nil { frame.puck?.altitudeMSL = value[1] }
        case .bearing: frame.puck?.bearing = Direction(wrapping: value[0])
        case .center: frame.camera?.center = coordinate
        case .zoom: frame.camera?.zoom = value[0]
        case .cameraBearing: frame.camera?.bearing = Direction(wrapping: value[0])?.degrees
        case .pitch: frame.camera?.pitch = value[0]
        case .padding:
            frame.camera?.padding = Padding(top: value[0], left: value[1], bottom: value[2], right: value[3])
        case .marker(let name):
            guard let i = frame.markers?.firstIndex(where: { $0.name == name }) else { return }
            frame.markers?[i].coordinate = coordinate
        }
    }

    private static func lanes(_ coordinate: Coordinate) -> SIMD4<Double> {
        SIMD4(coordinate.longitude, coordinate.latitude, 0, 0)
    }
}
