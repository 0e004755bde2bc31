/// Follows the heading of one instrument: lightly smoothed on the circle, drawn continuously between its samples, and
/// quite still while only its noise changes. (B3, P5)
///
/// An α-β filter estimates angle and rate; what is shown glides on to the estimate, so that it never jumps.
struct HeadingTracker: Sendable {
    /// Time constant of the smoothing, seconds: light, three samples at 10 Hz.
    private static let smoothing = 0.15
    /// Most that one sample counts, for instruments slower than the smoothing.
    private static let mostGain = 0.8
    /// How far a turn is carried on beyond the last sample, seconds. More would overshoot at the turn's end.
    private static let longestLead = 0.3
    /// Time constant with which what is shown glides on to the estimate, seconds: the cycle, within these.
    private static let glide = (shortest: 0.1, longest: 0.4)
    /// What is left of a glide that no eye sees, degrees.
    private static let glideEnd = 0.02
    /// Samples closer than this, in seconds, are one: gpsd repeats a heading with each sentence of an epoch.
    private static let oneSample = 0.02
    /// Faster turning than any vehicle's, degrees a second: such a sample needs another that agrees with it.
    private static let fastestTurn = 360.0
    /// And further than noise, degrees.
    private static let leastJump = 30.0
    /// Weight of a sample in the noise estimate.
    private static let noiseWeight = 0.05
    /// Scatter before anything is known of it, degrees, 1 σ.
    private static let noisePrior = 0.5
    /// A change within so many σ, and within these limits in degrees, is noise and not a turn.
    private static let quietBand = (deviations: 2.5, least: 0.5, most: 3.0)
    /// Seconds of nothing but noise before what is shown is held still.
    private static let quietTime = 2.0
    /// What is held is let go by this much more than the band that it was held by.
    private static let release = 1.5
    /// A heading older than this is none: seconds, and cycles of the instrument; and at most, seconds.
    private static let freshness = (seconds: 2.0, cycles: 3.0, most: 10.0)
    /// After a loss a heading must have been back for this long before it is used, so that a loose contact does not
    /// make the bearing flap, seconds. (B2)
    private static let settling = 3.0

    private var angle = 0.0
    private var rate = 0.0
    private var updated: Instant
    private var residue = 0.0
    private var variance = noisePrior * noisePrior
    private var rhythm = CycleEstimator()
    /// What is held, and how the samples scattered then.
    private var held: (angle: Double, scatter: Double)?
    private var quiet: (since: Instant, angle: Double)?
    private var suspect: Double?
    private var usableFrom: Instant

    /// Starts with a first sample: in use at once, or, after another was lost, when it has proved steady.
    init(_ heading: Direction, at instant: Instant, afterLoss: Bool) {
        angle = heading.degrees
        updated = instant
        usableFrom = afterLoss ? instant.advanced(by: Self.settling) : instant
    }

    /// Takes a sample. One older than the last is not taken.
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
            // The rate's gain that goes with it. (Benedict and Bordner 1962)
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

    /// Makes it unusable, with what it shows left to turn away from.
    mutating func retire() { usableFrom = Instant(nanoseconds: .max) }

    /// Whether there is a heading at an instant that can be used: a fresh one that has proved steady.
    func isUsable(at instant: Instant) -> Bool { updated >= usableFrom && isFresh(at: instant) }
    /// Whether it has been heard of lately, usable or not.
    func isFresh(at instant: Instant) -> Bool { instant.seconds(since: updated) <= freshness }
    /// When it is none any more, if nothing is heard until then.
    var loss: Instant { updated.advanced(by: freshness).advanced(byNanoseconds: 1) }
    /// The heading to show at an instant.
    func heading(at instant: Instant) -> Direction? { Direction(wrapping: shown(at: instant)) }
    /// How the samples scatter about the estimate: 95 % half-width, degrees.
    var scatter: Double { held?.scatter ?? 1.96 * variance.squareRoot() }

    private var freshness: Double { Self.freshness(cycle: rhythm.cycle) }
    /// The age, in seconds, up to which a reading of an instrument is good that has one each `cycle` seconds.
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

    /// Holds what is shown once nothing but noise has moved the estimate for a while, and lets it go when more does.
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
