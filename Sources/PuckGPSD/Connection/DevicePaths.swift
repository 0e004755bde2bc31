import PuckCore
import PuckSystem

/// What the file system says of gpsd's receivers, where gpsd runs on this host: which names mean the configured one,
/// and whether one is gone.
struct DevicePaths {
    private let wanted: String?
    private let isLocal: Bool
    /// Receivers whose paths have been there: gpsd may live in another root than this.
    private var seen: Set<DeviceName> = []

    /// The paths of a gpsd.
    init(_ configuration: GPSDConfiguration) {
        wanted = configuration.device
        isLocal = configuration.isLocal
    }

    /// All names that the configured receiver goes by, now: as configured, with its links resolved, and those of
    /// `devices` that are other links to it. gpsd has it under the one that it was given, and no other.
    func configured(among devices: [DeviceName]) -> Set<DeviceName> {
        guard let wanted else { return [] }
        guard isLocal, let path = try? resolvedPath(wanted) else { return [DeviceName(wanted)] }
        let links = devices.filter { (try? resolvedPath($0.path)) == path }
        return Set(links + [DeviceName(wanted), DeviceName(path)])
    }

    /// A receiver speaks.
    mutating func saw(_ device: DeviceName?) {
        guard isLocal, let device, device.path.hasPrefix("/"), exists(device) else { return }
        seen.insert(device)
    }

    /// Whether a receiver's path was there and is no more. (gpsd can take long to notice)
    func isGone(_ device: DeviceName) -> Bool { seen.contains(device) && !exists(device) }

    private func exists(_ device: DeviceName) -> Bool { (try? resolvedPath(device.path)) != nil }
}
