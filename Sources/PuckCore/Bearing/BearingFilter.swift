/// Computes where the vehicle points, and the bearing of the puck's arrow, from headings and the course.
///
/// The heading (from a compass or dual antenna: where the vehicle points) and the course (where it moves) differ by
/// the leeway. The filter shows one or the other, never a mean of them. (B2) When one replaces the other, the arrow
/// turns to the new direction (`BearingTurn`); its source is the new one from the first instant of the turn.
public struct BearingFilter: Sendable {
    /// How long a variation is valid, seconds: in an hour, no vehicle on land or water reaches a place where it
    /// differs by 2°.
    private static let variationHolds = 3_600.0

    private let mountingOffset: Double
    /// Magnetic variation here, degrees east, and the time of its last report.
    private var variation: (degrees: Double, at: Instant)?
    /// Whether the line to another antenna is on the vehicle, for the device in use.
    private var baselineTrust = BaselineTrust()
    /// By instrument; nil if the instrument has never reported.
    private var trackers = [HeadingTracker?](repeating: nil, count: HeadingInstrument.allCases.count)
    private var devices = [DeviceName?](repeating: nil, count: HeadingInstrument.allCases.count)
    /// Values placed with a heading: its accuracy, 95 % half-width in degrees, and the tilt of the vehicle.
    private var placedAccuracy: Double?
    /// At most one element. It is an array because reading from a large optional would copy its content.
    private var tilts: ContiguousArray<PlacedTilt> = []
    /// The heading's source at the last check.
    private var inCharge: HeadingSource?
    /// The turn to that source: from another heading, and from whatever `auto` showed.
    private var headingTurn: BearingTurn?
    private var autoTurn: BearingTurn?

    /// A filter without data. `mountingOffset` is added to every instrument's heading, in degrees clockwise: the
    /// direction of the bow minus the direction of the instrument's zero.
    public init(mountingOffset: Double = 0) { self.mountingOffset = mountingOffset.isFinite ? mountingOffset : 0 }

    /// Forgets all headings.
    public mutating func reset() { self = BearingFilter(mountingOffset: mountingOffset) }

    /// Takes the heading of a report, if it has one. Returns whether it has.
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

    /// Takes an attitude from a client.
    mutating func place(_ attitude: Attitude, by provider: UInt64, at instant: Instant, now: Instant) {
        let device = Self.device(of: provider)
        if let heading = attitude.heading, receive(heading, from: .placed, of: device, at: instant) {
            placedAccuracy = attitude.headingAccuracy
        }
        if tilts.isEmpty || (tilts[0].device != device && tilts[0].loss <= now) {
            tilts = PlacedTilt(attitude, of: device, at: instant).map { [$0] } ?? []
        } else if tilts[0].device == device {
            tilts[0].receive(attitude, at: instant)
        }
    }

    /// Forgets the attitude that a client placed, and turns to the next source. `course`: the course that the arrow
    /// shows. Returns whether there was such an attitude.
    mutating func forgetPlaced(by provider: UInt64, at now: Instant, course: Direction?) -> Bool {
        let device = Self.device(of: provider)
        let index = HeadingInstrument.placed.rawValue
        let (hadHeading, hadTilt) = (devices[index] == device, tilts.first?.device == device)
        if hadHeading {
            trackers[index]?.retire()
            if let change = sourceChange(by: now) { follow(change, course: course) }
            (trackers[index], devices[index], placedAccuracy) = (nil, nil, nil)
        }
        if hadTilt { tilts = [] }
        return hadHeading || hadTilt
    }

    private static func device(of provider: UInt64) -> DeviceName { DeviceName("client \(provider)") }

    /// Whether a client has placed a tilt that is still valid.
    var isTilted: Bool { !tilts.isEmpty }

    /// The tilt of the vehicle that a client placed; nil without one.
    func tilt(at instant: Instant) -> PlacedTilt? {
        tilts.isEmpty || tilts[0].loss <= instant ? nil : tilts[0]
    }

    /// The heading that a client placed without a position; empty without one.
    func placedHeading(at instant: Instant) -> BearingReading {
        let source = source(at: instant)
        return source?.instrument == .placed ? heading(from: source, at: instant) : BearingReading()
    }

    /// The vehicle's direction from a line between antennas; nil if the line may not be on the vehicle.
    private mutating func heading(
        of baseline: Baseline, device: DeviceName, speed: Double?, at now: Instant
    ) -> Direction? {
        baselineTrust.receive(baseline, of: device, speed: speed, at: now) ? baseline.heading : nil
    }

    /// The bearing to show at an instant, for a motion at that instant. It does not change while the reports differ
    /// only by noise.
    public func bearing(at instant: Instant, motion: Motion?, preference: BearingPreference) -> BearingReading {
        let source = source(at: instant)
        var reading = heading(from: source, at: instant)
        switch preference {
        case .none:
            break
        case .heading:
            show(reading.heading, as: .heading, in: &reading)
            if source == inCharge { turn(&reading, by: headingTurn, at: instant) }
        case .course:
            showCourse(of: motion, in: &reading)
        case .auto:
            if source != nil {
                show(reading.heading, as: .heading, in: &reading)
            } else {
                showCourse(of: motion, in: &reading)
            }
            if source == inCharge { turn(&reading, by: autoTurn, at: instant) }
        }
        return reading
    }

