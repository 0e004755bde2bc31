/// Instruments that measure a heading, in order of preference.
enum HeadingInstrument: Int, CaseIterable {
    /// A client with the role `provider`; from true north.
    case placed
    /// Two antennas, from true north.
    case baseline
    /// Another instrument that measures true north.
    case trueNorth
    /// A magnetic compass.
    case magnetic

    /// The best accuracy of such an instrument, 95 % half-width in degrees, because its scatter does not show its
    /// deviation. The values are for a baseline of one metre, a gyro or survey antenna of unknown make, and a compass
    /// near iron. nil: the client that places the heading may give any accuracy.
    var leastAccuracy: Double? {
        switch self {
        case .placed: nil
        case .baseline: 1
        case .trueNorth: 2
        case .magnetic: 5
        }
    }
}

/// The source of a heading, and the correction added to it. A different correction makes a different source.
struct HeadingSource: Hashable {
    var instrument: HeadingInstrument
    /// Degrees east; nil if the heading is not corrected.
    var variation: Double?
}

/// A change of the heading's source at an instant. A source of nil means no heading.
struct HeadingSourceChange {
    let from: HeadingSource?
    let to: HeadingSource?
    let instant: Instant
    /// Whether the course replaces the heading, or the heading replaces the course.
    var isOfCourse: Bool { from == nil || to == nil }
}
