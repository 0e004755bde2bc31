import Glibc
import PuckCore
import PuckTestKit
import Testing

@Suite struct NMEASentenceTests {
    /// A moment with a three-digit fraction, in a leap year.
    private static let time = UTC(nanoseconds: 1_709_210_096_125_000_000)  // 2024-02-29T12:34:56.125Z

    private func fix(longitude: Double = -0.5, latitude: Double = 51.25) -> SimulatedFix {
        var fix = SimulatedFix(
            time: Self.time, geoidSeparation: 45.25, quality: 1, hdop: 1.03, standardDeviation: 2,
            satellites: SimulatedSatellite.openSky)
        fix.coordinate = Coordinate(longitude: longitude, latitude: latitude)
        fix.altitudeMSL = 61.7
        fix.speed = 10
        fix.course = Direction(84.4)
        return fix
    }

    @Test(
        "real sentences are read, and written again as they were",
        arguments: [
            "$GNRMC,171926.00,A,4404.14063,N,12118.85478,W,0.117,,180315,,,A*76",
            "$GPGSV,4,4,13,32,76,331,31*48",
            "$GNGSA,A,3,67,83,76,82,68,,,,,,,,1.56,0.91,1.27*1D",
        ])
    func roundTrip(line: String) throws {
        let sentence = try #require(NMEASentence(line: line))
        #expect(sentence.description == line)
        #expect(NMEASentence(line: line + "\r\n") == sentence)
    }

    @Test(
        "a wrong checksum, or none, is refused",
        arguments: [
            "$GPGSV,4,4,13,32,76,331,31*49", "$GPGSV,4,4,13,32,76,331,31", "GPGSV,4,4,13,32,76,331,31*48", "$*00", "",
            "$GPGSV,4,4,13,32,76,331,31*4", "$GPGSV,4,4,13,32,76,331,31*48*48",
        ])
    func refused(line: String) { #expect(NMEASentence(line: line) == nil) }

    @Test("the sentences of a fix, written out")
    func fixSentences() throws {
        let fix = fix()
        let body = { (sentence: NMEASentence) in String(sentence.description.dropLast(3)) }
        #expect(
            body(.gga(fix, talker: "GN"))
                == "$GNGGA,123456.125,5115.00000,N,00030.00000,W,1,11,1.03,61.7,M,45.3,M,,")
        #expect(
            body(.rmc(fix, talker: "GN"))
                == "$GNRMC,123456.125,A,5115.00000,N,00030.00000,W,19.438,84.40,290224,,,A")
        #expect(body(.vtg(fix, talker: "GP")) == "$GPVTG,84.40,T,,M,19.438,N,36.000,K,A")
        #expect(body(.gst(fix, talker: "GN")) == "$GNGST,123456.125,,,,,2.00,2.00,3.00")
        #expect(body(.zda(fix, talker: "GN")) == "$GNZDA,123456.125,29,02,2024,00,00")
        #expect(body(.gsa(fix, talker: "GN")) == "$GNGSA,A,3,02,05,07,13,15,18,20,23,24,29,30,,1.75,1.03,1.44")
        #expect(body(.hdt(.north)) == "$HCHDT,0.00,T")
        #expect(body(.ths(try #require(Direction(359.5)))) == "$GNTHS,359.50,A")
        let pages = NMEASentence.gsv(fix).map(body)
        #expect(pages.count == 3)
        #expect(pages.first == "$GPGSV,3,1,11,02,25,100,36,05,62,210,45,07,18,040,33,13,47,290,42")
        #expect(pages.last == "$GPGSV,3,3,11,24,29,250,37,29,41,160,41,30,08,310,28")
    }

    @Test("without a fix, what is unknown is an empty field")
    func withoutFix() throws {
        var fix = fix()
        fix.coordinate = nil
        fix.altitudeMSL = nil
        fix.speed = nil
        fix.course = nil
        fix.satellites = SimulatedSatellite.blockedSky
        #expect(NMEASentence.rmc(fix, talker: "GN").description.hasPrefix("$GNRMC,123456.125,V,,,,,,,290224,,,N*"))
        #expect(NMEASentence.gga(fix, talker: "GN").description.hasPrefix("$GNGGA,123456.125,,,,,0,00,,,,,,,*"))
        #expect(NMEASentence.gsa(fix, talker: "GN").description.hasPrefix("$GNGSA,A,1,,,,,,,,,,,,,,,*"))
    }

    @Test("minutes of arc never come to sixty")
    func sixtyMinutes() throws {
        let fields = NMEASentence.gga(fix(longitude: 9.999_999_999_9, latitude: -0.000_000_001), talker: "GP").fields
        #expect(fields[1...4] == ["0000.00000", "S", "01000.00000", "E"])
    }

    @Test("dates are those of the C library", arguments: [0, 951_782_400, 1_709_164_799, 4_102_444_800, -1, -86_401])
    func dates(seconds: Int) throws {
        var fix = fix()
        fix.time = UTC(nanoseconds: Int64(seconds) * 1_000_000_000)
        var time = time_t(seconds)
        var broken = tm()
        gmtime_r(&time, &broken)
        let fields = NMEASentence.zda(fix, talker: "GP").fields
        #expect(
            fields[1...3].compactMap { Int($0) } == [
                Int(broken.tm_mday), Int(broken.tm_mon) + 1, Int(broken.tm_year) + 1900,
            ])
        #expect(Int(fields[0].prefix(2)) == Int(broken.tm_hour))
    }
}