    // MARK: Changes of source

    /// The first change of the heading's source up to `now` for which no turn has been made. The cause is a new
    /// report or a long silence.
    func sourceChange(by now: Instant) -> HeadingSourceChange? {
        var instant = now
        if let inCharge, let end = end(of: inCharge), end < now { instant = end }
        let next = source(at: instant)
        return next == inCharge ? nil : HeadingSourceChange(from: inCharge, to: next, instant: instant)
    }

    /// Turns from the old source to the new one. `course`: the course that the arrow shows at that instant.
    mutating func follow(_ change: HeadingSourceChange, course: Direction?) {
        let instant = change.instant
        let old = change.from.flatMap { angle(of: $0, at: instant) }
        let new = change.to.flatMap { angle(of: $0, at: instant) }
        headingTurn = Self.turn(from: old, with: headingTurn, to: new, at: instant)
        autoTurn = Self.turn(from: old ?? course?.degrees, with: autoTurn, to: new ?? course?.degrees, at: instant)
        inCharge = change.to
    }

    private static func turn(
        from old: Double?, with earlier: BearingTurn?, to new: Double?, at instant: Instant
    ) -> BearingTurn? {
        guard let old, let new else { return nil }
        return BearingTurn(from: old + (earlier?.left(at: instant) ?? 0), to: new, at: instant)
    }

    private func turn(_ reading: inout BearingReading, by turn: BearingTurn?, at instant: Instant) {
        guard let turn else { return }
        reading.bearing = reading.bearing?.turned(by: turn.left(at: instant))
    }

    /// The best instrument with a valid heading at an instant.
    private func source(at instant: Instant) -> HeadingSource? {
        for instrument in HeadingInstrument.allCases {
            guard trackers[instrument.rawValue]?.isUsable(at: instant) == true else { continue }
            return HeadingSource(
                instrument: instrument, variation: instrument == .magnetic ? variation(at: instant) : nil)
        }
        return nil
    }

    /// When a source is lost without further reports.
    private func end(of source: HeadingSource) -> Instant? {
        let loss = trackers[source.instrument.rawValue]?.loss
        guard source.variation != nil, let variation else { return loss }
        let expiry = variation.at.advanced(by: Self.variationHolds).advanced(byNanoseconds: 1)
        return loss.map { min($0, expiry) }
    }

    private func angle(of source: HeadingSource, at instant: Instant) -> Double? {
        let heading = trackers[source.instrument.rawValue]?.heading(at: instant)
        return heading.map { $0.degrees + (source.variation ?? 0) }
    }

    /// When the heading in use or the tilt is lost without further reports; nil if there is neither.
    var nextLoss: Instant? { earlier(inCharge.flatMap { end(of: $0) }, tilts.first?.loss) }

    /// Forgets a tilt that is too old. Returns whether it did.
    mutating func loseTilt(by now: Instant) -> Bool {
        guard let tilt = tilts.first, tilt.loss <= now else { return false }
        tilts = []
        return true
    }

    private func heading(from source: HeadingSource?, at instant: Instant) -> BearingReading {
        var reading = BearingReading()
        guard let source, let tracker = trackers[source.instrument.rawValue] else { return reading }
        reading.heading = tracker.heading(at: instant)?.turned(by: source.variation ?? 0)
        let least = source.instrument == .placed ? placedAccuracy : source.instrument.leastAccuracy
        reading.headingAccuracy = least.map { max($0, tracker.scatter) }
        reading.northReference = source.instrument == .magnetic && source.variation == nil ? .magnetic : .true
        return reading
    }

    /// Magnetic variation, degrees east; nil if its last report is too old.
    private func variation(at instant: Instant) -> Double? {
        guard let variation, instant.seconds(since: variation.at) <= Self.variationHolds else { return nil }
        return variation.degrees
    }

    private func showCourse(of motion: Motion?, in reading: inout BearingReading) {
        guard let motion else { return }
        show(motion.drawnCourse, as: motion.course == nil ? .held : .course, in: &reading)
    }

    private func show(_ direction: Direction?, as source: BearingSource, in reading: inout BearingReading) {
        guard let direction else { return }
        reading.bearing = direction
        reading.bearingSource = source
    }

    /// Two compasses on two devices are never mixed: the first is used until it has been silent. Returns whether this
    /// device is the one in use.
    @discardableResult
    private mutating func receive(
        _ heading: Direction?, from instrument: HeadingInstrument, of device: DeviceName, at instant: Instant
    ) -> Bool {
        // A placed heading is already that of the vehicle, not that of an instrument on it.
        guard let heading = heading?.turned(by: instrument == .placed ? 0 : mountingOffset) else { return false }
        let index = instrument.rawValue
        guard var tracker = trackers[index] else {
            trackers[index] = HeadingTracker(heading, at: instant, afterLoss: false)
            devices[index] = device
            return true
        }
        if devices[index] == device {
            tracker.receive(heading, at: instant)
            trackers[index] = tracker
        } else if !tracker.isFresh(at: instant) {
            trackers[index] = HeadingTracker(heading, at: instant, afterLoss: true)
            devices[index] = device
        }
        return devices[index] == device
    }
}
