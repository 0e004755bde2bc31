import PuckCore

/// Writes frames straight into bytes: no Foundation, no strings in between.
///
/// A frame is a head, which holds the subscription's own `seq` (`FrameLine`), and a body, which is the same for all who
/// see the same: made once, sent to many.
public enum FrameEncoder {
    /// Decimals of what goes over the wire.
    enum Places {
        /// Degrees of a precise position: 0.1 mm. At 1 mm the rounding alone would be a jerk of 390 m/s³ at 60 frames a second.
        static let position = 9
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
        var body: [UInt8] = []
        appendBody(frame, for: accuracy, to: &body)
        var line = FrameLine()
        line.hold(body)
        line.withLine(numbered: frame.sequence) { bytes.append(contentsOf: $0) }
    }

    /// The line from behind its number on, newline and all. `frame.sequence` is not looked at.
    ///
    /// For approximate clients this is one more gate, whatever the stages before let through: the puck of a precise
    /// estimate is left out, of an approximate one only what the protocol allows is written, and times are to the minute.
    public static func appendBody(_ frame: Frame, for accuracy: AccuracyMode, to bytes: inout [UInt8]) {
        let isPrecise = accuracy == .precise && frame.puck?.accuracyMode != .approximate
        let moment = isPrecise ? frame.moment : frame.moment.flooredToMinute
        JSONWriter.append(to: &bytes) { json in
            json.member("time", moment.utc)
            json.member("monotonic", moment.monotonic)
            json.member("view", frame.view)
            if let puck = frame.puck, isPrecise || puck.accuracyMode == .approximate { json.member("puck", puck) }
            if let camera = frame.camera {
                json.member("camera", camera, places: isPrecise ? Places.position : Places.approximatePosition)
            }
            if let markers = frame.markers { json.member("markers", markers) }
            json.append("}\n")
        }
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ name: StaticString, _ puck: Puck) {
        let isReduced = puck.accuracyMode == .approximate
        let places = isReduced ? FrameEncoder.Places.approximatePosition : FrameEncoder.Places.position
        // A puck without a position is none, nor is an approximate one without its circle.
        let accuracy = puck.accuracy.flatMap { Decimal($0, places: FrameEncoder.Places.metres) }
        guard let position = WirePosition(puck.coordinate, places: places),
            accuracy != nil || (puck.accuracy == nil && !isReduced)
        else { return }
        self.name(name)
        append("{")
        member("state", word: isReduced && puck.state != .live ? .stale : puck.state)
        member("accuracyMode", word: puck.accuracyMode)
        self.name("position")
        append(position)
        if let accuracy {
            self.name("accuracy")
            append(accuracy)
        }
        if !isReduced { preciseMembers(of: puck) }
        append("}")
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
        member("pitch", puck.pitch, places: degrees)
        member("roll", puck.roll, places: degrees)
        member("bearing", angle: puck.bearing?.degrees)
        member("bearingSource", word: puck.bearingSource)
        if let stationary = puck.stationary {
            self.name("stationary")
            append(stationary ? "true" : "false")
        }
        member("discontinuity", ifTrue: puck.discontinuity)
        member("estimated", ifTrue: puck.estimated)
        member("fixTime", puck.fixTime)
        member("age", puck.age, places: FrameEncoder.Places.seconds)
    }

    mutating func member(_ name: StaticString, _ camera: Camera, places: Int) {
        object(name) { json in
            if let center = camera.center, let position = WirePosition(center, places: places) {
                json.name("center")
                json.append(position)
            }
            json.member("zoom", camera.zoom, places: FrameEncoder.Places.zoom)
            json.member("bearing", angle: camera.bearing)
            json.member("pitch", camera.pitch, places: FrameEncoder.Places.degrees)
            if let padding = camera.padding { json.member("padding", padding) }
        }
    }

    mutating func member(_ name: StaticString, _ padding: Padding) {
        object(name) { json in
            json.member("top", padding.top, places: FrameEncoder.Places.points)
            json.member("left", padding.left, places: FrameEncoder.Places.points)
            json.member("bottom", padding.bottom, places: FrameEncoder.Places.points)
            json.member("right", padding.right, places: FrameEncoder.Places.points)
        }
    }

    fileprivate mutating func member(_ name: StaticString, _ markers: [Marker]) {
        array(name, markers) { json, marker in
            json.append("{")
            json.member("marker", marker.name)
            if let position = WirePosition(marker.coordinate, places: FrameEncoder.Places.position) {
                json.name("position")
                json.append(position)
            }
            json.member("moving", ifTrue: marker.moving)
            json.append("}")
        }
    }

    /// A member that is a direction in [0, 360), also once rounded.
    mutating func member(_ name: StaticString, angle: Double?) {
        guard let angle, var decimal = Decimal(angle, places: FrameEncoder.Places.degrees) else { return }
        if decimal.steps == 360_000 { decimal.steps = 0 }
        self.name(name)
        append(decimal)
    }
}
