import PuckConfig
import PuckCore
import PuckGPSD
import PuckServer
import PuckSystem
import PuckWire

/// The configuration, in the forms that the daemon's parts use.
struct Configuration: Sendable {
    let values: PuckConfiguration
    let policy: AccessPolicy
    /// Warnings about settings that are valid but possibly a mistake.
    let warnings: [String]

    /// The reasons why a configuration cannot be used, as lines for people to read.
    struct Failure: Error {
        let lines: [String]
    }

    /// Reads a file like `read`, and returns the configuration or the failure.
    static func result(of path: String) -> Result<Configuration, Failure> {
        do throws(Failure) { return .success(try read(path)) } catch { return .failure(error) }
    }

    /// Reads a configuration file. If the default file does not exist, all settings have their defaults.
    static func read(_ path: String) throws(Failure) -> Configuration {
        var absence: [String] = []
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try readFile(path, limit: longestFile)
        } catch {
            guard error.isNotFound, path == defaultConfigurationPath else { throw Failure(lines: ["\(error)"]) }
            bytes = []
            absence = ["\(path) does not exist; all settings are defaults"]
        }
        do {
            let values = try PuckConfiguration.parse(bytes, file: path, defaults: defaults)
            let directory = UserDirectory(
                own: Users.current, user: Users.id(ofUser:), group: Users.id(ofGroup:))
            let resolved = try values.policy.resolved(by: directory)
            guard resolved.errors.isEmpty else { throw Failure(lines: resolved.errors.map(\.description)) }
            let absent = resolved.absent.map { "\(path): this host has no \($0); its rules are ignored" }
            let lost = NamedPolicy.warnings(of: resolved.policy, own: directory.own)
            return Configuration(
                values: values, policy: resolved.policy,
                warnings: absence + (values.warnings + lost).map { "\(path): \($0)" } + absent)
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(lines: "\(error)".split(separator: "\n").map(String.init))
        }
    }

    /// The values of settings that are not in the file. The service manager can set another state directory. See
    /// StateDirectory= in systemd.exec(5), which separates several directories by colons.
    private static var defaults: PuckConfiguration {
        var defaults = PuckConfiguration()
        let directories = environmentVariable("STATE_DIRECTORY")?.split(separator: ":")
        if let directory = directories?.first { defaults.approximate.stateDirectory = String(directory) }
        return defaults
    }

    /// The maximum size of a configuration file in bytes.
    private static let longestFile = 1_048_576

    var hubSettings: HubSettings {
        var settings = HubSettings(
            server: "puckd \(programVersion)",
            versions: [.init("puckd", programVersion), .init("libgps", libgpsVersion)], policy: policy, limits: limits)
        settings.configurationFile = values.policy.file
        settings.hasDefaultRules = values.policy.hasDefaultRules
        return settings
    }

    var limits: ServerLimits {
        ServerLimits(
            clients: values.limits.clients, clientsPerUser: values.limits.clientsPerUser,
            requestsPerSecond: values.limits.requestsPerSecond, queueBytes: values.limits.queueBytes,
            lineBytes: values.limits.lineBytes)
    }

    var gpsd: GPSDConfiguration {
        GPSDConfiguration(
            host: values.gpsd.host, port: String(values.gpsd.port), device: values.gpsd.device,
            timeout: values.lostAfter, owners: values.gpsd.owners)
    }

    /// Returns whether settings changed that take effect only after a restart.
    func needsRestart(from old: Configuration) -> Bool {
        values.gpsd != old.values.gpsd || values.receiver != old.values.receiver
            || values.lostAfter != old.values.lostAfter || values.socket != old.values.socket
            || values.approximate != old.values.approximate
    }
}
