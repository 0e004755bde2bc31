import PuckCore
import Testing

@testable import PuckWire

@Suite("Frames on the wire")
struct FrameEncoderTests {
    static let moment = Moment(
        monotonic: Instant(nanoseconds: 123_456_789_012_345), utc: UTC(nanoseconds: 1_772_282_096_912_345_678))
    static let place = Coordinate(wrappingLongitude: 11.576_123_456_78, clampingLatitude: 48.137_212_345_67)

    /// A puck with every field set.
    static func fullPuck(_ mode: AccuracyMode) -> Puck {
        var puck = Puck(state: .live, accuracyMode: mode, coordinate: place, accuracy: 3.214_56)
        puck.altitude = 567.891_234
        puck.altitudeMSL = 520.1
        puck.altitudeAccuracy = 6.5
        puck.speed = 13.892_1
        puck.speedAccuracy = 0.25
        puck.course = Direction(123.456_789)
        puck.courseAccuracy = 1.5
        puck.heading = Direction(120)
        puck.headingAccuracy = 2
        puck.northReference = .magnetic
        puck.bearing = Direction(359.999_9)
        puck.bearingSource = .heading
        puck.stationary = false
        puck.discontinuity = true
        puck.fixTime = UTC(nanoseconds: 1_772_282_096_789_000_000)
        puck.age = 0.123_456
        return puck
    }

    /// An approximate frame as its stage makes it.
    static let approximateFrame = Frame(
        sequence: 5,
        moment: Moment(
            monotonic: Instant(nanoseconds: 123_180_000_000_000), utc: UTC(nanoseconds: 1_772_282_040_000_000_000)),
        view: "",
        puck: Puck(
            state: .stale, accuracyMode: .approximate,
            coordinate: Coordinate(wrappingLongitude: 11.5, clampingLatitude: 48.125), accuracy: 5_000))

    static func text(_ frame: Frame, for accuracy: AccuracyMode) -> String {
        var bytes: [UInt8] = []
        FrameEncoder.append(frame, for: accuracy, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("a precise frame, field by field")
    func precise() {
        var frame = Frame(sequence: 7, moment: Self.moment, view: "map", puck: Self.fullPuck(.precise))
        frame.camera = Camera(
            center: Self.place, zoom: 16.351_234_5, bearing: 0, pitch: 45, padding: Padding(bottom: 9.5))
        frame.markers = [
            Marker(name: "a \"bus\"", coordinate: Self.place, moving: true),
            Marker(name: "b", coordinate: Self.place, moving: false),
        ]
        let expected =
            #"{"type":"frame","seq":7,"time":"2026-02-28T12:34:56.912Z","monotonic":123456.789012,"view":"map","#
            + #""puck":{"state":"live","accuracyMode":"precise","position":[11.576123457,48.137212346],"accuracy":3.215,"#
            + #""altitude":567.891,"altitudeMSL":520.1,"altitudeAccuracy":6.5,"speed":13.892,"speedAccuracy":0.25,"#
            + #""course":123.457,"courseAccuracy":1.5,"heading":120,"headingAccuracy":2,"northReference":"magnetic","#
            + #""bearing":0,"bearingSource":"heading","stationary":false,"discontinuity":true,"#
            + #""fixTime":"2026-02-28T12:34:56.789Z","age":0.123},"#
            + #""camera":{"center":[11.576123457,48.137212346],"zoom":16.35123,"bearing":0,"pitch":45,"#
            + #""padding":{"top":0,"left":0,"bottom":9.5,"right":0}},"#
            + #""markers":[{"marker":"a \"bus\"","position":[11.576123457,48.137212346],"moving":true},"#
            + #"{"marker":"b","position":[11.576123457,48.137212346]}]}"# + "\n"
        #expect(Self.text(frame, for: .precise) == expected)
    }

    @Test(
        "one body is the line of each who gets it, under a number of its own", arguments: [0, 9, 10, 4_711, UInt64.max])
    func lineOfEach(sequence: UInt64) {
        var line = FrameLine()
        for view in ["a longer name", "b"] {
            let frame = Frame(sequence: sequence, moment: Self.moment, view: view, puck: Self.fullPuck(.precise))
            var body: [UInt8] = []
            FrameEncoder.appendBody(frame, for: .precise, to: &body)
            line.hold(body)
            for number in [sequence, 1, sequence] {
                var text = ""
                line.withLine(numbered: number) { text = String(decoding: $0, as: UTF8.self) }
                #expect(text == #"{"type":"frame","seq":\#(number),"# + String(decoding: body, as: UTF8.self))
            }
        }
    }

    @Test("of an approximate puck nothing goes out but what is allowed, whatever is set")
    func approximate() {
        let puck = Self.fullPuck(.approximate)
        let frame = Frame(
            sequence: 1, moment: Self.moment, view: "", puck: puck, camera: Camera(center: Self.place, zoom: 10))
        let expected =
            #"{"type":"frame","seq":1,"time":"2026-02-28T12:34:00.000Z","monotonic":123420,"view":"","#
            + #""puck":{"state":"live","accuracyMode":"approximate","position":[11.57612,48.13721],"accuracy":3.215},"#
            + #""camera":{"center":[11.57612,48.13721],"zoom":10}}"# + "\n"
        #expect(Self.text(frame, for: .approximate) == expected)
        #expect(Self.text(frame, for: .precise) == expected, "an approximate puck is never told as more")
    }

    @Test("an approximate puck is live or stale", arguments: [PuckState.predicted, .stale])
    func approximateState(state: PuckState) {
        var puck = Self.fullPuck(.approximate)
        puck.state = state
        let frame = Frame(sequence: 1, moment: Self.moment, view: "", puck: puck)
        #expect(Self.text(frame, for: .approximate).contains(#""state":"stale","#))
    }

    @Test("a precise puck never goes to an approximate client")
    func preciseToApproximate() {
        let frame = Frame(sequence: 1, moment: Self.moment, view: "", puck: Self.fullPuck(.precise))
        #expect(
            Self.text(frame, for: .approximate)
                == #"{"type":"frame","seq":1,"time":"2026-02-28T12:34:00.000Z","monotonic":123420,"view":""}"# + "\n")
    }

    @Test("what is not a number is absent")
    func notANumber() {
        var puck = Puck(state: .live, accuracyMode: .precise, coordinate: Self.place, accuracy: 1)
        puck.speed = .nan
        puck.altitude = -.infinity
        puck.age = 1e300
        let frame = Frame(
            sequence: 1, moment: Self.moment, view: "", puck: puck, camera: Camera(zoom: .nan, bearing: .infinity))
        let text = Self.text(frame, for: .precise)
        #expect(text.hasSuffix(#""position":[11.576123457,48.137212346],"accuracy":1},"camera":{}}"# + "\n"))
        puck.accuracy = .nan
        let without = Frame(sequence: 1, moment: Self.moment, view: "", puck: puck)
        #expect(!Self.text(without, for: .precise).contains("puck"), "a puck without its accuracy is none")
    }

    @Test("P5 a longitude that rounds to 180° is told as -180°")
    func antimeridian() {
        let east = Coordinate(wrappingLongitude: 179.999_999_999_9, clampingLatitude: -90)
        let puck = Puck(state: .live, accuracyMode: .precise, coordinate: east, accuracy: 1)
        let frame = Frame(sequence: 1, moment: Self.moment, view: "", puck: puck)
        #expect(Self.text(frame, for: .precise).contains(#""position":[-180,-90]"#))
    }
}
