import PuckCore

// A frame from its members.

extension Members {
    func frame() throws(Missing) -> Frame {
        Frame(
            sequence: try need("seq", whole("seq")),
            moment: Moment(
                monotonic: try need("monotonic", instant("monotonic")), utc: try need("time", time("time"))),
            view: try need("view", string("view")),
            puck: object("puck").flatMap { $0.puck() }, camera: object("camera").map { $0.camera() },
            markers: array("markers").map { $0.compactMap { $0.object.flatMap { Members($0).marker() } } })
    }

    private func puck() -> Puck? {
        guard let state: PuckState = word("state"), let mode: AccuracyMode = word("accuracyMode"),
            let coordinate = position("position")
        else { return nil }
        let accuracy = number("accuracy")
        guard accuracy != nil || mode == .precise else { return nil }
        var puck = Puck(state: state, accuracyMode: mode, coordinate: coordinate, accuracy: accuracy)
        puck.altitude = number("altitude")
        puck.altitudeMSL = number("altitudeMSL")
        puck.altitudeAccuracy = number("altitudeAccuracy")
        puck.speed = number("speed")
        puck.speedAccuracy = number("speedAccuracy")
        puck.course = direction("course")
        puck.courseAccuracy = number("courseAccuracy")
        puck.heading = direction("heading")
        puck.headingAccuracy = number("headingAccuracy")
        puck.northReference = word("northReference")
        puck.pitch = number("pitch")
        puck.roll = number("roll")
        puck.bearing = direction("bearing")
        puck.bearingSource = word("bearingSource")
        puck.stationary = bool("stationary")
        puck.discontinuity = bool("discontinuity") ?? false
        puck.estimated = bool("estimated") ?? false
        puck.fixTime = time("fixTime")
        puck.age = number("age")
        return puck
    }

    private func camera() -> Camera {
        Camera(
            center: position("center"), zoom: number("zoom"), bearing: number("bearing"), pitch: number("pitch"),
            padding: object("padding").map { padding in
                Padding(
                    top: padding.number("top") ?? 0, left: padding.number("left") ?? 0,
                    bottom: padding.number("bottom") ?? 0, right: padding.number("right") ?? 0)
            })
    }

    private func marker() -> Marker? {
        guard let name = string("marker"), let coordinate = position("position") else { return nil }
        return Marker(name: name, coordinate: coordinate, moving: bool("moving") ?? false)
    }
}
