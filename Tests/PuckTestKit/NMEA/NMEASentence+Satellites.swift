/// A satellite in view.
public struct SimulatedSatellite: Hashable, Sendable {
    /// The PRN of a GPS satellite, 1 to 32.
    public var prn: Int
    /// The elevation above the horizon in degrees.
    public var elevation: Int
    /// The azimuth in degrees from true north.
    public var azimuth: Int
    /// The carrier-to-noise density in dB-Hz; nil if the satellite is not tracked.
    public var signal: Int?

    /// Eleven GPS satellites, well distributed, as under an open sky.
    public static let openSky: [SimulatedSatellite] = [
        (2, 25, 100, 36), (5, 62, 210, 45), (7, 18, 40, 33), (13, 47, 290, 42), (15, 71, 130, 46), (18, 33, 330, 39),
        (20, 12, 190, 30), (23, 54, 70, 44), (24, 29, 250, 37), (29, 41, 160, 41), (30, 8, 310, 28),
    ].map { SimulatedSatellite(prn: $0.0, elevation: $0.1, azimuth: $0.2, signal: $0.3) }

    /// The same satellites under a roof: known from the almanac, but not received.
    public static let blockedSky: [SimulatedSatellite] = openSky.map {
        SimulatedSatellite(prn: $0.prn, elevation: $0.elevation, azimuth: $0.azimuth, signal: nil)
    }
}

extension NMEASentence {
    /// The number of satellites in a GSA.
    private static let channels = 12
    /// The number of satellites in one GSV.
    private static let satellitesPerSentence = 4

    /// Returns a GSA: fix mode, the satellites used, and the dilutions of precision.
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

    /// Returns the GSVs for the satellites in view, four in each sentence.
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
