/// Tracks the heading of one instrument: lightly smoothed, continuous between its samples, and still while only its
/// noise changes. (B3, P5)
///
/// An α-β filter estimates angle and rate. The shown heading glides to the estimate, so that it never jumps.
struct HeadingTracker: Sendable {
    /// Time constant of the smoothing, seconds: three samples at 10 Hz.
    private static let smoothing = 0.15
    /// Maximum weight of one sample, for instruments slower than the smoothing.
    private static let mostGain = 0.8
    /// How far a turn is extrapolated beyond the last sample, seconds. More would overshoot at the end of the turn.
    private static let longestLead = 0.3
    /// Time constant with which the shown heading glides to the estimate, seconds: the cycle, within these limits.
    private static let glide = (shortest: 0.1, longest: 0.4)
    /// The remaining glide that is invisible, degrees.
    private static let glideEnd = 0.02
    /// Samples closer than this, in seconds, count as one: gpsd repeats a heading with each sentence of an epoch.
    private static let oneSample = 0.02
    /// A turn faster than any vehicle's, degrees a second. Such a sample needs another one that confirms it,
    private static let fastestTurn = 360.0
    /// if it also differs by more than noise, degrees.
    private static let leastJump = 30.0
    /// Weight of a sample in the noise estimate.
    private static let noiseWeight = 0.05
    /// Scatter before any is measured, degrees, 1 σ.
    private static let noisePrior = 0.5
    /// A change within this many σ, and within these limits in degrees, is noise and not a turn.
    private static let quietBand = (deviations: 2.5, least: 0.5, most: 3.0)
    /// Seconds of noise alone before the shown heading is held still.
    private static let quietTime = 2.0
    /// A held heading is released when the change exceeds the band by this factor.
    private static let release = 1.5
    /// The age from which a heading is too old: seconds and cycles of the instrument, but at most so many seconds.
    private static let freshness = (seconds: 2.0, cycles: 3.0, most: 10.0)
    /// After a loss, a heading must be back for this long before it is used, seconds, so that a loose contact does
    /// not make the bearing flap. (B2)
    private static let settling = 3.0

    private var angle = 0.0
    private var rate = 0.0
    private var updated: Instant
    private var residue = 0.0
    private var variance = noisePrior * noisePrior
    private var rhythm = CycleEstimator()
    /// The held angle, and the scatter of the samples at that time.
    private var held: (angle: Double, scatter: Double)?
    private var quiet: (since: Instant, angle: Double)?
    private var suspect: Double?
    private var usableFrom: Instant

    /// Starts with a first sample. It is used at once, or, after the loss of another, once it has been steady.
    init(_ heading: Direction, at instant: Instant, afterLoss: Bool) {
        angle = heading.degrees
        updated = instant
        usableFrom = afterLoss ? instant.advanced(by: Self.settling) : instant
    }

    /// Takes a sample. Ignores one that is older than the last.
    mutating func receive(_ heading: Direction, at instant: Instant) {
        let elapsed = instant.seconds(since: updated)
        guard elapsed >= Self.oneSample else { return }
        let wasFresh = elapsed <= freshness
        rhythm.receive(interval: elapsed)
        guard wasFresh else {
            let rhythm = rhythm
            self = HeadingTracker(heading, at: instant, afterLoss: true)
            self.rhythm = rhythm
            return
        }
        let shown = shown(at: instant)
        let predicted = angle + rate * elapsed
        var innovation = shortestTurn(from: predicted, to: heading.degrees)
        if innovation.magnitude > max(Self.leastJump, Self.fastestTurn * elapsed) {
            guard let suspect, shortestTurn(from: suspect, to: heading.degrees).magnitude <= Self.leastJump else {
                self.suspect = heading.degrees
                return
            }
            (angle, rate, innovation) = (heading.degrees, 0, 0)
        } else {
            let gain = min(1 - exp(-elapsed / Self.smoothing), Self.mostGain)
            // The matching gain of the rate. (Benedict and Bordner 1962)
            let rateGain = gain * gain / (2 - gain)
            angle = predicted + gain * innovation
            rate += rateGain * innovation / elapsed
            variance += (min(innovation * innovation, Self.leastJump) - variance) * Self.noiseWeight
        }
        suspect = nil
        updated = instant
        residue = shortestTurn(from: angle, to: shown)
        settle(at: instant, shown: shown)
    }

    /// Makes the heading unusable. What it shows remains available, to turn away from.
    mutating func retire() { usableFrom = Instant(nanoseconds: .max) }

    /// Whether the heading can be used at an instant: it is recent and has been steady.
    func isUsable(at instant: Instant) -> Bool { updated >= usableFrom && isFresh(at: instant) }
    /// Whether the instrument has reported recently, usable or not.
    func isFresh(at instant: Instant) -> Bool { instant.seconds(since: updated) <= freshness }
    /// When the heading is lost without further reports.
    var loss: Instant { updated.advanced(by: freshness).advanced(byNanoseconds: 1) }
    /// The heading to show at an instant.
    func heading(at instant: Instant) -> Direction? { Direction(wrapping: shown(at: instant)) }
    /// Scatter of the samples about the estimate: 95 % half-width, degrees.
    var scatter: Double { held?.scatter ?? 1.96 * variance.squareRoot() }

    private var freshness: Double { Self.freshness(cycle: rhythm.cycle) }
    /// The maximum age of a reading, in seconds, for an instrument with a sample every `cycle` seconds.
    static func freshness(cycle: Double?) -> Double {
        min(max(freshness.seconds, freshness.cycles * (cycle ?? 0)), freshness.most)
    }
    private var band: Double {
        min(max(Self.quietBand.deviations * variance.squareRoot(), Self.quietBand.least), Self.quietBand.most)
    }

    private func shown(at instant: Instant) -> Double {
        if let held { return held.angle }
        let elapsed = max(0, instant.seconds(since: updated))
        let constant = min(max(rhythm.cycle ?? 0, Self.glide.shortest), Self.glide.longest)
        let left = residue * exp(-elapsed / constant)
        return angle + rate * min(elapsed, Self.longestLead) + (left.magnitude > Self.glideEnd ? left : 0)
    }

    /// Holds the shown heading once only noise has moved the estimate for a while, and releases it on a larger
    /// change.
    private mutating func settle(at instant: Instant, shown: Double) {
        if let held {
            if shortestTurn(from: held.angle, to: angle).magnitude > band * Self.release {
                self.held = nil
                quiet = nil
            }
            return
        }
        guard let quiet, shortestTurn(from: quiet.angle, to: angle).magnitude <= band else {
            quiet = (instant, angle)
            return
        }
        if instant.seconds(since: quiet.since) >= Self.quietTime { held = (shown, scatter) }
    }
}
