import PuckCore
import PuckWire

/// The hub's settings, set at the start and on each reload.
public struct HubSettings: Sendable {
    /// Name and version of the server, as in `hello`, such as `puckd 1.0`.
    public var server: String
    /// Programs and their versions, as in `status`.
    public var versions: [StatusReport.Version]
    /// The access policy.
    public var policy: AccessPolicy
    /// Limits for clients.
    public var limits: ServerLimits
    /// Path of the configuration file, for advice in error messages.
    public var configurationFile = "/etc/puckd/puckd.conf"
    /// Whether the policy uses the default rules.
    public var hasDefaultRules = false

    /// Creates settings with the default configuration file.
    public init(server: String, versions: [StatusReport.Version], policy: AccessPolicy, limits: ServerLimits) {
        self.server = server
        self.versions = versions
        self.policy = policy
        self.limits = limits
    }
}
