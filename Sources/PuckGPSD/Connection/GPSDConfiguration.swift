/// Where gpsd is, and which of its receivers to use.
public struct GPSDConfiguration: Hashable, Sendable {
    /// Host name or address.
    public var host: String
    /// Port number or service name.
    public var port: String
    /// Path of the receiver to prefer, which may be a link such as `/dev/serial/by-id/…`; nil: the best that gpsd has.
    public var device: String?
    /// Seconds of silence after which a receiver is lost.
    public var timeout: Double
    /// Users whose gpsd is trusted if it is on this host, besides root and the one that puckd runs as; `anyOwner`: all.
    public var owners: [String]

    /// Debian's gpsd runs as it.
    public static let usualOwners = ["gpsd"]
    /// In place of a user's name: anybody.
    public static let anyOwner = "any"

    /// gpsd on this host, unless said otherwise. (2947 is gpsd's registered port)
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

    /// Whether gpsd runs on this host, so that its paths are ours.
    var isLocal: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }
}
