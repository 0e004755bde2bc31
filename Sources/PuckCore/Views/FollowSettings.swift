/// The owner of one axis of a follow camera.
enum Axis<Value: Hashable & Sendable>: Hashable, Sendable {
    /// Not set: the mode's default applies.
    case unset
    /// The client: the axis is never sent.
    case client
    /// The view, which keeps this value.
    case set(Value)

    mutating func apply(_ change: OptionChange<Value>) {
        switch change {
        case .unchanged: break
        case .client: self = .client
        case .set(let value): self = .set(value)
        }
    }
    var value: Value? { if case .set(let value) = self { value } else { nil } }
}

/// The follow options of one tier of a view. They persist from one following to the next.
struct FollowSettings: Hashable, Sendable {
    var zoom = Axis<Double>.unset
    var pitch = Axis<Double>.unset
    var padding = Axis<Padding>.unset
    /// The bearing in mode `follow`; the other modes turn with the puck.
    var bearing = Axis<Double>.unset

    /// The default zoom of `follow`, as in map SDKs.
    static let defaultZoom = 16.35
    /// The default pitch of `follow`, degrees, as in map SDKs.
    static let defaultPitch = 45.0

    /// Applies the options that a `follow` names.
    mutating func apply(_ options: FollowOptions) {
        zoom.apply(options.zoom)
        pitch.apply(options.pitch)
        padding.apply(options.padding)
        switch options.bearing {
        case .set(.constant(let degrees)): bearing = .set(degrees)
        case .client: bearing = .client
        case .set(.heading), .set(.course), .unchanged: break
        }
    }

    /// Applies the defaults of `follow` to the options that are not set.
    mutating func fillDefaults() {
        if zoom == .unset { zoom = .set(Self.defaultZoom) }
        if pitch == .unset { pitch = .set(Self.defaultPitch) }
    }

    /// Applies the axes of a camera that a client requested while following.
    mutating func adopt(_ camera: Camera) {
        if let value = camera.zoom { zoom = .set(value) }
        if let value = camera.bearing { bearing = .set(value) }
        if let value = camera.pitch { pitch = .set(value) }
        if let value = camera.padding { padding = .set(value) }
    }
}

/// A set of camera axes.
struct AxisSet: OptionSet, Hashable, Sendable {
    let rawValue: UInt8
    static let zoom = AxisSet(rawValue: 1)
    static let bearing = AxisSet(rawValue: 2)
    static let pitch = AxisSet(rawValue: 4)
}

extension FollowOptions {
    /// The axes that are named, among those that a gesture can take.
    var named: AxisSet {
        var axes: AxisSet = []
        if zoom != .unchanged { axes.insert(.zoom) }
        if bearing != .unchanged { axes.insert(.bearing) }
        if pitch != .unchanged { axes.insert(.pitch) }
        return axes
    }
}

extension Camera {
    /// The axes that are named, among those that a gesture can take.
    var named: AxisSet {
        var axes: AxisSet = []
        if zoom != nil { axes.insert(.zoom) }
        if bearing != nil { axes.insert(.bearing) }
        if pitch != nil { axes.insert(.pitch) }
        return axes
    }
}
