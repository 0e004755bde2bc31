/// Makes of headings and of the track what the puck shows: where the vehicle points, and the arrow's bearing.
///
/// Heading (a compass or dual antenna: where it points) and course (where it goes) are two things that differ by the
/// leeway: one or the other is shown, never a mean of them. (B2)
public struct BearingFilter: Sendable {
    /// Instruments that give a heading, the best first.
    private enum Instrument: Int, CaseIterable {
        /// Two antennas, from true north.
        case baseline
        /// Anything else that knows true north.
        case trueNorth
        /// A magnetic compass.
        case magnetic

        /// What such an instrument is good to at best, 95 % half-width in degrees, for its scatter tells nothing of its
        /// deviation: a metre's baseline; a gyro or survey antenna of unknown make; a compass near iron.
        var leastAccuracy: Double {
            switch self {
            case .baseline: 1
            case .trueNorth: 2
            case .magnetic: 5
            }
        }
    }

    /// How long a variation holds, seconds: in an hour no vehicle on land or water gets to where it is 2° more.
    private static let variationHolds = 3_600.0

    private let mountingOffset: Double
    /// Magnetic variation here, degrees east, and when it was last said.
    private var variation: (degrees: Double, at: Instant)?
    /// Whether the line to another antenna is one on the vehicle, by device in use for it.
    private var baselineTrust = BaselineTrust()
    /// By instrument; nil where it was never heard of.
    private var trackers = [HeadingTracker?](repeating: nil, count: Instrument.allCases.count)
    private var devices = [DeviceName?](repeating: nil, count: Instrument.allCases.count)

    /// A filter that has heard nothing. `mountingOffset` is what is added to every instrument's heading, degrees
    /// clockwise: the vehicle's bow less the instrument's zero.
    public init(mountingOffset: Double = 0) { self.mountingOffset = mountingOffset.isFinite ? mountingOffset : 0 }

    /// Forgets all headings.
    public mutating func reset() { self = BearingFilter(mountingOffset: mountingOffset) }

    /// Takes what a report says of the heading, if it does. Returns whether it did.
    @discardableResult
    public mutating func receive(_ report: Report, at moment: Moment) -> Bool {
        let now = moment.monotonic
        switch report {
        case .attitude(let attitude):
            let baseline = attitude.baseline.flatMap { heading(of: $0, device: attitude.device, speed: nil, at: now) }
            receive(baseline, from: .baseline, of: attitude.device, at: now)
            receive(attitude.heading, from: .trueNorth, of: attitude.device, at: now)
            receive(attitude.magneticHeading, from: .magnetic, of: attitude.device, at: now)
            return baseline != nil || attitude.heading != nil || attitude.magneticHeading != nil
        case .position(let position):
            if let degrees = position.magneticVariation { variation = (degrees, now) }
            guard let baseline = position.baseline else { return false }
            let heading = heading(of: baseline, device: position.device, speed: position.speed, at: now)
            receive(heading, from: .baseline, of: position.device, at: now)
            return heading != nil
        case .sky, .noise:
            return false
        }
    }

    /// Where the vehicle points by a line between antennas; nil where it may not be one on the vehicle.
    private mutating func heading(
        of baseline: Baseline, device: DeviceName, speed: Double?, at now: Instant
    ) -> Direction? {
        baselineTrust.receive(baseline, of: device, speed: speed, at: now) ? baseline.heading : nil
    }

    /// What to show at an instant, for a motion of that instant. Nothing in it changes while nothing is heard that is
    /// more than noise.
    public func bearing(at instant: Instant, motion: Motion?, preference: BearingPreference) -> BearingReading {
        var reading = heading(at: instant)
        switch preference {
        case .none:
            break
        case .heading:
            show(reading.heading, as: .heading, in: &reading)
        case .course:
            showCourse(of: motion, in: &reading)
        case .auto:
            if reading.heading != nil {
                show(reading.heading, as: .heading, in: &reading)
            } else {
                showCourse(of: motion, in: &reading)
            }
        }
        return reading
    }

    /// When the next instrument's heading will be lost, if nothing more is heard of it; nil where none is fresh.
    public func nextLoss(after instant: Instant) -> Instant? {
        trackers.lazy.compactMap { $0?.loss }.filter { $0 > instant }.min()
    }

    /// Whether an instrument's heading was lost meanwhile.
    public func hasLost(from start: Instant, to end: Instant) -> Bool {
        trackers.contains { tracker in tracker.map { $0.loss >= start && $0.loss <= end } ?? false }
    }

    private func heading(at instant: Instant) -> BearingReading {
        var reading = BearingReading()
        for instrument in Instrument.allCases {
            guard let tracker = trackers[instrument.rawValue], tracker.isUsable(at: instant) else { continue }
            reading.heading = tracker.heading(at: instant)
            reading.headingAccuracy = max(instrument.leastAccuracy, tracker.scatter)
            reading.northReference = .true
            if instrument == .magnetic {
                if let variation = variation(at: instant) {
                    reading.heading = reading.heading?.turned(by: variation)
                } else {
                    reading.northReference = .magnetic
                }
            }
            break
        }
        return reading
    }

    /// Magnetic variation, degrees east; nil where nothing has said it for too long.
    private func variation(at instant: Instant) -> Double? {
        guard let variation, instant.seconds(since: variation.at) <= Self.variationHolds else { return nil }
        return variation.degrees
    }

    private func showCourse(of motion: Motion?, in reading: inout BearingReading) {
        guard let motion else { return }
        if let course = motion.course {
            show(course, as: .course, in: &reading)
        } else {
            show(motion.heldCourse, as: .held, in: &reading)
        }
    }

    private func show(_ direction: Direction?, as source: BearingSource, in reading: inout BearingReading) {
        guard let direction else { return }
        reading.bearing = direction
        reading.bearingSource = source
    }

    /// Two compasses on two devices never interleave: the first stays until it has been silent.
    private mutating func receive(
        _ heading: Direction?, from instrument: Instrument, of device: DeviceName, at instant: Instant
    ) {
        guard let heading = heading?.turned(by: mountingOffset) else { return }
        let index = instrument.rawValue
        guard var tracker = trackers[index] else {
            trackers[index] = HeadingTracker(heading, at: instant, afterLoss: false)
            devices[index] = device
            return
        }
        if devices[index] == device {
            tracker.receive(heading, at: instant)
            trackers[index] = tracker
        } else if !tracker.isFresh(at: instant) {
            trackers[index] = HeadingTracker(heading, at: instant, afterLoss: true)
            devices[index] = device
        }
    }
}
