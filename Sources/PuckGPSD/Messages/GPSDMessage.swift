import PuckCore

/// What one line of gpsd says.
public enum GPSDMessage: Hashable, Sendable {
    /// VERSION, gpsd's greeting: its release, such as `3.25`, for people to read. Its protocol number is not looked
    /// at: gpsds that speak the same have sent 3.14 to 3.16, 0.16 and 16.1.
    case version(release: String?)
    /// DEVICES: every receiver that gpsd knows.
    case devices([DeviceInfo])
    /// DEVICE: one receiver came, went or changed.
    case device(DeviceInfo)
    /// TPV, ATT, SKY or GST, validated.
    case report(Report)
    /// WATCH: gpsd took our wish to be told.
    case watch
    /// ERROR, in gpsd's words.
    case error(String)
    /// A class that is of no use here, such as PPS or AIS, or that is not known.
    case ignored(String)
    /// A line that is no message, and what was expected.
    case malformed(String)

    /// When the receiver says that it was so; nil where it doesn't, and for all but reports.
    public var time: UTC? {
        guard case .report(let report) = self else { return nil }
        return report.time
    }
}

extension Report {
    /// UTC by the receiver.
    public var time: UTC? {
        switch self {
        case .position(let report): report.time
        case .attitude(let report): report.time
        case .sky(let report): report.time
        case .noise(let report): report.time
        }
    }
}

extension DeviceName {
    /// The receiver of reports that name none, as in some recordings.
    public static let unnamed = DeviceName("")
}

/// A receiver as gpsd tells of it in DEVICE and DEVICES.
public struct DeviceInfo: Hashable, Sendable {
    /// Whether gpsd has the receiver open.
    public enum Activation: Hashable, Sendable {
        /// Open, since the time that gpsd gives.
        case active
        /// Closed or gone: `"activated": 0`.
        case closed
        /// gpsd knows it, and does not have it open.
        case unopened
    }

    /// The name gpsd gives it.
    public var name: DeviceName
    /// gpsd's driver for it, once it has found one.
    public var driver: String?
    /// Whether gpsd has it open.
    public var activation: Activation

    /// A receiver.
    public init(name: DeviceName, driver: String? = nil, activation: Activation) {
        self.name = name
        self.driver = driver
        self.activation = activation
    }
}
