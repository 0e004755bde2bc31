import CGPS
import PuckCore
import Testing

@testable import PuckGPSD

/// The traps of libgps that are met line by line; those that need a connection or a clock stand with them.
@Suite("libgps traps: lines")
struct LibgpsTrapTests {
    @Test("libgps trap 1: six devices in DEVICES")
    func sixDevices() {
        let devices = (0..<6).map {
            #"{"class":"DEVICE","path":"/dev/ttyUSB\#($0)","activated":"2024-05-06T07:08:09Z"}"#
        }
        let line = #"{"class":"DEVICES","devices":[\#(devices.joined(separator: ","))]}"#
        guard case .devices(let list) = message(line) else {
            Issue.record("not read as DEVICES")
            return
        }
        #expect(list.map(\.name) == (0..<6).map { DeviceName("/dev/ttyUSB\($0)") })
        #expect(list.allSatisfy { $0.activation == .active })
    }

    @Test(
        "libgps trap 1: no line reaches gps_unpack that it does not return from",
        arguments: [
            // An error, with a class behind it that begins no object: gps_unpack tries the same place for ever.
            #"{"x":[1],"class":"TPV","mode":3}"#,
            #"{"class":"TPV","lat":"bad","y\"class":"TPV","mode":3}"#,
            #"{"class":"TPV","mode":3} "class":"TPV""#,
            #"{"class":"DEVICES","devices":[{"class":"DEVICE"},{"class":"DEVICE"},{"class":"DEVICE"},{"class":"DEVICE"}"#
                + #",{"class":"DEVICE"}]}"#,
            #"{"class":"SKY","satellites":[{"class":"SKY"},{"class":"SKY"}]}"#,
            #"{"class":"SKY","nSat":1,"satellites":[{"PRN":[1],"class":"SKY"}]}"#,
        ])
    func returns(_ line: String) {
        // Each came back: that it did is the test. None has invented anything.
        switch message(line) {
        case .report(.position(let report)): #expect(report.coordinate == nil)
        case .report(.sky(let report)): #expect(report.visible == nil && report.used == nil)
        default: break
        }
    }

