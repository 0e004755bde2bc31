import PuckCore

/// Writes motions: what a client draws as functions of time.
public enum MotionEncoder {
    /// Decimals of an instant or a length of time, in seconds.
    private static let seconds = 6
    /// Decimals of a change of a position a second, degrees.
    static let positionSlope = 9
    private static let front: StaticString = "{\"type\":\"motion\",\"seq\":"
    /// Lines of precise clients have this many bytes, or twice or four times as many, and so on.
    private static let leastWidth = 1_024

    /// What comes after the number, newline and all.
    ///
    /// An approximate client's motion is a constant: what a frame has, and no more.
    public static func body(_ plan: MotionPlan, for accuracy: AccuracyMode) -> [UInt8] {
        var bytes: [UInt8] = []
        guard accuracy == .precise, plan.frame.puck?.accuracyMode != .approximate else {
            FrameEncoder.appendBody(plan.frame, for: .approximate, to: &bytes)
            return bytes
        }
        JSONWriter.append(to: &bytes) { json in
            json.member("time", plan.moment.utc)
            json.member("monotonic", plan.moment.monotonic)
            json.member("until", plan.until, places: seconds)
            json.member("view", plan.frame.view)
            if let puck = plan.frame.puck { json.object("puck") { $0.members(of: puck, plan) } }
            if let camera = plan.frame.camera { json.object("camera") { $0.members(of: camera, plan) } }
            if let markers = plan.frame.markers { json.member("markers", markers, plan) }
            if !plan.changes.isEmpty {
                json.array("changes", plan.changes) { json, change in
                    json.append("{")
                    json.member("after", change.after, places: seconds)
                    json.members(of: change.facts)
                    json.append("}")
                }
            }
            json.append("}\n")
        }
        return bytes
    }

    /// The line under a number. `isFilled`: with spaces before its end, so that its length hardly tells what it says.
    public static func line(numbered sequence: UInt64, _ body: [UInt8], isFilled: Bool) -> [UInt8] {
        var line: [UInt8] = []
        JSONWriter.append(to: &line) { json in
            json.append(front)
            json.append(raw: "\(sequence)")
            json.append(",")
        }
        line.append(contentsOf: body)
        guard isFilled else { return line }
        var width = leastWidth
        while width < line.count { width *= 2 }
        line.removeLast()
        line.append(contentsOf: repeatElement(UInt8(ascii: " "), count: width - 1 - line.count))
        line.append(UInt8(ascii: "\n"))
        return line
    }
}

extension JSONWriter {
    fileprivate mutating func members(of puck: Puck, _ plan: MotionPlan) {
        let (metres, degrees) = (FrameEncoder.Places.metres, FrameEncoder.Places.degrees)
        member("state", word: puck.state)
        member("accuracyMode", word: puck.accuracyMode)
        position("position", plan.spline(of: .position))
        if puck.accuracy != nil { channel("accuracy", plan.spline(of: .accuracy), places: metres) }
        if puck.altitude != nil { channel("altitude", plan.spline(of: .altitude), places: metres) }
        if puck.altitudeMSL != nil { channel("altitudeMSL", plan.spline(of: .altitude), lane: 1, places: metres) }
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
        if puck.bearing != nil { angle("bearing", plan.spline(of: .bearing)) }
        member("bearingSource", word: puck.bearingSource)
        member("stationary", puck.stationary)
        member("discontinuity", ifTrue: puck.discontinuity || plan.jumps(.position, .bearing))
        member("estimated", ifTrue: puck.estimated)
        member("fixTime", puck.fixTime)
        member("age", puck.age, places: FrameEncoder.Places.seconds)
    }

