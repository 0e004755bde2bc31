import PuckCore
import PuckSystem

/// Finds gpsd's receivers in the file system if gpsd runs on this host: the names of the configured one, and whether
/// one is gone.
struct DevicePaths {
    private let wanted: String?
    private let isLocal: Bool
    /// Receivers whose paths have existed: gpsd may run in another root directory.
    private var seen: Set<DeviceName> = []

    /// The paths for a gpsd.
    init(_ configuration: GPSDConfiguration) {
        wanted = configuration.device
        isLocal = configuration.isLocal
    }

    /// All present names of the configured receiver: the configured name, with its links resolved, and those of
    /// `devices` that are other links to it. gpsd knows it only by the name that it was given.
    func configured(among devices: [DeviceName]) -> Set<DeviceName> {
        guard let wanted else { return [] }
        guard isLocal, let path = try? resolvedPath(wanted) else { return [DeviceName(wanted)] }
        let links = devices.filter { (try? resolvedPath($0.path)) == path }
        return Set(links + [DeviceName(wanted), DeviceName(path)])
    }

    /// A receiver has reported.
    mutating func saw(_ device: DeviceName?) {
        guard isLocal, let device, device.path.hasPrefix("/"), exists(device) else { return }
        seen.insert(device)
    }

    /// Whether a receiver's path existed and is gone. (gpsd may notice much later.)
    func isGone(_ device: DeviceName) -> Bool { seen.contains(device) && !exists(device) }

    private func exists(_ device: DeviceName) -> Bool { (try? resolvedPath(device.path)) != nil }
}
