import PuckCore

/// Writes requests, as a client sends them.
public enum RequestEncoder {
    /// The line of a request, newline and all. A number that is not finite is written as one past all bounds, so that the
    /// server refuses it by name; it never turns into something that was not asked.
    public static func line(_ envelope: Envelope) -> [UInt8] {
        var bytes: [UInt8] = []
        JSONWriter.append(to: &bytes) { json in
            json.append("{")
            json.members(of: envelope.request)
            json.member(id: envelope.id)
            json.append("}\n")
        }
        return bytes
    }
}

extension JSONWriter {
    private mutating func type(_ type: RequestType) { member("type", word: type) }

    fileprivate mutating func members(of request: Request) {
        switch request {
        case .subscribe(let options):
            type(.subscribe)
            members(of: options)
        case .unsubscribe: type(.unsubscribe)
        case .accuracy(let mode, let scope):
            type(.accuracy)
            member("mode", word: mode)
            member("scope", word: scope)
        case .requestPrecise(let purpose):
            type(.requestPrecise)
            member("purpose", purpose)
        case .endPrecise: type(.endPrecise)
        case .view(let name, let command):
            members(of: command)
            member("view", name)
        case .place(let placement):
            type(.place)
            members(of: placement)
        case .release: type(.release)
        case .status: type(.status)
        case .ping: type(.ping)
        case .who: type(.who)
        }
    }

    private mutating func members(of placement: Placement) {
        member("position", exact: placement.coordinate)
        member("accuracy", exact: placement.accuracy)
        member("altitude", exact: placement.altitude)
        member("altitudeMSL", exact: placement.altitudeMSL)
        member("altitudeAccuracy", exact: placement.altitudeAccuracy)
        member("heading", exact: placement.heading?.degrees)
        member("headingAccuracy", exact: placement.attitude.headingAccuracy)
        member("pitch", exact: placement.attitude.pitch)
        member("roll", exact: placement.attitude.roll)
        member("speed", exact: placement.speed)
        member("course", exact: placement.course?.degrees)
        member("monotonic", exact: placement.instant?.seconds)
    }

    private mutating func members(of options: SubscribeOptions) {
        array("include", StreamPart.allCases.filter(options.include.contains)) { $0.string($1.rawValue) }
        switch options.rate {
        case .fix: member("rate", "fix")
        case .motion: member("rate", "motion")
        case .perSecond(let rate): member("rate", exact: rate)
        }
        member("view", options.view)
        member("accuracy", word: options.accuracy)
        member("bearing", word: options.bearing)
        member("minDistance", exact: options.minDistance)
        member("minInterval", exact: options.minInterval)
        member("staleAfter", exact: options.staleAfter)
    }

    private mutating func members(of command: ViewCommand) {
        switch command {
        case .track(let mode):
            type(.track)
            member("mode", word: mode)
        case .trackNext:
            type(.track)
            member("mode", "next")
        case .follow(let options, let transition):
            type(.follow)
            member("zoom", options.zoom) { $0.exact($1) }
            member("bearing", options.bearing) { $0.bearing($1) }
            member("pitch", options.pitch) { $0.exact($1) }
            member("padding", options.padding) { $0.padding($1) }
            member("transition", word: transition)
        case .overview(let options):
            type(.overview)
            members(of: options)
        case .ease(let camera, let duration, let curve):
            type(.ease)
            member("camera", exact: camera)
            member("duration", exact: duration)
            member("curve", curve)
        case .fly(let camera, let duration, let curve):
            type(.fly)
            member("camera", exact: camera)
            member("duration", exact: duration)
            member("curve", curve)
        case .idle: type(.idle)
        case .gesture(let kind, let phase, let camera):
            type(.gesture)
            member("kind", word: kind)
            member("phase", word: phase)
            member("camera", exact: camera)
        case .viewport(let viewport):
            type(.viewport)
            member("width", exact: viewport.width)
            member("height", exact: viewport.height)
            member("fov", exact: viewport.fieldOfView)
        case .marker(let name, let coordinate, let duration, let curve):
            type(.marker)
            member("marker", name)
            member("position", exact: coordinate)
            member("duration", exact: duration)
            member("curve", curve)
        case .removeMarker(let name):
            type(.removeMarker)
            member("marker", name)
        }
    }

    private mutating func members(of options: OverviewOptions) {
        object("geometry") { json in
            json.member("type", "MultiPoint")
            json.array("coordinates", options.geometry.coordinates) { $0.position($1) }
        }
        member("padding", exact: options.padding)
        member("geometryPadding", exact: options.geometryPadding)
        member("maxZoom", exact: options.maxZoom)
        member("bearing", exact: options.bearing)
        member("pitch", exact: options.pitch)
        member("duration", exact: options.duration)
    }

    private mutating func member<Value>(
        _ name: StaticString, _ change: OptionChange<Value>, _ write: (inout JSONWriter, Value) -> Void
    ) {
        switch change {
        case .unchanged: break
        case .client:
            self.name(name)
            append("null")
        case .set(let value):
            self.name(name)
            write(&self, value)
        }
    }

    private mutating func member(_ name: StaticString, exact camera: Camera?) {
        guard let camera else { return }
        object(name) { json in
            json.member("center", exact: camera.center)
            json.member("zoom", exact: camera.zoom)
            json.member("bearing", exact: camera.bearing)
            json.member("pitch", exact: camera.pitch)
            json.member("padding", exact: camera.padding)
        }
    }
    private mutating func member(_ name: StaticString, exact padding: Padding?) {
        guard let padding else { return }
        self.name(name)
        self.padding(padding)
    }
    private mutating func member(_ name: StaticString, exact coordinate: Coordinate?) {
        guard let coordinate else { return }
        self.name(name)
        position(coordinate)
    }
    private mutating func member(_ name: StaticString, exact value: Double?) {
        guard let value else { return }
        self.name(name)
        exact(value)
    }
    private mutating func member(_ name: StaticString, _ curve: EasingCurve?) {
        guard let curve else { return }
        array(name, [curve.x1, curve.y1, curve.x2, curve.y2]) { $0.exact($1) }
    }
    private mutating func bearing(_ bearing: FollowBearing) {
        switch bearing {
        case .constant(let degrees): exact(degrees)
        case .heading: string("heading")
        case .course: string("course")
        }
    }
    private mutating func padding(_ padding: Padding) {
        append("{")
        member("top", exact: padding.top)
        member("left", exact: padding.left)
        member("bottom", exact: padding.bottom)
        member("right", exact: padding.right)
        append("}")
    }
    private mutating func position(_ coordinate: Coordinate) {
        append("[")
        exact(coordinate.longitude)
        append(",")
        exact(coordinate.latitude)
        append("]")
    }
    /// The shortest text that reads back as the same number.
    private mutating func exact(_ value: Double) {
        guard value.isFinite else { return append("1e999") }
        append(raw: String(value))
    }
}
