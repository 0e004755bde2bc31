/// Instruments that give a heading, the best first.
enum HeadingInstrument: Int, CaseIterable {
    /// Whatever a client with the role of provider has, from true north.
    case placed
    /// Two antennas, from true north.
    case baseline
    /// Anything else that knows true north.
    case trueNorth
    /// A magnetic compass.
    case magnetic

    /// What such an instrument is good to at best, 95 % half-width in degrees, for its scatter tells nothing of its
    /// deviation: a metre's baseline; a gyro or survey antenna of unknown make; a compass near iron. nil: who places it may
    /// say.
    var leastAccuracy: Double? {
        switch self {
        case .placed: nil
        case .baseline: 1
        case .trueNorth: 2
        case .magnetic: 5
        }
    }
}

/// What a heading comes from, and what is added to it: another one is another source.
struct HeadingSource: Hashable {
    var instrument: HeadingInstrument
    /// Degrees east; nil if the heading is not corrected.
    var variation: Double?
}

/// A change of the heading's source, at an instant; nil is no heading.
struct HeadingSourceChange {
    let from: HeadingSource?
    let to: HeadingSource?
    let instant: Instant
    /// Whether the course takes the heading's place, or gives it up.
    var isOfCourse: Bool { from == nil || to == nil }
}
