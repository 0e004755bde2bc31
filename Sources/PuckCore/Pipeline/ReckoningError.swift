/// How far a receiver that reckons its position, without satellites, may be off by now.
///
/// Its own estimate often stays what it was when the satellites were lost. So the error is no less than what it had then
/// and what good odometers add to it: a twentieth of the way, and a little with time, since gyroscopes drift.
struct ReckoningError: Sendable {
    /// What is added by metre of the way.
    private static let perMetre = 0.05
    /// Metres that are added by second.
    private static let perSecond = 0.1
    /// Most that is reckoned, metres.
    private static let most = 100_000.0

    private let base: Double
    private let begin: Instant
    private var last: Coordinate
    private var way = 0.0

    /// 95 % radius of the newest fix at least, metres.
    private(set) var leastRadius: Double

    /// Begins at the last fix that was measured, or at the first that is known. `radius`: what is shown of it, metres.
    init(from fix: Fix, radius: Double) {
        base = radius
        begin = fix.instant
        last = fix.coordinate
        leastRadius = radius
    }

    /// Takes a reckoned fix.
    mutating func take(_ fix: Fix) {
        way += greatCircleDistance(last, fix.coordinate)
        last = fix.coordinate
        let grown = Self.perMetre * way + Self.perSecond * max(0, fix.instant.seconds(since: begin))
        leastRadius = min(max(base + grown, fix.accuracy ?? 0), Self.most)
    }
}
