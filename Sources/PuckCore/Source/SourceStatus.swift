/// The state of the receiver.
public enum SourceState: String, CaseIterable, Hashable, Sendable {
    /// puckd cannot reach gpsd.
    case noDaemon = "no-daemon"
    /// gpsd has no receiver.
    case noDevice = "no-device"
    /// The receiver sends nothing.
    case noData = "no-data"
    /// The receiver has no fix.
    case noFix = "no-fix"
    /// The receiver has a fix.
    case fix
    /// Silent for two cycles.
    case stale
    /// Silent for longer than the timeout.
    case lost
}

/// The provider of the location.
public enum LocationProvider: String, Hashable, Sendable {
    /// gpsd.
    case gpsd
    /// A client with the role `provider`.
    case client
}

/// The receiver's state as clients see it.
public struct SourceStatus: Hashable, Sendable {
    /// The state.
    public var state: SourceState
    /// The reason, for people.
    public var reason: String?
    /// The provider of the location.
    public var provider: LocationProvider = .gpsd
    /// The receiver in use.
    public var device: DeviceName?
    /// gpsd's driver for it.
    public var driver: String?
    /// The last fix's mode.
    public var fix: FixMode?
    /// The kind of the last fix; nil for an ordinary one or none.
    public var fixStatus: FixStatus?
    /// Satellites used in the fix.
    public var satellitesUsed: Int?
    /// Satellites in view.
    public var satellitesVisible: Int?
    /// The NMEA sentence of a compass that gpsd hears but does not pass on, such as `HCHDG`; nil if none is known.
    public var unreadHeading: String?
    /// The time of the last change of the state.
    public var since: Moment

    /// A state and its time.
    public init(state: SourceState, since: Moment) {
        self.state = state
        self.since = since
    }
}
