/// What the receiver's end is doing.
public enum SourceState: String, CaseIterable, Hashable, Sendable {
    /// gpsd can't be reached.
    case noDaemon = "no-daemon"
    /// gpsd has no receiver.
    case noDevice = "no-device"
    /// A receiver that says nothing.
    case noData = "no-data"
    /// A receiver that has no fix.
    case noFix = "no-fix"
    /// A fix.
    case fix
    /// Silent for two cycles.
    case stale
    /// Silent past the time-out.
    case lost
}

/// Who gives the location.
public enum LocationProvider: String, Hashable, Sendable {
    /// gpsd.
    case gpsd
    /// A client with the role of provider.
    case client
}

/// The receiver's state as told to clients.
public struct SourceStatus: Hashable, Sendable {
    /// What it is doing.
    public var state: SourceState
    /// Why, in words.
    public var reason: String?
    /// Who gives the location.
    public var provider: LocationProvider = .gpsd
    /// The receiver in use.
    public var device: DeviceName?
    /// gpsd's driver for it.
    public var driver: String?
    /// The last fix's mode.
    public var fix: FixMode?
    /// How the last fix came about; nil: in the ordinary way, or there is none.
    public var fixStatus: FixStatus?
    /// Satellites used in the fix.
    public var satellitesUsed: Int?
    /// Satellites in view.
    public var satellitesVisible: Int?
    /// The NMEA sentence of a compass that gpsd hears and does not pass on, such as `HCHDG`; nil: none is known of.
    public var unreadHeading: String?
    /// Since when it has been in this state.
    public var since: Moment

    /// A state since a moment.
    public init(state: SourceState, since: Moment) {
        self.state = state
        self.since = since
    }
}
