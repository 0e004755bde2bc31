import PuckCore
import Testing

@testable import PuckGPSD

@Suite("gpsd's lines")
struct ReportDecoderTests {
    @Test("a TPV with all that is used")
    func fullPosition() throws {
        let report = try #require(position(fullTPV))
        #expect(report.device == DeviceName("/dev/ttyACM0"))
        #expect(report.time == UTC(nanoseconds: 1_714_979_289_125_000_000))
        #expect(report.mode == .threeDimensional)
        #expect(report.status == .differential)
        #expect(report.coordinate == Coordinate(longitude: -0.001545, latitude: 51.477928333))
        #expect(report.altitudeEllipsoid == 92.3)
        #expect(report.altitudeMSL == 46.9)
        #expect(report.speed == 0.257)
        #expect(report.course == Direction(84.4))
        #expect(report.eph == 5.89)
        #expect(report.epx == 3.311)
        #expect(report.epy == 4.123)
        #expect(report.epv == 9.2)
        #expect(report.baseline == nil)
    }

    @Test("a TPV with nothing says nothing")
    func barePosition() {
        #expect(position(#"{"class":"TPV","mode":1}"#) == PositionReport(device: .unnamed, mode: .none))
        #expect(position(#"{"class":"TPV","device":"/dev/x","mode":0}"#)?.mode == .unseen)
    }

    @Test("members in any order, with any spaces, with others between them")
    func anyOrder() throws {
        let line = #" { "mode" : 3 , "lat":1.5, "new":{"lat":9,"list":[1,{"lon":8}]},"lon":2.5, "class" : "TPV" } "#
        let report = try #require(position(line))
        #expect(report.mode == .threeDimensional)
        #expect(report.coordinate == Coordinate(longitude: 2.5, latitude: 1.5))
    }

