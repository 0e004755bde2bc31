import PuckCore
import PuckWire

/// What the hub is told once, and on a reload.
public struct HubSettings: Sendable {
    /// Name and version, told in `hello`, such as `puckd 1.0`.
    public var server: String
    /// Programs and their versions, told in `status`.
    public var versions: [StatusReport.Version]
    /// Who may see and do what.
    public var policy: AccessPolicy
    /// Bounds.
    public var limits: ServerLimits
    /// The configuration file, to name in advice.
    public var configurationFile = "/etc/puckd/puckd.conf"
    /// Whether the policy's rules are those by default.
    public var hasDefaultRules = false

    /// All of it.
    public init(server: String, versions: [StatusReport.Version], policy: AccessPolicy, limits: ServerLimits) {
        self.server = server
        self.versions = versions
        self.policy = policy
        self.limits = limits
    }
}
