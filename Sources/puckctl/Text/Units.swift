/// The units in which puckctl shows speeds, lengths and heights. What the daemon sends, and `--json`, stays metric.
enum Units: String, CaseIterable, Sendable {
    /// km/h, m and km.
    case metric
    /// Knots, and nautical miles from one mile on. Shorter lengths and heights are in metres, as on most charts.
    case nautical
    /// Miles an hour, feet, and miles from a quarter of a mile on.
    case imperial

    /// Metres in a nautical mile, a mile and a foot: all three are exact by definition.
    private static let nauticalMile = 1_852.0
    private static let mile = 1_609.344
    private static let foot = 0.3048

    /// A speed, metres a second.
    func speed(_ value: Double) -> String {
        switch self {
        case .metric: "\(fixed(value * 3.6, 1)) km/h"
        case .nautical: "\(fixed(value * 3_600 / Self.nauticalMile, 1)) kn"
        case .imperial: "\(fixed(value * 3_600 / Self.mile, 1)) mph"
        }
    }

    /// A length along the ground, metres.
    func length(_ value: Double) -> String {
        switch self {
        case .nautical where value >= Self.nauticalMile: "\(fixed(value / Self.nauticalMile, 2)) NM"
        case .imperial where value >= Self.mile / 4: "\(fixed(value / Self.mile, 2)) mi"
        case .imperial: "\(short(value / Self.foot)) ft"
        case .metric, .nautical: "\(short(value)) m"
        }
    }

    /// A height above the sea, metres.
    func height(_ value: Double) -> String {
        self == .imperial ? "\(fixed(value / Self.foot, 0)) ft" : "\(fixed(value, 0)) m"
    }

    private func short(_ value: Double) -> String { fixed(value, value < 100 ? 1 : 0) }
}
