import PuckCore

// The requests that steer a view.

extension Fields {
    /// The command that a request of `type` is. Only the types that steer a view come here.
    func viewCommand(_ type: RequestType) throws(FieldError) -> ViewCommand {
        switch type {
        case .track:
            if object["mode"]?.word == "next" { return .trackNext }
            return .track(try trackingMode())
        case .follow: return try follow()
        case .overview: return .overview(try overview())
        case .ease:
            return .ease(
                try required("camera", try camera("camera")), duration: try seconds("duration"),
                curve: try curve("curve"))
        case .fly:
            return .fly(
                try required("camera", try camera("camera")), duration: try seconds("duration"),
                curve: try curve("curve"))
        case .gesture:
            return .gesture(
                try required("kind", try choice("kind", GestureKind.self)),
                phase: try required("phase", try choice("phase", GesturePhase.self)),
                camera: try camera("camera"))
        case .viewport: return .viewport(try viewport())
        case .marker:
            return .marker(
                name: try markerName(), to: try required("position", try position("position")),
                duration: try seconds("duration") ?? defaultMarkerDuration, curve: try curve("curve") ?? .linear)
        case .removeMarker: return .removeMarker(name: try markerName())
        default: return .idle
        }
    }

    private func trackingMode() throws(FieldError) -> TrackingMode {
        guard let value = object["mode"] else { return try required("mode", nil) }
        guard let mode = value.word.flatMap(TrackingMode.init(rawValue:)) else {
            throw bad("mode", oneOf(TrackingMode.allCases.map(\.rawValue) + ["next"]))
        }
        return mode
    }

    private func follow() throws(FieldError) -> ViewCommand {
        var options = FollowOptions()
        options.zoom = try change("zoom") { fields throws(FieldError) in try fields.zoom("zoom") }
        options.bearing = try change("bearing") { fields throws(FieldError) in try fields.followBearing() }
        options.pitch = try change("pitch") { fields throws(FieldError) in try fields.pitch("pitch") }
        options.padding = try change("padding") { fields throws(FieldError) in try fields.padding("padding") }
        return .follow(options, transition: try choice("transition", TransitionKind.self) ?? .default)
    }

    /// An option that `null` gives to the client.
    private func change<Value>(
        _ name: String, read: (Fields) throws(FieldError) -> Value?
    ) throws(FieldError) -> OptionChange<Value> {
        if object[name] == .null { return .client }
        return try read(self).map { .set($0) } ?? .unchanged
    }

    private func followBearing() throws(FieldError) -> FollowBearing? {
        guard let value = object["bearing"] else { return nil }
        switch value.word {
        case "heading": return .heading
        case "course": return .course
        default: break
        }
        guard let direction = value.double.flatMap({ Direction($0) }) else {
            throw bad("bearing", "\"heading\", \"course\", null, or degrees clockwise from north, from 0 to 360")
        }
        return .constant(direction.degrees)
    }

    private func overview() throws(FieldError) -> OverviewOptions {
        var options = OverviewOptions(geometry: try required("geometry", try geometry("geometry")))
        options.padding = try padding("padding")
        options.geometryPadding = try padding("geometryPadding")
        options.maxZoom = try zoom("maxZoom")
        options.bearing = try angle("bearing")?.degrees
        options.pitch = try pitch("pitch")
        options.duration = try seconds("duration")
        return options
    }

    private func camera(_ name: String) throws(FieldError) -> Camera? {
        guard let fields = try nested(name, known: ["center", "zoom", "bearing", "pitch", "padding"]) else {
            return nil
        }
        let camera = Camera(
            center: try fields.position("center"), zoom: try fields.zoom("zoom"),
            bearing: try fields.angle("bearing")?.degrees, pitch: try fields.pitch("pitch"),
            padding: try fields.padding("padding"))
        guard !camera.isEmpty else { throw bad(name, "at least one of center, zoom, bearing, pitch, padding") }
        return camera
    }

    private func padding(_ name: String) throws(FieldError) -> Padding? {
        guard let fields = try nested(name, known: ["top", "left", "bottom", "right"]) else { return nil }
        return Padding(
            top: try fields.points("top") ?? 0, left: try fields.points("left") ?? 0,
            bottom: try fields.points("bottom") ?? 0, right: try fields.points("right") ?? 0)
    }

    private func viewport() throws(FieldError) -> Viewport {
        var viewport = Viewport(width: try side("width"), height: try side("height"))
        viewport.fieldOfView =
            try number("fov", in: RequestRanges.fieldOfView, unit: "degrees") ?? viewport.fieldOfView
        return viewport
    }

    private func side(_ name: String) throws(FieldError) -> Double {
        try required(name, try number(name, in: RequestRanges.side, unit: "points"))
    }

    /// A named curve, or its control points.
    private func curve(_ name: String) throws(FieldError) -> EasingCurve? {
        guard let value = object[name] else { return nil }
        if let named = value.word.flatMap(EasingCurve.init(named:)) { return named }
        let p = value.array?.compactMap(\.double) ?? []
        guard p.count == 4, value.array?.count == 4,
            RequestRanges.curveTime.contains(p[0]), RequestRanges.curveProgress.contains(p[1]),
            RequestRanges.curveTime.contains(p[2]), RequestRanges.curveProgress.contains(p[3])
        else {
            throw bad(
                name, oneOf(EasingCurve.names) + ", or [x1, y1, x2, y2] with x from 0 to 1 and y from -10 to 10")
        }
        return EasingCurve(p[0], p[1], p[2], p[3])
    }

    private func markerName() throws(FieldError) -> String {
        try required("marker", try string("marker", "a marker's name"))
    }
    private func zoom(_ name: String) throws(FieldError) -> Double? {
        try number(name, in: RequestRanges.zoom, unit: "zoom levels")
    }
    private func pitch(_ name: String) throws(FieldError) -> Double? {
        try number(name, in: RequestRanges.pitch, unit: "degrees")
    }
    private func points(_ name: String) throws(FieldError) -> Double? {
        try number(name, in: RequestRanges.padding, unit: "points")
    }
    private func seconds(_ name: String) throws(FieldError) -> Double? {
        try number(name, in: RequestRanges.duration, unit: "seconds")
    }
}

/// How long a marker takes to where it is moved, seconds, where the request does not say. (the protocol)
private let defaultMarkerDuration = 2.0

extension EasingCurve {
    /// The names that a request may give a curve by.
    public static let names = ["linear", "easeIn", "easeOut", "easeInOut"]

    /// The curve with that name; nil if there is none.
    public init?(named name: String) {
        switch name {
        case "linear": self = .linear
        case "easeIn": self = .easeIn
        case "easeOut": self = .easeOut
        case "easeInOut": self = .easeInOut
        default: return nil
        }
    }
}