    @Test("SKY: satellites are as gpsd counts them, or counted, or not known")
    func satellites() {
        let list =
            #"[{"PRN":1,"el":10.0,"az":20.0,"ss":30.0,"used":true},{"PRN":2,"used":false},{"PRN":3,"used":true}]"#
        let full = sky(#"{"class":"SKY","device":"/dev/x","hdop":1.25,"nSat":3,"uSat":2,"satellites":\#(list)}"#)
        #expect(full == SkyReport(device: DeviceName("/dev/x"), hdop: 1.25, used: 2, visible: 3))
        let counted = sky(#"{"class":"SKY","device":"/dev/x","hdop":1.25,"nSat":3,"satellites":\#(list)}"#)
        #expect(counted == full)
        #expect(sky(#"{"class":"SKY","hdop":2.00,"uSat":10}"#) == SkyReport(device: .unnamed, hdop: 2, used: 10))
        #expect(sky(#"{"class":"SKY","hdop":2.00}"#) == SkyReport(device: .unnamed, hdop: 2))
        let none = sky(#"{"class":"SKY","nSat":0,"uSat":0,"satellites":[]}"#)
        #expect(none == SkyReport(device: .unnamed, used: 0, visible: 0))
        #expect(sky(#"{"class":"SKY","hdop":99.99,"nSat":-3,"uSat":1e3}"#) == SkyReport(device: .unnamed))
    }

    @Test("SKY: a list that can't be read is not a sky without satellites")
    func unreadableSatellites() {
        for list in [#"[{"PRN":"x"}]"#, "[1,2]", #"[{"PRN":{"used":true}}]"#] {
            let report = sky(#"{"class":"SKY","hdop":1.5,"nSat":4,"satellites":\#(list)}"#)
            #expect(report == SkyReport(device: .unnamed, hdop: 1.5))
            let counted = sky(#"{"class":"SKY","hdop":1.5,"nSat":4,"uSat":2,"satellites":\#(list)}"#)
            #expect(counted == SkyReport(device: .unnamed, hdop: 1.5, used: 2, visible: 4))
        }
    }

    @Test("no line leaves anything behind for the next: each is read as if it were the first")
    func nothingIsCarriedOver() {
        let lines = [
            #"{"class":"TPV","device":"/dev/a","mode":3,"status":2,"lat":1,"lon":2,"altHAE":3,"altMSL":4,"speed":5,"#
                + #""track":6,"eph":7,"epx":8,"epy":9,"epv":10,"relH":11}"#,
            #"{"class":"TPV","mode":1}"#,
            #"{"class":"SKY","device":"/dev/b","hdop":1.5,"nSat":2,"satellites":[{"PRN":1,"used":true},{"PRN":2,"used":true}]}"#,
            #"{"class":"SKY","nSat":1,"satellites":[{"PRN":3,"used":false}]}"#, #"{"class":"SKY","nSat":4}"#,
            #"{"class":"ATT","device":"/dev/c","heading":12,"mheading":13}"#, #"{"class":"ATT"}"#,
            #"{"class":"GST","device":"/dev/d","lat":1.5,"lon":2.5,"alt":3.5}"#, #"{"class":"GST"}"#,
        ]
        for before in lines {
            for line in lines {
                var used = ReportDecoder()
                _ = used.decode(Array(before.utf8)[...])
                #expect(used.decode(Array(line.utf8)[...]) == message(line), "\(line) after \(before)")
            }
        }
    }

    @Test("GST")
    func noiseReport() {
        let line = #"{"class":"GST","device":"/dev/x","time":"2024-05-06T07:08:09Z","lat":1.5,"lon":2.5,"alt":0.0}"#
        #expect(
            noise(line)
                == NoiseReport(
                    device: DeviceName("/dev/x"), time: UTC(nanoseconds: 1_714_979_289_000_000_000), latitudeSigma: 1.5,
                    longitudeSigma: 2.5))
    }

    @Test("what is read without libgps")
    func others() {
        let version = #"{"class":"VERSION","release":"3.25","rev":"3.25","proto_major":3,"proto_minor":15}"#
        #expect(message(version) == .version(release: "3.25"))
        #expect(message(#"{"class":"WATCH","enable":true,"json":true}"#) == .watch)
        #expect(message(#"{"class":"ERROR","message":"Can't \"do\" \u00e9\\"}"#) == .error("Can't \"do\" é\\"))
        #expect(message(#"{"class":"ERROR"}"#) == .error("no message"))
        #expect(message(#"{"class":"PPS","device":"/dev/x","real_sec":1, "real_nsec":0}"#) == .ignored("PPS"))
        #expect(message(#"{"class":"IMU","device":"/dev/x","heading":12.5}"#) == .ignored("IMU"))
        #expect(message(#"{"class":"DEVICES","devices":[]}"#) == .devices([]))
    }

    @Test("DEVICE: open by a time, closed by the number 0, else known only")
    func activation() {
        let open = #"{"class":"DEVICE","path":"/dev/ttyACM0","driver":"u-blox","activated":"2024-05-06T07:08:09.000Z"}"#
        let name = DeviceName("/dev/ttyACM0")
        #expect(message(open) == .device(DeviceInfo(name: name, driver: "u-blox", activation: .active)))
        #expect(
            message(#"{"class":"DEVICE","path":"/dev/ttyACM0","activated":0}"#)
                == .device(DeviceInfo(name: name, activation: .closed)))
        #expect(
            message(#"{"class":"DEVICE","path":"/dev/ttyACM0","activated":1714979289.5}"#)
                == .device(DeviceInfo(name: name, activation: .active)))
        #expect(
            message(#"{"class":"DEVICE","path":"/dev/ttyACM0"}"#)
                == .device(DeviceInfo(name: name, activation: .unopened)))
    }

    @Test(
        "a line that is no message says what was expected",
        arguments: [
            ("", "expected '{' at byte 0"),
            ("garbage", "expected '{' at byte 0"),
            ("{", "expected '\"' at byte 1"),
            ("{}", "one class expected, 0 found"),
            ("[]", "expected '{' at byte 0"),
            (#"{"class":5}"#, "one class expected, 1 found"),
            (#"{"class":"TPV","class":"SKY"}"#, "one class expected, 2 found"),
            (#"{"class":"TPV"}"#, "TPV: a mode from 0 to 3 expected"),
            (#"{"class":"TPV","mode":4}"#, "TPV: a mode from 0 to 3 expected"),
            (#"{"class":"TPV","mode":"3"}"#, "TPV: a mode from 0 to 3 expected"),
            (#"{"class":"TPV","mode":3}{"class":"TPV","mode":3}"#, "expected nothing after the value at byte 24"),
            (#"{"class":"DEVICE","driver":"x"}"#, "DEVICE: a path expected"),
            (#"{"class":"DEVICES","devices":5}"#, "DEVICES: a list of devices expected"),
            (#"{"class":"DEVICES","devices":[5]}"#, "DEVICES: objects expected in the list"),
            (#"{"class":"DEVICES","devices":[{"class":"DEVICE"}]}"#, "DEVICES: a path expected for each"),
        ])
    func malformed(_ line: String, _ reason: String) {
        #expect(message(line) == .malformed(reason))
    }

    @Test("values out of range are unknown, and the others stay")
    func ranges() throws {
        let line = """
            {"class":"TPV","mode":3,"lat":91,"lon":10,"altHAE":1e6,"altMSL":-12001,"speed":-0.1,"track":-1,"eph":0,\
            "epx":-3,"epy":1e30,"epv":2.5,"status":99}
            """
        let report = try #require(position(line))
        var expected = PositionReport(device: .unnamed, mode: .threeDimensional)
        expected.epv = 2.5
        #expect(report == expected)
        #expect(position(#"{"class":"TPV","mode":3,"lat":1,"lon":180.1}"#)?.coordinate == nil)
        #expect(position(#"{"class":"TPV","mode":3,"lat":1,"lon":180}"#)?.coordinate?.longitude == -180)
        #expect(position(#"{"class":"TPV","mode":3,"track":360.0}"#)?.course == .north)
        #expect(position(#"{"class":"TPV","mode":3,"track":360.1}"#)?.course == nil)
        #expect(position(#"{"class":"TPV","mode":3,"speed":1030.5}"#)?.speed == nil)
        #expect(position(#"{"class":"TPV","mode":3,"speed":0.0}"#)?.speed == 0)
    }

    @Test("a time outside 1930 to 2199 is unknown")
    func years() {
        func time(_ text: String) -> UTC? { position(#"{"class":"TPV","mode":3,"time":"\#(text)"}"#)?.time }
        #expect(time("1929-12-31T23:59:59.999Z") == nil)
        #expect(time("1930-01-01T00:00:00Z") == UTC(nanoseconds: -1_262_304_000_000_000_000))
        #expect(time("2199-12-31T23:59:59.999Z") == UTC(nanoseconds: 7_258_118_399_999_000_000))
        #expect(time("2200-01-01T00:00:00Z") == nil)
    }

    @Test("a name longer than libgps keeps is not cut")
    func longName() {
        let name = "/dev/serial/by-id/" + String(repeating: "x", count: 109)
        #expect(position(#"{"class":"TPV","device":"\#(name)","mode":1}"#)?.device == DeviceName(name))
        #expect(message(#"{"class":"TPV","device":"\#(name)x","mode":1}"#) == .malformed("TPV: libgps can't read it"))
    }
}
