/// Tells two antennas on one vehicle from a rover and its base. Both come as the same relative position: the former is a
/// heading, the latter is only where the base is.
///
/// Two antennas on a vehicle are centimetres to some metres apart, always. So a length in that range is believed once it
/// has been steady; and one that changed by more than a vehicle's antennas can, when it has been steady for a minute,
/// on the way where the speed is known: a rover that parks beside its base is none.
struct BaselineTrust: Sendable {
    /// Lengths between two antennas on a vehicle, metres.
    private static let lengths = 0.02...10.0
    /// How far a steady length may be off: metres, and as a share of it.
    private static let tolerance = (metres: 0.03, share: 0.03)
    /// Samples, and seconds, for which a length must have been steady.
    private static let proof = (samples: 3, seconds: 1.0)
    /// Seconds, and metres on the way, for one that is of a base by all that was seen.
    private static let longProof = (seconds: 60.0, metres: 30.0)
    /// Samples in a row that are off before a length is given up: one alone is a wrong solution.
    private static let patience = 3
    /// A change that no error of two antennas on a vehicle brings, metres.
    private static let otherPlace = 1.0
    /// Longest step that is counted as way, seconds.
    private static let longestStep = 5.0

    private var device: DeviceName?
    private var length: Double?
    private var since: Instant?
    private var last: Instant?
    private var samples = 0
    private var strangers = 0
    /// Metres on the way since the length has been steady; nil while no speed is known.
    private var way: Double?
    /// Whether the length was that of a base.
    private var isBase = false

    /// Takes a line; returns whether it says where the vehicle points. `speed`: of the receiver, m/s.
    mutating func receive(_ baseline: Baseline, of device: DeviceName, speed: Double?, at now: Instant) -> Bool {
        if device != self.device {
            // Two devices never interleave: the first stays for as long as it speaks.
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

    /// Begins with another length, unless it may be a wrong one.
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
