import PuckCore

/// The content of one line from gpsd.
public enum GPSDMessage: Hashable, Sendable {
    /// VERSION, gpsd's greeting: its release, such as `3.25`, for people. Its protocol number is ignored: gpsds with
    /// the same protocol have sent 3.14 to 3.16, 0.16 and 16.1.
    case version(release: String?)
    /// DEVICES: all receivers of gpsd.
    case devices([DeviceInfo])
    /// DEVICE: one receiver was added, removed or changed.
    case device(DeviceInfo)
    /// TPV, ATT, SKY or GST, validated.
    case report(Report)
    /// WATCH: gpsd accepted the request for reports.
    case watch
    /// ERROR, with gpsd's text.
    case error(String)
    /// A class that puckd does not use, such as PPS or AIS, or an unknown one.
    case ignored(String)
    /// A line that is not a message, and what was expected.
    case malformed(String)

    /// The receiver's time of the report; nil if it has none, and for all other messages.
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
    /// The receiver of reports without a name, as in some recordings.
    public static let unnamed = DeviceName("")
}

/// A receiver as described in DEVICE and DEVICES.
public struct DeviceInfo: Hashable, Sendable {
    /// Whether gpsd has the receiver open.
    public enum Activation: Hashable, Sendable {
        /// Open, since the time in gpsd's message.
        case active
        /// Closed or removed: `"activated": 0`.
        case closed
        /// gpsd knows it, but has not opened it.
        case unopened
    }

    /// The name that gpsd uses for it.
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
