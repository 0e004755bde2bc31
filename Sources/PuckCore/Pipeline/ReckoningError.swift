/// The possible error of a receiver that uses dead reckoning without satellites.
///
/// The receiver's own estimate often stays at its value when the satellites were lost. So the error is at least that
/// value plus what good odometers add: a twentieth of the distance, and a little with time, because gyroscopes drift.
struct ReckoningError: Sendable {
    /// Added error for each metre of distance.
    private static let perMetre = 0.05
    /// Added error for each second, metres.
    private static let perSecond = 0.1
    /// The maximum error, metres.
    private static let most = 100_000.0

    private let base: Double
    private let begin: Instant
    private var last: Coordinate
    private var way = 0.0

    /// The minimum 95 % radius of the newest fix, metres.
    private(set) var leastRadius: Double

    /// Starts at the last measured fix, or at the first known one. `radius`: its shown radius, metres.
    init(from fix: Fix, radius: Double) {
        base = radius
        begin = fix.instant
        last = fix.coordinate
        leastRadius = radius
    }

    /// Takes a fix from dead reckoning.
    mutating func take(_ fix: Fix) {
        way += greatCircleDistance(last, fix.coordinate)
        last = fix.coordinate
        let grown = Self.perMetre * way + Self.perSecond * max(0, fix.instant.seconds(since: begin))
        leastRadius = min(max(base + grown, fix.accuracy ?? 0), Self.most)
    }
}
