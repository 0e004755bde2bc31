import PuckCore
import PuckTestKit
import PuckWire
import Testing

/// What receivers in the field do, played through `puckd replay`: each input is of this project's own making.
@Suite struct FieldCasesTests {
    private static let start: Int64 = 1_788_264_000  // 2026-09-01T12:00:00Z

    private func frames(_ lines: [String]) throws -> [Frame] {
        let directory = try TestDirectory()
        let file = try directory.write(lines.joined(separator: "\n") + "\n", to: "case.json")
        let program = try TestProcess(
            builtProgram("puckd"), ["replay", "--view", "followWithHeading", file], output: .lines)
        let output = program.lines?.all(within: 30) ?? []
        #expect(try program.waitForEnd() == .exited(0))
        return try output.compactMap { line in
            if case .frame(let frame) = try PuckdClient.decode(line) { frame } else { nil }
        }
    }

    /// A line that arrived so long after the start, or by a host that started in 1970.
    private func stamp(_ seconds: Double, hostSet: Bool = true) -> String {
        let whole = (hostSet ? Self.start : 60) + Int64(seconds)
        let millionths = Int64((seconds - seconds.rounded(.down)) * 1e6)
        return "\(whole).\(String(repeating: "0", count: 6 - "\(millionths)".count))\(millionths): "
    }

    /// A ship that goes north at 4 m/s; `date` is what its receiver takes for the day.
    private func ship(_ second: Int, date: String = "2026-09-01", more: String = "") -> String {
        let latitude = 60.1 + 4 * Double(second) / 111_320
        let (minutes, seconds) = (second / 60, second % 60)
        let time = "\(date)T12:\(minutes < 10 ? "0" : "")\(minutes):\(seconds < 10 ? "0" : "")\(seconds).000Z"
        return #"{"class":"TPV","device":"/dev/ttyS1","mode":3,"time":"\#(time)","lat":\#(latitude),"lon":22.2,"#
            + #""speed":4.0,"track":0.0,"eph":7.5\#(more)}"#
    }

    @Test(
        "a week rollover: the ship is shown, and its date is mended",
        arguments: ["2007-01-16", "1987-06-02", "1967-10-17"])
    func weekRollover(_ date: String) throws {
        let frames = try frames((0..<40).map { stamp(Double($0) + 0.2) + ship($0, date: date) })
        #expect(frames.count >= 39)
        for frame in frames {
            let puck = try #require(frame.puck)
            #expect(puck.state == .live)
            let off = try #require(puck.fixTime).seconds(since: frame.moment.utc)
            #expect(off <= 0 && off > -1.3)
        }
    }

    @Test("a week rollover on a host whose clock is set in the middle: no gap, and the date comes with the clock")
    func clockSetLate() throws {
        let frames = try frames(
            (0..<40).map { stamp(Double($0) + 0.2, hostSet: $0 >= 15) + ship($0, date: "2007-01-16") })
        #expect(frames.count >= 39)
        for (a, b) in zip(frames, frames.dropFirst()) {
            let (p, q) = (try #require(a.puck), try #require(b.puck))
            #expect(p.state == .live && q.state == .live)
            #expect(b.moment.monotonic.seconds(since: a.moment.monotonic) < 1.5)
            #expect(q.coordinate.latitude > p.coordinate.latitude)
        }
        for frame in frames {
            let isSet = frame.moment.utc.seconds > 1e9
            #expect((frame.puck?.fixTime != nil) == isSet)
        }
        #expect(frames.contains { $0.puck?.fixTime != nil } && frames.contains { $0.puck?.fixTime == nil })
    }

    @Test("an old gpsd's altitude")
    func altitudeAlone() throws {
        let puck = try frames((0..<5).map { ship($0, more: #","alt":812.4"#) }).last?.puck
        #expect(puck?.altitudeMSL == 812.4 && puck?.altitude == nil)
    }

    @Test(
        "a compass on the receiver's device, and on another", arguments: ["/dev/ttyS1", "/dev/ttyS7"], [false, true])
    func compass(_ device: String, _ isListedFirst: Bool) throws {
        let names = isListedFirst ? [device, "/dev/ttyS1"] : ["/dev/ttyS1", device]
        let list = (names[0] == names[1] ? [names[0]] : names).map {
            #"{"class":"DEVICE","path":"\#($0)","driver":"NMEA0183","activated":"2026-09-01T11:59:00.000Z"}"#
        }
        var lines = [stamp(0) + #"{"class":"DEVICES","devices":["# + list.joined(separator: ",") + "]}"]
        for second in 1..<20 {
            lines.append(stamp(Double(second) + 0.1) + ship(second))
            for part in 0..<4 {
                let heading = 47 + 0.1 * Double(part % 2)
                lines.append(
                    stamp(Double(second) + 0.15 + 0.2 * Double(part))
                        + #"{"class":"ATT","device":"\#(device)","heading":\#(heading)}"#)
            }
        }
        let frame = try #require(try frames(lines).last)
        #expect(frame.puck?.heading.map { abs($0.degrees - 47.05) < 0.2 } == true)
        #expect(frame.puck?.bearingSource == .heading && frame.puck?.northReference == .true)
        #expect(frame.camera?.bearing == frame.puck?.bearing?.degrees)
    }

    @Test("a magnetic compass, with the variation and without", arguments: [11.5, -14.25, nil])
    func magnetic(_ variation: Double?) throws {
        let more = variation.map { #","magvar":\#($0)"# } ?? ""
        let lines = (0..<8).flatMap { second -> [String] in
            [ship(second, more: more), #"{"class":"ATT","device":"/dev/ttyS1","mheading":5.0}"#]
        }
        let puck = try #require(try frames(lines).last?.puck)
        let expected = variation.map { $0 + 5 < 0 ? $0 + 365 : $0 + 5 } ?? 5
        #expect(puck.heading?.degrees == expected && puck.bearing?.degrees == expected)
        #expect(puck.northReference == (variation == nil ? .magnetic : .true))
    }

    @Test("the line to a fixed base is no heading; one between two antennas is")
    func baseline() throws {
        func last(_ length: (Int) -> Double) throws -> Puck? {
            try frames(
                (0..<30).map { stamp(Double($0) + 0.1) + ship($0, more: #","relH":133.5,"relL":\#(length($0))"#) }
            ).last?.puck
        }
        let base = try last { 2_900 - 4 * Double($0) }
        #expect(base?.heading == nil && base?.bearingSource == .course && base?.bearing?.degrees == 0)
        let antennas = try last { _ in 1.85 }
        #expect(antennas?.bearingSource == .heading && antennas?.heading?.degrees == 133.5)
    }

    @Test("dead reckoning is marked, and its circle grows")
    func deadReckoning() throws {
        let frames = try frames(
            (0..<180).map { stamp(Double($0) + 0.1) + ship($0, more: $0 < 30 ? "" : #","status":5"#) })
        let pucks = frames.compactMap(\.puck)
        #expect(!pucks[..<29].contains { $0.estimated } && pucks[35...].allSatisfy { $0.estimated })
        #expect(try #require(pucks.last?.accuracy) > (try #require(pucks[28].accuracy)) + 40)
    }
}