    @Test("libgps trap 1: the shim itself refuses what is not its own")
    func shimRefuses() {
        let unpacker = Unpacker()
        for line in [
            #"{"class":"DEVICES","devices":[]}"#, #"{"class":"TPV","mode":1}{"class":"TPV","mode":1}"#,
            #"{"mode":1,"class":"TPV"}"#, #"{"class": "TPV","mode":1}"#, "", "{",
        ] {
            var scratch = Array(line.utf8) + [0]
            #expect(unpacker.unpack(&scratch, as: CGPS_TPV) == nil)
        }
        var scratch = Array(#"{"class":"TPV","mode":1}"#.utf8) + [0]
        #expect(unpacker.unpack(&scratch, as: CGPS_TPV)?.mode == 1)
    }

    @Test("libgps trap 3: nothing of one line is left for the next")
    func nothingLeft() {
        var decoder = ReportDecoder()
        _ = decoder.decode(bytes(fullTPV))
        #expect(decoder.decode(bytes(#"{"class":"NEWS","mode":3}"#)) == .ignored("NEWS"))
        #expect(decoder.decode(bytes("garbage")) == .malformed("expected '{' at byte 0"))
        #expect(
            decoder.decode(bytes(#"{"class":"TPV","mode":1}"#))
                == .report(.position(PositionReport(device: .unnamed, mode: .none))))
        #expect(
            decoder.decode(bytes(#"{"class":"ATT"}"#)) == .report(.attitude(AttitudeReport(device: .unnamed))))
        #expect(decoder.decode(bytes(#"{"class":"SKY"}"#)) == .report(.sky(SkyReport(device: .unnamed))))
        #expect(decoder.decode(bytes(#"{"class":"GST"}"#)) == .report(.noise(NoiseReport(device: .unnamed))))
    }

    @Test("libgps trap 7: magtrack is no course, and ATT.yaw no heading")
    func magneticTrack() {
        #expect(position(#"{"class":"TPV","mode":3,"magtrack":83.1}"#)?.course == nil)
        let mounted = attitude(#"{"class":"ATT","device":"/dev/x","yaw":12.5,"pitch":1.0,"roll":2.0}"#)
        #expect(mounted == AttitudeReport(device: DeviceName("/dev/x")))
    }

    @Test("libgps trap 7: HDT is a true heading without a time, HDM a magnetic one, RELPOSNED a baseline's")
    func headings() {
        let name = DeviceName("/dev/x")
        #expect(
            attitude(#"{"class":"ATT","device":"/dev/x","heading":341.8}"#)
                == AttitudeReport(device: name, heading: Direction(341.8)))
        let magnetic = attitude(#"{"class":"ATT","device":"/dev/x","mheading":218.634}"#)
        let baseline = position(#"{"class":"TPV","device":"/dev/x","mode":3,"relH":12.5,"relL":1.0}"#)?.baseline
        // 3.22 and 3.23 have no place for them; gpsd may be newer than libgps.
        #expect(magnetic?.heading == nil)
        #expect(magnetic?.magneticHeading == Direction(218.634))
        #expect(baseline?.heading == Direction(12.5) && baseline?.length == 1)
        for broken in ["-1", "360.5", "1e400", "\"12\"", "nan"] {
            #expect(position(#"{"class":"TPV","device":"/dev/x","mode":3,"relH":\#(broken)}"#)?.baseline == nil)
            #expect(attitude(#"{"class":"ATT","device":"/dev/x","mheading":\#(broken)}"#)?.magneticHeading == nil)
        }
        #expect(position(#"{"class":"TPV","device":"/dev/x","mode":3,"relL":1.0}"#)?.baseline == nil)
        let endless = position(#"{"class":"TPV","device":"/dev/x","mode":3,"relH":1,"relL":-4}"#)?.baseline
        #expect(endless?.heading == Direction(1) && endless?.length == nil)
    }

    @Test("gpsd 3.22: an attitude whose commas a GST has misplaced is read")
    func misplacedCommas() {
        let name = DeviceName("/dev/pts/0")
        let time = UTC(nanoseconds: 1_780_308_006_000_000_000)
        // As gpsd 3.22 wrote them, of HDT and of OHPR with GST.
        let lines = [
            (
                #"{"class":"ATT","device":"/dev/pts/0",,"time":"2026-06-01T10:00:06.000Z""heading":50.000,"dip":1.200,"#
                    + #""acc_len":1.000,"acc_x":2.000,"acc_y":1.500,"acc_z":30.000,"gyro_x":2.200,"depth":1.100}"#, 50.0
            ),
            (
                #"{"class":"ATT","device":"/dev/pts/0",,"time":"2026-06-01T10:00:06.000Z""heading":30.000,"pitch":1.00,"#
                    + #""roll":2.00,"dip":1.200,"mag_len":0.000,"temp":20.000,"depth":0.000}"#, 30.0
            ),
        ]
        for (line, heading) in lines {
            #expect(attitude(line) == AttitudeReport(device: name, time: time, heading: Direction(heading)))
        }
        let whole = lines[0].0
        // What is more than that is no attitude, and what is not whole isn't either.
        for end in whole.indices.dropFirst() { #expect(attitude(String(whole[..<end])) == nil) }
        #expect(attitude(whole.replacing("ATT", with: "SKY")) == nil)
        #expect(attitude(whole.replacing(#""dip""#, with: #",,"time":"x""dip""#)) == nil)
        #expect(attitude(whole.replacing(#"Z""heading"#, with: #"Z"heading"#)) == nil)
        #expect(attitude(#"{"class":"ATT",,"time":""#) == nil)
        #expect(attitude(#"{"class":"ATT",,"time":"""#) == nil)
    }

    @Test("an old gpsd's one altitude is above the sea; where there is a better one, that is told")
    func altitudeAlone() {
        func altitudes(_ members: String) -> [Double?] {
            let report = position(#"{"class":"TPV","device":"/dev/x","mode":3,"lat":47.1,"lon":8.2,\#(members)}"#)
            return [report?.altitudeMSL, report?.altitudeEllipsoid]
        }
        #expect(altitudes(#""alt":812.4"#) == [812.4, nil])
        #expect(altitudes(#""alt":-3.5"#) == [-3.5, nil])
        #expect(altitudes(#""alt":0"#) == [0, nil])
        #expect(altitudes(#""alt":812.4,"altMSL":812.3"#) == [812.3, nil])
        #expect(altitudes(#""altHAE":860.1,"alt":860.1"#) == [nil, 860.1])
        #expect(altitudes(#""altHAE":860.1,"altMSL":812.3,"alt":1"#) == [812.3, 860.1])
        for broken in ["1e400", "200000", "\"812\"", "nan"] { #expect(altitudes(#""alt":\#(broken)"#) == [nil, nil]) }
    }

    @Test("how a fix came about is told by its number, whatever libgps is at hand", arguments: 0...12)
    func statusNumbers(_ number: Int) {
        let report = position(#"{"class":"TPV","device":"/dev/x","mode":3,"status":\#(number),"lat":1,"lon":2}"#)
        #expect(report?.status == (FixStatus(rawValue: number) ?? .normal))
        #expect(report?.status.isEstimated == [5, 6, 8].contains(number))
    }

    @Test("magnetic variation is read, where it is one")
    func variation() {
        #expect(position(#"{"class":"TPV","mode":3,"magvar":-1.3}"#)?.magneticVariation == -1.3)
        #expect(position(#"{"class":"TPV","mode":3,"magvar":0.0}"#)?.magneticVariation == 0)
        for broken in ["181", "-1e400", "\"3\"", "nan"] {
            #expect(position(#"{"class":"TPV","mode":3,"magvar":\#(broken)}"#)?.magneticVariation == nil)
        }
    }

    @Test("libgps trap 8: eps is not read")
    func speedError() {
        #expect(
            position(#"{"class":"TPV","mode":3,"eps":0.5}"#)
                == PositionReport(device: .unnamed, mode: .threeDimensional))
    }

    @Test("libgps trap 9: velocities are no baseline, and a VERSION no heading")
    func unions() {
        #expect(
            position(#"{"class":"TPV","mode":3,"velN":1.5,"velE":2.5,"velD":3.5}"#)
                == PositionReport(device: .unnamed, mode: .threeDimensional))
        var decoder = ReportDecoder()
        for line in [
            #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#,
            #"{"class":"ERROR","message":"Unrecognized request 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'"}"#,
            #"{"class":"GST","lat":1.5,"lon":2.5,"alt":3.5}"#,
        ] {
            _ = decoder.decode(bytes(line))
            #expect(
                decoder.decode(bytes(#"{"class":"ATT","pitch":1.0}"#))
                    == .report(.attitude(AttitudeReport(device: .unnamed))))
        }
    }

    @Test("libgps trap 10: an unknown class is left out, and no error")
    func unknownClass() {
        #expect(message(#"{"class":"FUTURE","x":[1,{"y":null}]}"#) == .ignored("FUTURE"))
        let long = String(repeating: "X", count: 10_000)
        #expect(message(#"{"class":"\#(long)"}"#) == .ignored(String(repeating: "X", count: 32)))
    }

    @Test(
        "libgps trap 11: infinite, huge and unprintable numbers are unknown",
        arguments: [
            "1e400", "-1e400", "1e9999", "1e-9999", "nan", "-nan", "inf", "-inf", "NaN", "Infinity", "null", "true",
            "\"51.5\"", "[51.5]", "{\"x\":51.5}",
        ])
    func notANumber(_ value: String) throws {
        for key in ["lat", "lon"] {
            let other = key == "lat" ? "lon" : "lat"
            let line = #"{"class":"TPV","device":"/dev/x","\#(key)":\#(value),"mode":3,"\#(other)":1.5,"speed":2.5}"#
            let report = try #require(position(line), "\(line)")
            // 1e-9999 is 0, which is a number.
            if value != "1e-9999" { #expect(report.coordinate == nil) }
            #expect(report.mode == .threeDimensional)
            #expect(report.speed == 2.5, "what follows a member of the wrong kind is still read")
        }
    }

    @Test("libgps trap 11: an exponent that would overflow libgps's int is refused")
    func hugeExponent() {
        for exponent in ["2147483648", "4294967296", "99999", "-2147483648"] {
            guard case .malformed = message(#"{"class":"TPV","mode":3,"lat":1e\#(exponent),"lon":2}"#) else {
                Issue.record("taken: \(exponent)")
                return
            }
        }
    }

    @Test("libgps trap 11: a truncated line is no report, wherever it ends")
    func truncated() {
        var decoder = ReportDecoder()
        let full = Array(fullTPV.utf8)
        for length in 0..<full.count {
            guard case .malformed = decoder.decode(full.prefix(length)) else {
                Issue.record("taken: the first \(length) bytes")
                return
            }
        }
    }

    @Test("libgps trap 12: mode alone says whether there is a fix, whatever status says")
    func modeAndStatus() {
        for (status, expected) in [
            (0, FixStatus.normal), (1, .normal), (2, .differential), (3, .rtkFixed), (4, .rtkFloat),
            (5, .deadReckoning), (6, .gnssDeadReckoning), (7, .surveyed), (8, .simulated), (9, .precisePositioning),
            (10, .normal), (-1, .normal),
        ] {
            for mode in 0...3 {
                let report = position(#"{"class":"TPV","mode":\#(mode),"status":\#(status)}"#)
                #expect(report?.mode.rawValue == mode)
                #expect(report?.status == expected)
            }
        }
    }

    @Test("libgps trap 14: a line of 30,000 bytes is read")
    func longLine() {
        let satellites = (1...120).map { prn in
            #"{"PRN":\#(prn),"el":45.0,"az":120.0,"ss":33.0,"used":\#(prn % 2 == 0),"gnssid":0,"svid":\#(prn),"#
                + #""health":1,"note":"\#(String(repeating: "x", count: 150))"}"#
        }
        let line = #"{"class":"SKY","nSat":120,"uSat":60,"satellites":[\#(satellites.joined(separator: ","))]}"#
        #expect(line.utf8.count > 25_000)
        #expect(sky(line) == SkyReport(device: .unnamed, used: 60, visible: 120))
    }

    @Test("libgps trap 15: a fix may lack position, altitude, error, speed and track")
    func lackingFix() {
        #expect(
            position(#"{"class":"TPV","device":"/dev/x","mode":3,"time":"2024-05-06T07:08:09.000Z"}"#)
                == PositionReport(
                    device: DeviceName("/dev/x"), time: UTC(nanoseconds: 1_714_979_289_000_000_000),
                    mode: .threeDimensional))
    }

    @Test(
        "libgps trap 18: nothing is required of VERSION's protocol",
        arguments: [
            #""proto_major":3,"proto_minor":14"#, #""proto_major":0,"proto_minor":16"#,
            #""proto_major":16,"proto_minor":1"#, #""proto_major":"x""#, #""proto_minor":{}"#,
        ])
    func anyProtocol(_ proto: String) {
        #expect(message(#"{"class":"VERSION","release":"3.27.5",\#(proto)}"#) == .version(release: "3.27.5"))
    }
}
