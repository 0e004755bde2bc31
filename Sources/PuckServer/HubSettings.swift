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

    /// All of it.
    public init(server: String, versions: [StatusReport.Version], policy: AccessPolicy, limits: ServerLimits) {
        self.server = server
        self.versions = versions
        self.policy = policy
        self.limits = limits
    }
}
