import PuckCore

/// Chooses the receiver to use if gpsd has several: the configured one; without one, the receiver in use as long as
/// it reports and has fixes; otherwise one that reports and has a fix. Two are never used at once, and after a change
/// the previous one is not used again without a reason. A device that reports only headings is used only if there is
/// no other.
struct DeviceChooser: Sendable {
    private struct Device {
        var info: DeviceInfo
        var rhythm = Rhythm()
        var lastHeard: Instant?
        var lastFix: Instant?
        /// Whether it reports positions. A compass does not, although gpsd reports mode 0 ("not seen") for it.
        var isReceiver = false

        mutating func hear(_ report: Report, at now: Instant) {
            info.activation = .active
            lastHeard = now
            switch report {
            case .position(let position):
                rhythm.heard(position.time, at: now)
                if position.mode != .unseen { isReceiver = true }
                if position.mode.hasFix { lastFix = now }
            case .sky, .noise: isReceiver = true
            case .attitude: break
            }
        }
    }

    private var devices: [DeviceName: Device] = [:]
    private var configured: Set<DeviceName>
    private var inUse: DeviceName?
    /// When gpsd began to report. Until the configured receiver has had time to report, no other is chosen.
    private var start: Instant?

    /// Seconds of silence before another receiver may replace this one, however fast it is.
    private static let leastPatience = 5.0
    /// Cycles of silence before another receiver may replace this one.
    private static let patienceInCycles = 3.0
    /// Seconds that a receiver, other than the configured one, may be without a fix before another one with a fix
    /// replaces it.
    private static let patienceWithoutFix = 10.0
    /// Maximum number of receivers that are tracked: far more than gpsd can have.
    static let mostDevices = 256

    /// A chooser that prefers the receivers with these names: all names of the configured one.
    init(configured: Set<DeviceName> = []) { self.configured = configured }

    /// The receiver in use.
    var chosen: DeviceInfo? { inUse.flatMap { devices[$0]?.info } }

    /// The open receiver that has not reported yet: the configured one, or the only one.
    var awaited: DeviceInfo? {
        let open = devices.values.map(\.info).filter { $0.activation == .active }
        return open.first { configured.contains($0.name) } ?? (open.count == 1 ? open.first : nil)
    }

    /// Whether gpsd has an open receiver.
    var hasReceiver: Bool { devices.values.contains { $0.info.activation == .active } }

    /// The rhythm of the receiver in use.
    var rhythm: Rhythm { inUse.flatMap { devices[$0]?.rhythm } ?? Rhythm() }

    /// All receivers of gpsd.
    var known: [DeviceName] { Array(devices.keys) }

    /// Changes the preferred names.
    mutating func prefer(_ names: Set<DeviceName>) { configured = names }

    /// gpsd cannot be reached: its receivers are unknown.
    mutating func forgetAll() {
        devices = [:]
        inUse = nil
        start = nil
    }

    /// gpsd lists all its receivers. A closed one appears in the list as never opened.
    mutating func list(_ infos: [DeviceInfo], at now: Instant) {
        start = start ?? now
        let names = Set(infos.map(\.name))
        for name in known where !names.contains(name) { remove(name) }
        for info in infos { update(info) }
        choose(at: now)
    }

    /// gpsd reports one receiver. False if this exceeds the number of tracked receivers.
    @discardableResult
    mutating func update(_ info: DeviceInfo, at now: Instant) -> Bool {
        start = start ?? now
        guard update(info) else { return false }
        choose(at: now)
        return true
    }

    /// Whether a report is from the receiver in use. The report itself can make it that.
    mutating func takes(_ report: Report, at now: Instant) -> Bool {
        start = start ?? now
        let name = report.device
        guard devices[name] != nil || devices.count < DeviceChooser.mostDevices else { return false }
        // Recordings begin without a list; a receiver that reports is open.
        devices[name, default: Device(info: DeviceInfo(name: name, activation: .active))].hear(report, at: now)
        if name != inUse, takesOver(name, at: now) { inUse = name }
        return name == inUse
    }

    // MARK: the choice

    private func takesOver(_ candidate: DeviceName, at now: Instant) -> Bool {
        let hasFix = devices[candidate]?.lastFix == now
        guard let current = inUse, let device = devices[current] else {
            guard devices[candidate]?.isReceiver == true || !knowsReceiver else { return false }
            return configured.contains(candidate) || !awaitsConfigured(at: now)
        }
        guard let new = devices[candidate], new.isReceiver || !knowsReceiver else { return false }
        if !isAlive(device, at: now) || new.isReceiver && !device.isReceiver { return true }
        if configured.contains(candidate) { return hasFix || !hasRecentFix(device, at: now) }
        return hasFix && !configured.contains(current) && !hasRecentFix(device, at: now)
    }

    /// Whether one of gpsd's devices reports positions, even if it is silent now.
    private var knowsReceiver: Bool { devices.values.contains { $0.isReceiver && $0.info.activation == .active } }

    /// Whether gpsd has the configured receiver open, and it may still report.
    private func awaitsConfigured(at now: Instant) -> Bool {
        guard let start, now.seconds(since: start) < DeviceChooser.leastPatience else { return false }
        return configured.contains { devices[$0]?.info.activation == .active }
    }

    private func isAlive(_ device: Device, at now: Instant) -> Bool {
        guard device.info.activation == .active, let heard = device.lastHeard else { return false }
        let cycles = DeviceChooser.patienceInCycles * (device.rhythm.cycle ?? 0)
        return now.seconds(since: heard) <= max(DeviceChooser.leastPatience, cycles)
    }

    private func hasRecentFix(_ device: Device, at now: Instant) -> Bool {
        guard let fix = device.lastFix else { return false }
        return now.seconds(since: fix) <= max(DeviceChooser.patienceWithoutFix, device.rhythm.silence)
    }

    // MARK: gpsd's device messages

    @discardableResult
    private mutating func update(_ info: DeviceInfo) -> Bool {
        guard devices[info.name] != nil || devices.count < DeviceChooser.mostDevices else { return false }
        var device = devices[info.name] ?? Device(info: info)
        device.info.activation = info.activation
        device.info.driver = info.driver ?? device.info.driver
        devices[info.name] = device
        if info.activation != .active { silence(info.name) }
        return true
    }

    /// A closed or removed receiver must report again.
    private mutating func silence(_ name: DeviceName) {
        devices[name]?.lastHeard = nil
        devices[name]?.lastFix = nil
        devices[name]?.rhythm = Rhythm()
        if inUse == name { inUse = nil }
    }

    private mutating func remove(_ name: DeviceName) {
        silence(name)
        devices[name] = nil
    }

    /// If none is in use, one that has reported is used at once; otherwise the first one to report.
    private mutating func choose(at now: Instant) {
        guard inUse == nil else { return }
        let alive = devices.values.filter { isAlive($0, at: now) }
        inUse =
            alive.max { a, b in
                rank(a, at: now) != rank(b, at: now)
                    ? rank(a, at: now) < rank(b, at: now) : a.info.name.path > b.info.name.path
            }?.info.name
    }

    private func rank(_ device: Device, at now: Instant) -> Int {
        (device.isReceiver ? 4 : 0) + (configured.contains(device.info.name) ? 2 : 0)
            + (hasRecentFix(device, at: now) ? 1 : 0)
    }
}
