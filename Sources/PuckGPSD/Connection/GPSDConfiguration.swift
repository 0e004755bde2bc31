/// The address of gpsd, and the receiver to use.
public struct GPSDConfiguration: Hashable, Sendable {
    /// Host name or address.
    public var host: String
    /// Port number or service name.
    public var port: String
    /// Path of the preferred receiver, which may be a link such as `/dev/serial/by-id/…`; nil: the best one of gpsd.
    public var device: String?
    /// Seconds of silence after which a receiver is lost.
    public var timeout: Double
    /// Users whose gpsd is trusted on this host, besides root and puckd's own user; `anyOwner`: all users.
    public var owners: [String]

    /// The user of Debian's gpsd.
    public static let usualOwners = ["gpsd"]
    /// Instead of a user's name: any user.
    public static let anyOwner = "any"

    /// Defaults to gpsd on this host. (2947 is gpsd's registered port.)
    public init(
        host: String = "localhost", port: String = "2947", device: String? = nil,
        timeout: Double = SourceMonitor.defaultTimeout, owners: [String] = GPSDConfiguration.usualOwners
    ) {
        self.host = host
        self.port = port
        self.device = device
        self.timeout = timeout
        self.owners = owners
    }

    /// Whether gpsd runs on this host, so that its paths are valid here.
    var isLocal: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }
}