    fileprivate mutating func members(of camera: Camera, _ plan: MotionPlan) {
        if camera.center != nil { position("center", plan.spline(of: .center)) }
        if camera.zoom != nil { channel("zoom", plan.spline(of: .zoom), places: FrameEncoder.Places.zoom) }
        if camera.bearing != nil { angle("bearing", plan.spline(of: .cameraBearing)) }
        if camera.pitch != nil { channel("pitch", plan.spline(of: .pitch), places: FrameEncoder.Places.degrees) }
        if let padding = camera.padding { member("padding", padding, plan.spline(of: .padding)) }
        member("discontinuity", ifTrue: plan.jumps(.center, .zoom, .cameraBearing, .pitch, .padding))
    }

    private mutating func member(_ name: StaticString, _ padding: Padding, _ spline: HermiteSpline?) {
        let points = FrameEncoder.Places.points
        guard let spline, !spline.isConstant else { return member(name, padding) }
        object(name) { json in
            json.channel("top", spline, lane: 0, places: points)
            json.channel("left", spline, lane: 1, places: points)
            json.channel("bottom", spline, lane: 2, places: points)
            json.channel("right", spline, lane: 3, places: points)
        }
    }

    fileprivate mutating func member(_ name: StaticString, _ markers: [Marker], _ plan: MotionPlan) {
        let splines = Dictionary(plan.tracks.map { ($0.channel, $0) }) { first, _ in first }
        array(name, markers) { json, marker in
            let track = splines[.marker(marker.name)]
            json.append("{")
            json.member("marker", marker.name)
            json.position("position", track?.spline)
            json.member("moving", ifTrue: marker.moving)
            json.member("discontinuity", ifTrue: track?.jumps ?? false)
            json.append("}")
        }
    }

    fileprivate mutating func members(of facts: MotionFacts) {
        member("state", word: facts.state)
        member("stationary", facts.stationary)
        member("bearingSource", word: facts.bearingSource)
    }

    private mutating func member(_ name: StaticString, _ fact: Bool?) {
        guard let fact else { return }
        self.name(name)
        append(fact ? "true" : "false")
    }

    // MARK: Channels

    /// A number where nothing moves; else knots: time, value and change a second.
    private mutating func channel(_ name: StaticString, _ spline: HermiteSpline?, lane: Int = 0, places: Int) {
        guard let spline else { return }
        guard !spline.isConstant else { return member(name, spline.knots[0].value[lane], places: places) }
        array(name, spline.knots) { json, knot in
            json.knot(knot, [(knot.value[lane], places), (knot.slope[lane], places)])
        }
    }

    private mutating func angle(_ name: StaticString, _ spline: HermiteSpline?) {
        guard let spline, spline.isConstant else { return channel(name, spline, places: FrameEncoder.Places.degrees) }
        member(name, angle: Direction(wrapping: spline.knots[0].value[0])?.degrees)
    }

    /// `[longitude, latitude]` where nothing moves; else knots: time, longitude, latitude, and the changes a second of both.
    private mutating func position(_ name: StaticString, _ spline: HermiteSpline?) {
        guard let spline else { return }
        let (places, slopePlaces) = (FrameEncoder.Places.position, MotionEncoder.positionSlope)
        guard !spline.isConstant else {
            let value = spline.knots[0].value
            let coordinate = Coordinate(wrappingLongitude: value[0], clampingLatitude: value[1])
            guard let position = WirePosition(coordinate, places: places) else { return }
            self.name(name)
            return append(position)
        }
        array(name, spline.knots) { json, knot in
            json.knot(
                knot,
                [
                    (knot.value[0], places), (knot.value[1], places), (knot.slope[0], slopePlaces),
                    (knot.slope[1], slopePlaces),
                ])
        }
    }

    private mutating func knot(_ knot: Knot, _ numbers: [(value: Double, places: Int)]) {
        append("[")
        append(Decimal(knot.time, places: 6) ?? Decimal(steps: 0, places: 0))
        for number in numbers {
            append(",")
            append(Decimal(number.value, places: number.places) ?? Decimal(steps: 0, places: 0))
        }
        append("]")
    }
}

extension MotionPlan {
    fileprivate func jumps(_ channels: MotionChannel...) -> Bool {
        tracks.contains { $0.jumps && channels.contains($0.channel) }
    }
}
