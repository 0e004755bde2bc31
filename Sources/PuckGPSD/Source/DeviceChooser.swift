import PuckCore

/// Which receiver is used, where gpsd has several: the configured one; without it, the one in use for as long as it
/// speaks and has fixes; else the one that is heard and has a fix. Two are never used at once, and after a change the
/// former is not gone back to without a reason. A device that only says headings is one only where there is no other.
struct DeviceChooser: Sendable {
    private struct Device {
        var info: DeviceInfo
        var rhythm = Rhythm()
        var lastHeard: Instant?
        var lastFix: Instant?
        /// Whether it looks for positions. A compass does not, though gpsd has it say so with mode 0 ("not seen").
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
    /// When gpsd began to tell: until the configured receiver has had its time to speak, no other is taken.
    private var start: Instant?

    /// Seconds that a receiver may be silent before another takes its place, however fast it is.
    private static let leastPatience = 5.0
    /// Cycles that it may be silent.
    private static let patienceInCycles = 3.0
    /// Seconds that a receiver which is not the configured one may go without a fix before another that has one takes
    /// its place.
    private static let patienceWithoutFix = 10.0
    /// Receivers that are kept track of: far more than gpsd can have.
    static let mostDevices = 256

    /// A chooser that prefers the receivers of these names: all names that the configured one goes by.
    init(configured: Set<DeviceName> = []) { self.configured = configured }

    /// The receiver in use.
    var chosen: DeviceInfo? { inUse.flatMap { devices[$0]?.info } }

    /// The receiver that is open and has yet to speak: the configured one, or the only one.
    var awaited: DeviceInfo? {
        let open = devices.values.map(\.info).filter { $0.activation == .active }
        return open.first { configured.contains($0.name) } ?? (open.count == 1 ? open.first : nil)
    }

    /// Whether gpsd has a receiver open.
    var hasReceiver: Bool { devices.values.contains { $0.info.activation == .active } }

    /// The rhythm of the receiver in use.
    var rhythm: Rhythm { inUse.flatMap { devices[$0]?.rhythm } ?? Rhythm() }

    /// Every receiver that gpsd knows.
    var known: [DeviceName] { Array(devices.keys) }

    /// Prefers other names from now on.
    mutating func prefer(_ names: Set<DeviceName>) { configured = names }

    /// gpsd can't be reached: what it had is not known.
    mutating func forgetAll() {
        devices = [:]
        inUse = nil
        start = nil
    }

    /// gpsd lists all its receivers. One that it closed stands in the list as never opened.
    mutating func list(_ infos: [DeviceInfo], at now: Instant) {
        start = start ?? now
        let names = Set(infos.map(\.name))
        for name in known where !names.contains(name) { remove(name) }
        for info in infos { update(info) }
        choose(at: now)
    }

    /// gpsd tells of one receiver. False where that is one more than are kept track of.
    @discardableResult
    mutating func update(_ info: DeviceInfo, at now: Instant) -> Bool {
        start = start ?? now
        guard update(info) else { return false }
        choose(at: now)
        return true
    }

    /// Whether a report is from the receiver in use, which it may have become by this report.
    mutating func takes(_ report: Report, at now: Instant) -> Bool {
        start = start ?? now
        let name = report.device
        guard devices[name] != nil || devices.count < DeviceChooser.mostDevices else { return false }
        // Recordings begin without a list; a receiver that speaks is open.
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

    /// Whether one of gpsd's devices looks for positions, be it silent now.
    private var knowsReceiver: Bool { devices.values.contains { $0.isReceiver && $0.info.activation == .active } }

    /// Whether gpsd has the configured receiver open, and it may still speak.
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

    // MARK: what gpsd tells

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

    /// A receiver that is closed or gone has to be heard anew.
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

    /// Where none is in use, one that has been heard is at once; else it is the first to be heard.
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
