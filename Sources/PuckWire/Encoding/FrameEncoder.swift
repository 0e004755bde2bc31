import PuckCore

/// Writes frames straight into bytes: no Foundation, no strings in between.
///
/// A frame is a head, which holds the subscription's own `seq`, and a body, which is the same for all who see the same:
/// made once, sent to many.
public enum FrameEncoder {
    /// Decimals of what goes over the wire.
    enum Places {
        /// Degrees of a precise position: 1 mm.
        static let position = 8
        /// Degrees of an approximate position: 1 m.
        static let approximatePosition = 5
        /// Metres and metres per second.
        static let metres = 3
        /// Degrees of directions and tilts.
        static let degrees = 3
        /// Zoom: under a hundredth of a pixel at the edge of a screen.
        static let zoom = 5
        /// Points of padding.
        static let points = 2
        /// Seconds of age.
        static let seconds = 3
    }

    /// The whole line of `frame` as a client of that accuracy may see it.
    public static func append(_ frame: Frame, for accuracy: AccuracyMode, to bytes: inout [UInt8]) {
        appendHead(sequence: frame.sequence, to: &bytes)
        appendBody(frame, for: accuracy, to: &bytes)
    }

    /// The start of a line: all that differs between subscriptions.
    public static func appendHead(sequence: UInt64, to bytes: inout [UInt8]) {
        bytes.append("{\"type\":\"frame\",\"seq\":")
        Decimal(steps: Int64(clamping: sequence), places: 0).append(to: &bytes)
    }

    /// The rest of the line, newline and all. `frame.sequence` is not looked at.
    ///
    /// For approximate clients this is one more gate, whatever the stages before let through: the puck of a precise
    /// estimate is left out, of an approximate one only what the protocol allows is written, and times are to the minute.
    public static func appendBody(_ frame: Frame, for accuracy: AccuracyMode, to bytes: inout [UInt8]) {
        let isPrecise = accuracy == .precise
        bytes.member("time", isPrecise ? frame.moment.utc : frame.moment.utc.flooredForApproximate)
        bytes.member("monotonic", isPrecise ? frame.moment.monotonic : frame.moment.monotonic.flooredForApproximate)
        bytes.member("view", frame.view)
        if let puck = frame.puck { bytes.member("puck", puck, isPrecise: isPrecise) }
        let places = isPrecise ? Places.position : Places.approximatePosition
        if let camera = frame.camera { bytes.member("camera", camera, places: places) }
        if let markers = frame.markers { bytes.member("markers", markers) }
        bytes.append("}\n")
    }
}

extension [UInt8] {
    fileprivate mutating func member(_ name: StaticString, _ puck: Puck, isPrecise: Bool) {
        guard isPrecise || puck.accuracyMode == .approximate else { return }
        let isReduced = puck.accuracyMode == .approximate
        let places = isReduced ? FrameEncoder.Places.approximatePosition : FrameEncoder.Places.position
        // A puck without a position and its accuracy is none.
        guard let position = WirePosition(puck.coordinate, places: places),
            let accuracy = Decimal(puck.accuracy, places: FrameEncoder.Places.metres)
        else { return }
        self.name(name)
        append(UInt8(ascii: "{"))
        member("state", word: isReduced && puck.state != .live ? .stale : puck.state)
        member("accuracyMode", word: puck.accuracyMode)
        self.name("position")
        position.append(to: &self)
        self.name("accuracy")
        accuracy.append(to: &self)
        if !isReduced { preciseMembers(of: puck) }
        append(UInt8(ascii: "}"))
    }

    private mutating func preciseMembers(of puck: Puck) {
        let metres = FrameEncoder.Places.metres
        let degrees = FrameEncoder.Places.degrees
        member("altitude", puck.altitude, places: metres)
        member("altitudeMSL", puck.altitudeMSL, places: metres)
        member("altitudeAccuracy", puck.altitudeAccuracy, places: metres)
        member("speed", puck.speed, places: metres)
        member("speedAccuracy", puck.speedAccuracy, places: metres)
        member("course", angle: puck.course?.degrees)
        member("courseAccuracy", puck.courseAccuracy, places: degrees)
        member("heading", angle: puck.heading?.degrees)
        member("headingAccuracy", puck.headingAccuracy, places: degrees)
        member("northReference", word: puck.northReference)
        member("bearing", angle: puck.bearing?.degrees)
        member("bearingSource", word: puck.bearingSource)
        if let stationary = puck.stationary {
            self.name("stationary")
            append(stationary ? "true" : "false")
        }
        member("discontinuity", ifTrue: puck.discontinuity)
        member("fixTime", puck.fixTime)
        member("age", puck.age, places: FrameEncoder.Places.seconds)
    }

    mutating func member(_ name: StaticString, _ camera: Camera, places: Int) {
        object(name) { bytes in
            if let center = camera.center, let position = WirePosition(center, places: places) {
                bytes.name("center")
                position.append(to: &bytes)
            }
            bytes.member("zoom", camera.zoom, places: FrameEncoder.Places.zoom)
            bytes.member("bearing", angle: camera.bearing)
            bytes.member("pitch", camera.pitch, places: FrameEncoder.Places.degrees)
            if let padding = camera.padding { bytes.member("padding", padding) }
        }
    }

    private mutating func member(_ name: StaticString, _ padding: Padding) {
        object(name) { bytes in
            bytes.member("top", padding.top, places: FrameEncoder.Places.points)
            bytes.member("left", padding.left, places: FrameEncoder.Places.points)
            bytes.member("bottom", padding.bottom, places: FrameEncoder.Places.points)
            bytes.member("right", padding.right, places: FrameEncoder.Places.points)
        }
    }

    fileprivate mutating func member(_ name: StaticString, _ markers: [Marker]) {
        array(name, markers) { bytes, marker in
            bytes.append(UInt8(ascii: "{"))
            bytes.member("marker", marker.name)
            if let position = WirePosition(marker.coordinate, places: FrameEncoder.Places.position) {
                bytes.name("position")
                position.append(to: &bytes)
            }
            bytes.member("moving", ifTrue: marker.moving)
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// A member that is a direction in [0, 360), also once rounded.
    private mutating func member(_ name: StaticString, angle: Double?) {
        guard let angle, var decimal = Decimal(angle, places: FrameEncoder.Places.degrees) else { return }
        if decimal.steps == 360_000 { decimal.steps = 0 }
        self.name(name)
        decimal.append(to: &self)
    }
}

/// A position rounded for the wire, its longitude in [-180, 180) also then.
private struct WirePosition {
    private var longitude: Decimal
    private let latitude: Decimal

    init?(_ coordinate: Coordinate, places: Int) {
        guard let longitude = Decimal(coordinate.longitude, places: places),
            let latitude = Decimal(coordinate.latitude, places: places),
            let antimeridian = Decimal(180, places: places)
        else { return nil }
        self.longitude = longitude
        self.latitude = latitude
        if longitude == antimeridian { self.longitude.steps = -antimeridian.steps }
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "["))
        longitude.append(to: &bytes)
        bytes.append(UInt8(ascii: ","))
        latitude.append(to: &bytes)
        bytes.append(UInt8(ascii: "]"))
    }
}
