import PuckCore

/// The receiver's state as sent to clients.
public struct SourceMessage: Hashable, Sendable {
    /// The state.
    public var state: SourceState
    /// The reason, for people.
    public var reason: String?
    /// The provider of the location; nil if not reported.
    public var provider: LocationProvider?
    /// The receiver in use.
    public var device: DeviceName?
    /// gpsd's driver for it.
    public var driver: String?
    /// The last fix's mode; nil if there was none.
    public var fix: FixMode?
    /// The kind of the last fix; nil for an ordinary one or none.
    public var fixStatus: FixStatus?
    /// Satellites used in the fix.
    public var satellitesUsed: Int?
    /// Satellites in view.
    public var satellitesVisible: Int?
    /// The NMEA sentence of a compass that gpsd does not pass on; nil if none is known.
    public var unreadHeading: String?
    /// The time of the last change of the state.
    public var since: UTC

    /// A state and its time, without other values.
    public init(state: SourceState, since: UTC) {
        self.state = state
        self.since = since
    }
    /// All values for a precise client.
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
    /// All values for an approximate client: whether there is a fix, and since which epoch.
    public init(approximateFix hasFix: Bool, since epoch: UTC) {
        state = hasFix ? .fix : .noFix
        since = epoch.flooredToMinute
    }
}
