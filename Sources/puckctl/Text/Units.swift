/// The units for speeds, lengths and heights in puckctl's output. The daemon's messages and `--json` are always metric.
enum Units: String, CaseIterable, Sendable {
    /// Kilometres per hour, and metres.
    case metric
    /// Knots, and nautical miles from one mile. Shorter lengths and heights are in metres, as on most charts.
    case nautical
    /// Miles per hour, feet, and miles from a quarter of a mile.
    case imperial

    /// The lengths of a nautical mile, a mile and a foot in metres, exact by definition.
    private static let nauticalMile = 1_852.0
    private static let mile = 1_609.344
    private static let foot = 0.3048

    /// Formats a speed in metres per second.
    func speed(_ value: Double) -> String {
        switch self {
        case .metric: "\(fixed(value * 3.6, 1)) km/h"
        case .nautical: "\(fixed(value * 3_600 / Self.nauticalMile, 1)) kn"
        case .imperial: "\(fixed(value * 3_600 / Self.mile, 1)) mph"
        }
    }

    /// Formats a length along the ground in metres.
    func length(_ value: Double) -> String {
        switch self {
        case .nautical where value >= Self.nauticalMile: "\(fixed(value / Self.nauticalMile, 2)) NM"
        case .imperial where value >= Self.mile / 4: "\(fixed(value / Self.mile, 2)) mi"
        case .imperial: "\(short(value / Self.foot)) ft"
        case .metric, .nautical: "\(short(value)) m"
        }
    }

    /// Formats a height above sea level in metres.
    func height(_ value: Double) -> String {
        self == .imperial ? "\(fixed(value / Self.foot, 0)) ft" : "\(fixed(value, 0)) m"
    }

    /// The next system of units, for a key that cycles.
    var next: Units {
        switch self {
        case .metric: .nautical
        case .nautical: .imperial
        case .imperial: .metric
        }
    }

    /// The round lengths of scale bars, from short to long.
    var scaleLengths: [(metres: Double, text: String)] {
        let (short, long): ((name: String, metres: Double, most: Double), (name: String, metres: Double)) =
            switch self {
            case .metric: (("m", 1, 500), ("km", 1_000))
            case .nautical: (("m", 1, 1_000), ("NM", Self.nauticalMile))
            case .imperial: (("ft", Self.foot, 2_000), ("mi", Self.mile))
            }
        let rounds = [1.0, 10, 100, 1_000, 10_000].flatMap { [$0, 2 * $0, 5 * $0] }
        return rounds.filter { $0 <= short.most }.map { ($0 * short.metres, "\(fixed($0, 0)) \(short.name)") }
            + rounds.map { ($0 * long.metres, "\(fixed($0, 0)) \(long.name)") }
    }

    private func short(_ value: Double) -> String { fixed(value, value < 100 ? 1 : 0) }
}
