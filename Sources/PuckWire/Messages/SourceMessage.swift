import PuckCore

/// The receiver's state as it goes over the wire.
public struct SourceMessage: Hashable, Sendable {
    /// What it is doing.
    public var state: SourceState
    /// Why, in words.
    public var reason: String?
    /// Who gives the location; nil: not told.
    public var provider: LocationProvider?
    /// The receiver in use.
    public var device: DeviceName?
    /// gpsd's driver for it.
    public var driver: String?
    /// The last fix's mode; nil: none seen.
    public var fix: FixMode?
    /// How the last fix came about; nil: in the ordinary way, or there is none.
    public var fixStatus: FixStatus?
    /// Satellites used in the fix.
    public var satellitesUsed: Int?
    /// Satellites in view.
    public var satellitesVisible: Int?
    /// The NMEA sentence of a compass that gpsd does not pass on; nil: none is known of.
    public var unreadHeading: String?
    /// Since when it has been in this state.
    public var since: UTC

    /// A state since a time, and nothing else.
    public init(state: SourceState, since: UTC) {
        self.state = state
        self.since = since
    }
    /// All that a precise client is told.
    public init(precise status: SourceStatus) {
        state = status.state
        reason = status.reason
        provider = status.provider
        device = status.device
        driver = status.driver
        fix = status.fix
        fixStatus = status.fixStatus
        unreadHeading = status.unreadHeading
        satellitesUsed = status.satellitesUsed
        satellitesVisible = status.satellitesVisible
        since = status.since.utc
    }
    /// All that an approximate client is told: whether there is a fix, since an epoch.
    public init(approximateFix hasFix: Bool, since epoch: UTC) {
        state = hasFix ? .fix : .noFix
        since = epoch.flooredToMinute
    }
}
