import PuckCore

/// Knots per metre per second. A nautical mile is 1,852 m.
private let knots = 3600 / 1852.0
/// Kilometres per hour per metre per second.
private let kilometresPerHour = 3.6

extension NMEASentence {
    /// Returns a GGA: position, quality, satellites, HDOP, altitude above mean sea level, geoid separation.
    public static func gga(_ fix: SimulatedFix, talker: String) -> NMEASentence {
        NMEASentence(
            talker: talker, type: "GGA",
            fields: [CivilTime(fix.time).timeField] + PuckTestKit.position(fix.coordinate) + [
                String(fix.hasFix ? fix.quality : 0), number(fix.satellitesUsed, width: 2),
                decimal(fix.hasFix ? fix.hdop : nil, decimals: 2),
                decimal(fix.altitudeMSL, decimals: 1), fix.hasFix ? "M" : "",
                decimal(fix.hasFix ? fix.geoidSeparation : nil, decimals: 1), fix.hasFix ? "M" : "", "", "",
            ])
    }

    /// Returns an RMC, the recommended minimum: position, speed, course, date.
    public static func rmc(_ fix: SimulatedFix, talker: String) -> NMEASentence {
        let civil = CivilTime(fix.time)
        return NMEASentence(
            talker: talker, type: "RMC",
            fields: [civil.timeField, fix.hasFix ? "A" : "V"] + PuckTestKit.position(fix.coordinate) + [
                decimal(fix.speed.map { $0 * knots }, decimals: 3), decimal(fix.course?.degrees, decimals: 2),
                civil.dateField, "", "", mode(fix),
            ])
    }

    /// Returns a VTG: course and speed over ground.
    public static func vtg(_ fix: SimulatedFix, talker: String) -> NMEASentence {
        NMEASentence(
            talker: talker, type: "VTG",
            fields: [
                decimal(fix.course?.degrees, decimals: 2), "T", "", "M",
                decimal(fix.speed.map { $0 * knots }, decimals: 3), "N",
                decimal(fix.speed.map { $0 * kilometresPerHour }, decimals: 3), "K", mode(fix),
            ])
    }

    /// Returns a GST: the receiver's estimate of its own error, as standard deviations in metres.
    public static func gst(_ fix: SimulatedFix, talker: String) -> NMEASentence {
        let horizontal = decimal(fix.hasFix ? fix.standardDeviation : nil, decimals: 2)
        let vertical = decimal(fix.hasFix ? fix.standardDeviation * 1.5 : nil, decimals: 2)
        return NMEASentence(
            talker: talker, type: "GST",
            fields: [CivilTime(fix.time).timeField, "", "", "", "", horizontal, horizontal, vertical])
    }

    /// Returns a ZDA: time and date with the full year.
    public static func zda(_ fix: SimulatedFix, talker: String) -> NMEASentence {
        let civil = CivilTime(fix.time)
        return NMEASentence(
            talker: talker, type: "ZDA",
            fields: [
                civil.timeField, number(civil.day, width: 2), number(civil.month, width: 2),
                number(civil.year, width: 4), "00", "00",
            ])
    }

    /// Returns an HDT, the heading from true north, as compasses send it. gpsd 3.22 reads it from the talker `HC` (a
    /// compass), but not from `HE` (a gyro).
    public static func hdt(_ heading: Direction, talker: String = "HC") -> NMEASentence {
        NMEASentence(talker: talker, type: "HDT", fields: [decimal(heading.degrees, decimals: 2), "T"])
    }

    /// Returns a THS, the heading from true north with its status, which dual-antenna receivers send besides HDT. gpsd
    /// 3.22 reads only HDT.
    public static func ths(_ heading: Direction, talker: String = "GN") -> NMEASentence {
        NMEASentence(talker: talker, type: "THS", fields: [decimal(heading.degrees, decimals: 2), "A"])
    }

    /// The mode letter of NMEA 2.3: autonomous, differential or none.
    private static func mode(_ fix: SimulatedFix) -> String { !fix.hasFix ? "N" : fix.quality == 2 ? "D" : "A" }
}
