/// A satellite in view.
public struct SimulatedSatellite: Hashable, Sendable {
    /// GPS PRN, 1 to 32.
    public var prn: Int
    /// Degrees above the horizon.
    public var elevation: Int
    /// Degrees from true north.
    public var azimuth: Int
    /// Signal to noise, dB-Hz; nil: not tracked.
    public var signal: Int?

    /// Eleven GPS satellites, well spread: what an open sky shows.
    public static let openSky: [SimulatedSatellite] = [
        (2, 25, 100, 36), (5, 62, 210, 45), (7, 18, 40, 33), (13, 47, 290, 42), (15, 71, 130, 46), (18, 33, 330, 39),
        (20, 12, 190, 30), (23, 54, 70, 44), (24, 29, 250, 37), (29, 41, 160, 41), (30, 8, 310, 28),
    ].map { SimulatedSatellite(prn: $0.0, elevation: $0.1, azimuth: $0.2, signal: $0.3) }

    /// The same satellites behind a roof: known from the almanac, none of them heard.
    public static let blockedSky: [SimulatedSatellite] = openSky.map {
        SimulatedSatellite(prn: $0.prn, elevation: $0.elevation, azimuth: $0.azimuth, signal: nil)
    }
}

extension NMEASentence {
    /// Channels that a GSA names.
    private static let channels = 12
    /// Satellites that one GSV holds.
    private static let satellitesPerSentence = 4

    /// Fix mode, the satellites used, and the dilutions of precision.
    public static func gsa(_ fix: SimulatedFix, talker: String) -> NMEASentence {
        let used = fix.satellites.filter { $0.signal != nil }.prefix(channels).map { number($0.prn, width: 2) }
        let empty = Array(repeating: "", count: channels - used.count)
        return NMEASentence(
            talker: talker, type: "GSA",
            fields: ["A", fix.hasFix ? "3" : "1"] + used + empty + [
                decimal(fix.hasFix ? fix.hdop * 1.7 : nil, decimals: 2),
                decimal(fix.hasFix ? fix.hdop : nil, decimals: 2),
                decimal(fix.hasFix ? fix.hdop * 1.4 : nil, decimals: 2),
            ])
    }

    /// The satellites in view, four to a sentence.
    public static func gsv(_ fix: SimulatedFix, talker: String = "GP") -> [NMEASentence] {
        let pages = max(1, (fix.satellites.count + satellitesPerSentence - 1) / satellitesPerSentence)
        return (0..<pages).map { page in
            let shown = fix.satellites.dropFirst(page * satellitesPerSentence).prefix(satellitesPerSentence)
            return NMEASentence(
                talker: talker, type: "GSV",
                fields: [String(pages), String(page + 1), number(fix.satellites.count, width: 2)]
                    + shown.flatMap {
                        [
                            number($0.prn, width: 2), number($0.elevation, width: 2), number($0.azimuth, width: 3),
                            $0.signal.map { number($0, width: 2) } ?? "",
                        ]
                    })
        }
    }
}
