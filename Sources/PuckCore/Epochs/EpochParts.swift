/// The parts of an epoch that have arrived. The assembler may wait for the others.
struct EpochParts: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let fix = EpochParts(rawValue: 1 << 0)
    static let time = EpochParts(rawValue: 1 << 1)
    static let position = EpochParts(rawValue: 1 << 2)
    static let altitude = EpochParts(rawValue: 1 << 3)
    static let speed = EpochParts(rawValue: 1 << 4)
    static let course = EpochParts(rawValue: 1 << 5)
    static let error = EpochParts(rawValue: 1 << 6)
    static let all = EpochParts(rawValue: (1 << 7) - 1)

    /// The number of kinds of parts; the kind at `index` is the bit `1 << index`.
    static let kinds = 7

    /// The number of parts.
    var count: Int { rawValue.nonzeroBitCount }
}

extension EpochParts {
    init(fix: Bool, time: Bool, position: Bool, altitude: Bool, speed: Bool, course: Bool, error: Bool) {
        self = []
        if fix { insert(.fix) }
        if time { insert(.time) }
        if position { insert(.position) }
        if altitude { insert(.altitude) }
        if speed { insert(.speed) }
        if course { insert(.course) }
        if error { insert(.error) }
    }

    /// The parts of one report.
    init(_ report: PositionReport) {
        self.init(
            fix: report.mode.hasFix, time: report.time != nil, position: report.coordinate != nil,
            altitude: report.altitudeEllipsoid != nil || report.altitudeMSL != nil, speed: report.speed != nil,
            course: report.course != nil, error: report.eph != nil || (report.epx != nil && report.epy != nil))
    }
}
