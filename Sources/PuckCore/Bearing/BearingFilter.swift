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

        var reference: NorthReference { self == .magnetic ? .magnetic : .true }

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

    private let mountingOffset: Double
    /// By instrument; nil where it was never heard of.
    private var trackers = [HeadingTracker?](repeating: nil, count: Instrument.allCases.count)
    private var devices = [DeviceName?](repeating: nil, count: Instrument.allCases.count)

    /// A filter that has heard nothing. `mountingOffset` is what is added to every instrument's heading, degrees
    /// clockwise: the vehicle's bow less the instrument's zero.
    public init(mountingOffset: Double = 0) { self.mountingOffset = mountingOffset.isFinite ? mountingOffset : 0 }

    /// Forgets all headings.
    public mutating func reset() { self = BearingFilter(mountingOffset: mountingOffset) }

    /// Takes what a report says of the heading, if it does.
    public mutating func receive(_ report: Report, at moment: Moment) {
        switch report {
        case .attitude(let attitude):
            receive(attitude.heading, from: .trueNorth, of: attitude.device, at: moment.monotonic)
            receive(attitude.magneticHeading, from: .magnetic, of: attitude.device, at: moment.monotonic)
        case .position(let position):
            receive(position.baselineHeading, from: .baseline, of: position.device, at: moment.monotonic)
        case .sky, .noise:
            break
        }
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
            reading.northReference = instrument.reference
            break
        }
        return reading
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
