/// Distinguishes two antennas on one vehicle from a rover and its base. Both report the same relative position: of
/// two antennas it is a heading, of a base only a direction.
///
/// Two antennas on a vehicle are always some centimetres to some metres apart. So a length in that range is trusted
/// once it has been steady. If a length has changed by more than a vehicle's antennas can, it must be steady for a
/// minute, and over some distance if the speed is known: a rover may be parked beside its base.
struct BaselineTrust: Sendable {
    /// Lengths between two antennas on a vehicle, metres.
    private static let lengths = 0.02...10.0
    /// Tolerance of a steady length: metres, and a share of the length.
    private static let tolerance = (metres: 0.03, share: 0.03)
    /// Samples and seconds for which a length must be steady.
    private static let proof = (samples: 3, seconds: 1.0)
    /// Seconds and metres of travel for which a length must be steady if it seems to be that of a base.
    private static let longProof = (seconds: 60.0, metres: 30.0)
    /// Successive deviating samples before a length is given up: a single one is a wrong solution.
    private static let patience = 3
    /// A change of length that no error of two antennas on a vehicle causes, metres.
    private static let otherPlace = 1.0
    /// The longest time step that counts as travel, seconds.
    private static let longestStep = 5.0

    private var device: DeviceName?
    private var length: Double?
    private var since: Instant?
    private var last: Instant?
    private var samples = 0
    private var strangers = 0
    /// Metres of travel since the length became steady; nil while no speed is known.
    private var way: Double?
    /// Whether the length seemed to be that of a base.
    private var isBase = false

    /// Takes a line. Returns whether it shows where the vehicle points. `speed`: the receiver's speed, m/s.
    mutating func receive(_ baseline: Baseline, of device: DeviceName, speed: Double?, at now: Instant) -> Bool {
        if device != self.device {
            // Two devices are never mixed: the first is used as long as it reports.
            if let last, now.seconds(since: last) <= Self.longestStep { return false }
            self = BaselineTrust()
            self.device = device
        }
        let step = last.map { min(now.seconds(since: $0), Self.longestStep) } ?? 0
        last = now
        guard let found = baseline.length, Self.lengths.contains(found) else {
            if (baseline.length ?? 0) > Self.lengths.upperBound { isBase = true }
            forgetLength()
            return false
        }
        guard let length, abs(found - length) <= Self.tolerance.metres + Self.tolerance.share * length else {
            begin(with: found, at: now)
            return false
        }
        samples += 1
        strangers = 0
        if let speed { way = (way ?? 0) + speed * step }
        return isProved(at: now)
    }

    private func isProved(at now: Instant) -> Bool {
        guard let since, samples >= Self.proof.samples else { return false }
        let elapsed = now.seconds(since: since)
        guard isBase else { return elapsed >= Self.proof.seconds }
        return elapsed >= Self.longProof.seconds && (way ?? .infinity) >= Self.longProof.metres
    }

    /// Starts with another length, unless it may be wrong.
    private mutating func begin(with found: Double, at now: Instant) {
        if let length {
            strangers += 1
            guard strangers >= Self.patience || samples < Self.proof.samples else { return }
            if abs(found - length) > Self.otherPlace { isBase = true }
        }
        forgetLength()
        length = found
        since = now
        samples = 1
    }

    private mutating func forgetLength() {
        length = nil
        since = nil
        samples = 0
        strangers = 0
        way = nil
    }
}
