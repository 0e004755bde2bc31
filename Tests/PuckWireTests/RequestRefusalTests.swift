import PuckCore
import Testing

@testable import PuckWire

@Suite("Requests that are refused, and violations")
struct RequestRefusalTests {
    /// A line, and what it is answered with.
    struct Case: CustomTestStringConvertible, Sendable {
        let line: String
        let code: ErrorCode
        let field: String?
        init(_ line: String, _ code: ErrorCode, _ field: String? = nil) {
            self.line = line
            self.code = code
            self.field = field
        }
        var testDescription: String { "\(code.rawValue) \(line.prefix(60))" }
    }

    private func failure(_ bytes: [UInt8]) -> RequestFailure? {
        guard case .failure(let failure) = RequestDecoder.decode(bytes) else { return nil }
        return failure
    }
    private func failure(_ line: String) -> RequestFailure? { failure(Array(line.utf8)) }

    @Test("names are the same if their bytes are, whatever Unicode makes of them")
    func names() {
        // e with an accent, as one character and as two.
        let twice = failure("{\"type\":\"ping\",\"\u{E9}\":1,\"e\u{301}\":2}")
        #expect(twice?.code == .unknownField)
        #expect(failure("{\"type\":\"ping\",\"e\u{301}\":1,\"e\u{301}\":2}")?.code == .badValue)
    }

    /// Where a text of thousands of accents on one letter can be put. Swift compares such texts in a time that grows with the
    /// square of their length.
    static let places = [
        #"{"type":"*"}"#, #"{"type":"ping","*":1}"#, #"{"type":"ping","*":1,"a*":1}"#, #"{"type":"ping","*":1,"*":1}"#,
        #"{"*":1,"id":1,"type":"ping","id":2}"#, #"{"type":"subscribe","rate":"*"}"#,
        #"{"type":"subscribe","include":["*"]}"#, #"{"type":"subscribe","view":"*"}"#,
        #"{"type":"subscribe","bearing":"*"}"#,
        #"{"type":"accuracy","mode":"*"}"#, #"{"type":"accuracy","mode":"precise","scope":"*"}"#,
        #"{"type":"track","mode":"*"}"#, #"{"type":"follow","transition":"*"}"#, #"{"type":"follow","bearing":"*"}"#,
        #"{"type":"fly","camera":{},"curve":"*"}"#, #"{"type":"fly","camera":{"*":1}}"#,
        #"{"type":"gesture","kind":"*","phase":"*"}"#, #"{"type":"requestPrecise","purpose":"*"}"#,
        #"{"type":"marker","marker":"*","position":[1,2]}"#, #"{"type":"ping","id":"*"}"#,
        #"{"type":"overview","geometry":{"type":"*"}}"#, #"{"type":"overview","geometry":{"*":1,"type":"Point"}}"#,
    ]

    @Test("a text of thousands of accents costs about what one of as many letters does", arguments: places)
    func accents(place: String) {
        func seconds(_ text: String) -> Double {
            let parts = place.split(separator: "*", omittingEmptySubsequences: false)
            let line = Array(parts.joined(separator: text).utf8)
            let time = ContinuousClock().measure { _ = RequestDecoder.decode(line) }
            return Double(time.components.attoseconds) / 1e18 + Double(time.components.seconds)
        }
        // Of more than one class, and so out of order.
        let accents = String(repeating: "\u{301}\u{323}\u{31B}\u{327}", count: 1_800)
        let letters = String(repeating: "x", count: accents.utf8.count)
        let plain = (0..<3).map { _ in seconds(letters) }.max() ?? 0
        // A hundred times as long, before.
        #expect((0..<3).map { _ in seconds("a" + accents) }.min() ?? 0 < 10 * plain + 0.05)
    }

    @Test(
        "the code, and the field",
        arguments: [
            Case(#"{}"#, .missingField, "type"),
            Case(#"{"type":null}"#, .badValue, "type"),
            Case(#"{"type":["ping"]}"#, .badValue, "type"),
            Case(#"{"type":"Ping"}"#, .unknownType, "type"),
            Case(#"{"type":""}"#, .unknownType, "type"),
            Case(#"{"type":"hello"}"#, .unknownType, "type"),
            Case(#"{"type":"ping","x":1}"#, .unknownField, "x"),
            Case(#"{"type":"ping","view":"map"}"#, .unknownField, "view"),
            Case(#"{"type":"ping","id":null}"#, .badValue, "id"),
            Case(#"{"type":"ping","id":[1]}"#, .badValue, "id"),
            Case(#"{"type":"subscribe","include":"puck"}"#, .badValue, "include"),
            Case(#"{"type":"subscribe","include":[]}"#, .badValue, "include"),
            Case(#"{"type":"subscribe","include":["puck","cam"]}"#, .badValue, "include"),
            Case(#"{"type":"subscribe","include":["puck",1]}"#, .badValue, "include"),
            Case(#"{"type":"subscribe","rate":0.99}"#, .badValue, "rate"),
            Case(#"{"type":"subscribe","rate":120.1}"#, .badValue, "rate"),
            Case(#"{"type":"subscribe","rate":1e400}"#, .badValue, "rate"),
            Case(#"{"type":"subscribe","rate":"10"}"#, .badValue, "rate"),
            Case(#"{"type":"subscribe","rate":null}"#, .badValue, "rate"),
            Case(#"{"type":"subscribe","accuracy":"Precise"}"#, .badValue, "accuracy"),
            Case(#"{"type":"subscribe","minDistance":-1}"#, .badValue, "minDistance"),
            Case(#"{"type":"subscribe","view":"\u0000"}"#, .badValue, "view"),
            Case(#"{"type":"subscribe","view":null}"#, .badValue, "view"),
            Case(#"{"type":"accuracy"}"#, .missingField, "mode"),
            Case(#"{"type":"accuracy","mode":"precise","scope":"all"}"#, .badValue, "scope"),
            Case(#"{"type":"requestPrecise"}"#, .missingField, "purpose"),
            Case(#"{"type":"requestPrecise","purpose":""}"#, .badValue, "purpose"),
            Case(#"{"type":"track"}"#, .missingField, "mode"),
            Case(#"{"type":"track","mode":"Follow"}"#, .badValue, "mode"),
            Case(#"{"type":"track","mode":null}"#, .badValue, "mode"),
            Case(#"{"type":"follow","zoom":24.1}"#, .badValue, "zoom"),
            Case(#"{"type":"follow","bearing":-1}"#, .badValue, "bearing"),
            Case(#"{"type":"follow","bearing":360.001}"#, .badValue, "bearing"),
            Case(#"{"type":"follow","bearing":"held"}"#, .badValue, "bearing"),
            Case(#"{"type":"follow","padding":{"top":-1}}"#, .badValue, "padding.top"),
            Case(#"{"type":"follow","padding":{"top":null}}"#, .badValue, "padding.top"),
            Case(#"{"type":"follow","padding":10}"#, .badValue, "padding"),
            Case(#"{"type":"follow","padding":{"up":1}}"#, .unknownField, "padding.up"),
            Case(#"{"type":"follow","transition":null}"#, .badValue, "transition"),
            Case(#"{"type":"ease"}"#, .missingField, "camera"),
            Case(#"{"type":"ease","camera":{}}"#, .badValue, "camera"),
            Case(#"{"type":"ease","camera":{"zoom":null}}"#, .badValue, "camera.zoom"),
            Case(#"{"type":"ease","camera":{"center":{"lng":1,"lat":2}}}"#, .badValue, "camera.center"),
            Case(#"{"type":"ease","camera":{"center":[1,2,3]}}"#, .badValue, "camera.center"),
            Case(#"{"type":"ease","camera":{"center":[1]}}"#, .badValue, "camera.center"),
            Case(#"{"type":"ease","camera":{"center":[180.5,2]}}"#, .badValue, "camera.center"),
            Case(#"{"type":"ease","camera":{"center":[1,"2"]}}"#, .badValue, "camera.center"),
            Case(#"{"type":"ease","camera":{"zoom":1},"duration":3601}"#, .badValue, "duration"),
            Case(#"{"type":"ease","camera":{"zoom":1},"curve":"ease"}"#, .badValue, "curve"),
            Case(#"{"type":"ease","camera":{"zoom":1},"curve":[0,0,1]}"#, .badValue, "curve"),
            Case(#"{"type":"ease","camera":{"zoom":1},"curve":[0,0,1.1,1]}"#, .badValue, "curve"),
            Case(#"{"type":"ease","camera":{"zoom":1},"curve":[0,0,1,1,1]}"#, .badValue, "curve"),
            Case(#"{"type":"gesture","kind":"pan"}"#, .missingField, "phase"),
            Case(#"{"type":"gesture","kind":"swipe","phase":"began"}"#, .badValue, "kind"),
            Case(#"{"type":"viewport","width":0,"height":1}"#, .badValue, "width"),
            Case(#"{"type":"viewport","width":1}"#, .missingField, "height"),
            Case(#"{"type":"viewport","width":1,"height":1,"fov":0}"#, .badValue, "fov"),
            Case(#"{"type":"place","position":[0,90.1]}"#, .badValue, "position"),
            Case(#"{"type":"place","position":[0,0],"speed":-1}"#, .badValue, "speed"),
            Case(#"{"type":"place","position":[0,0],"heading":655.35}"#, .badValue, "heading"),
            Case(#"{"type":"place"}"#, .missingField, "position"),
            Case(#"{"type":"place","monotonic":5}"#, .missingField, "position"),
            Case(#"{"type":"place","heading":5,"speed":1}"#, .missingField, "position"),
            Case(#"{"type":"place","pitch":5,"altitude":1}"#, .missingField, "position"),
            Case(#"{"type":"place","position":[0,0],"headingAccuracy":1}"#, .missingField, "heading"),
            Case(#"{"type":"place","roll":1,"headingAccuracy":1}"#, .missingField, "heading"),
            Case(#"{"type":"place","pitch":90.1}"#, .badValue, "pitch"),
            Case(#"{"type":"place","roll":-180.1}"#, .badValue, "roll"),
            Case(#"{"type":"place","heading":1,"monotonic":-1}"#, .badValue, "monotonic"),
            Case(#"{"type":"place","heading":1,"monotonic":1e300}"#, .badValue, "monotonic"),
            Case(#"{"type":"place","heading":1,"monotonic":"now"}"#, .badValue, "monotonic"),
            Case(#"{"type":"marker","position":[0,0]}"#, .missingField, "marker"),
            Case(#"{"type":"marker","marker":"","position":[0,0]}"#, .badValue, "marker"),
            Case(#"{"type":"marker","marker":"a\nb","position":[0,0]}"#, .badValue, "marker"),
            Case(#"{"type":"removeMarker","marker":7}"#, .badValue, "marker"),
            Case(#"{"type":"ping","type":"ping"}"#, .badValue, "type"),
            Case(#"{"type":"follow","padding":{"top":1,"top":2}}"#, .badValue),
            Case(#"{"type":"requestPrecise","purpose":"\ud800"}"#, .badValue),
        ])
    func refusals(_ expected: Case) {
        let failure = failure(expected.line)
        #expect(failure?.code == expected.code)
        #expect(failure?.field == expected.field)
        #expect(failure?.isViolation == false)
    }

    @Test(
        "geometries",
        arguments: [
            Case(#"7"#, .badValue, "geometry"),
            Case(#"{}"#, .missingField, "geometry.type"),
            Case(#"{"type":"Line"}"#, .badValue, "geometry.type"),
            Case(#"{"type":7}"#, .badValue, "geometry.type"),
            Case(#"{"type":"Point"}"#, .missingField, "geometry.coordinates"),
            Case(#"{"type":"Point","coordinates":[]}"#, .badValue, "geometry.coordinates"),
            Case(#"{"type":"Point","coordinates":[1,2,3,4]}"#, .badValue, "geometry.coordinates"),
            Case(#"{"type":"Point","coordinates":[1,2,null]}"#, .badValue, "geometry.coordinates"),
            Case(#"{"type":"Point","coordinates":[190,2]}"#, .badValue, "geometry.coordinates"),
            Case(#"{"type":"MultiPoint","coordinates":[]}"#, .badValue, "geometry"),
            Case(#"{"type":"LineString","coordinates":[[1,2],[3]]}"#, .badValue, "geometry.coordinates[1]"),
            Case(#"{"type":"Polygon","coordinates":[[[1,2]],[[1,2],7]]}"#, .badValue, "geometry.coordinates[1][1]"),
            Case(#"{"type":"MultiPolygon","coordinates":[[[1,2]]]}"#, .badValue, "geometry.coordinates[0][0][0]"),
            Case(#"{"type":"Feature"}"#, .missingField, "geometry.geometry"),
            Case(#"{"type":"Feature","geometry":null}"#, .badValue, "geometry"),
            Case(
                #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point"}}]}"#,
                .missingField, "geometry.features[0].geometry.coordinates"),
            Case(#"{"type":"GeometryCollection","geometries":{}}"#, .badValue, "geometry.geometries"),
        ])
    func geometries(_ expected: Case) {
        let failure = failure(#"{"type":"overview","geometry":\#(expected.line)}"#)
        #expect(failure?.code == expected.code)
        #expect(failure?.field == expected.field)
    }

    @Test("GeoJSON of every type is taken, with members that are not ours")
    func goodGeometries() throws {
        let geometry = """
            {"type":"FeatureCollection","bbox":[0,0,1,1],"features":[{"type":"Feature","id":7,"properties":{"a":null},"geometry":\
            {"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,1]},\
            {"type":"MultiPoint","coordinates":[[2,2]]},{"type":"LineString","coordinates":[[3,3,100]]},\
            {"type":"MultiLineString","coordinates":[[[4,4]],[]]},{"type":"Polygon","coordinates":[[[5,5]]]},\
            {"type":"MultiPolygon","coordinates":[[[[6,6],[180,7]]]]}]}},{"type":"Feature","geometry":null}]}
            """
        let envelope = try RequestDecoder.decode(Array(#"{"type":"overview","geometry":\#(geometry)}"#.utf8)).get()
        let coordinates = [1, 2, 3, 4, 5, 6].map { Coordinate(wrappingLongitude: $0, clampingLatitude: $0) }
        let last = Coordinate(wrappingLongitude: -180, clampingLatitude: 7)
        let options = OverviewOptions(geometry: ViewGeometry(coordinates: coordinates + [last]))
        #expect(envelope.request == .view(name: nil, .overview(options)))
    }

    @Test("as many positions as a geometry may have, and one more")
    func positions() {
        func line(_ count: Int) -> String {
            let positions = repeatElement("[0,0]", count: count).joined(separator: ",")
            return #"{"type":"overview","geometry":{"type":"MultiPoint","coordinates":[\#(positions)]}}"#
        }
        #expect(failure(line(WireLimits.positions)) == nil)
        let failure = failure(line(WireLimits.positions + 1))
        #expect(failure?.code == .tooMany)
        #expect(failure?.field == "geometry.coordinates[4096]")
    }

    @Test(
        "violations",
        arguments: [
            Case("", .badJSON), Case("ping", .badJSON), Case("42", .badJSON), Case("[]", .badJSON),
            Case("null", .badJSON),
            Case("\"ping\"", .badJSON), Case(#"{"type":"ping""#, .badJSON), Case(#"{"type":"ping"}}"#, .badJSON),
            Case("\u{FEFF}{\"type\":\"ping\"}", .badJSON), Case("{\"type\":\"ping\"}\u{0}", .badJSON),
            Case(#"{"type":"ping","id":NaN}"#, .badJSON), Case(#"{"type":"subscribe","rate":01}"#, .badJSON),
        ])
    func violations(_ expected: Case) {
        let failure = failure(expected.line)
        #expect(failure?.code == expected.code)
        #expect(failure?.isViolation == true)
        #expect(failure?.id == nil)
    }

    @Test(
        "bytes that are not UTF-8",
        arguments: [
            [0xFF], [0xC3, 0x28], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82],
        ] as [[UInt8]])
    func encoding(bytes: [UInt8]) {
        let line = Array(#"{"type":"ping","id":""#.utf8) + bytes + Array(#""}"#.utf8)
        #expect(failure(line)?.code == .badEncoding)
    }

    @Test("an id is echoed as far as it can be read, and exactly")
    func ids() {
        #expect(failure(#"{"id":1.50,"type":"x"}"#)?.id == .number("1.50"))
        #expect(failure(#"{"type":"x","id":"é\n"}"#)?.id == .string("é\n"))
        #expect(failure(#"{"type":"x","id":1e999}"#)?.id == .number("1e999"))
        #expect(failure(#"{"type":"x","id":1,"id":1}"#)?.id == nil)
        #expect(failure(#"{"type":"x","id":"\ud800"}"#)?.id == nil)
        let longest = String(repeating: "é", count: WireLimits.identifier / 2)
        #expect(failure(#"{"type":"x","id":"\#(longest)"}"#)?.id == .string(longest))
        #expect(failure(#"{"type":"ping","id":"\#(longest)x"}"#)?.field == "id")
        #expect(
            failure(#"{"type":"ping","id":1\#(String(repeating: "0", count: WireLimits.identifier))}"#)?.field == "id")
    }

    @Test(
        "the nearest name is named",
        arguments: [
            ("trak", "track"), ("subscibe", "subscribe"), ("Ping", "ping"), ("remove-marker", "removeMarker"),
            ("statsu", "status"),
        ])
    func nearest(typed: String, meant: String) {
        #expect(failure(#"{"type":"\#(typed)"}"#)?.message.hasSuffix("; did you mean \"\(meant)\"?") == true)
    }

    @Test("what is echoed of a long line is short")
    func shortMessages() throws {
        let long = String(repeating: "e\u{301}\u{302}", count: 10_000)
        for line in [
            #"{"type":"\#(long)"}"#, #"{"type":"ping","\#(long)":1}"#, #"{"type":"track","mode":"\#(long)"}"#,
            #"{"type":"subscribe","rate":1\#(String(repeating: "0", count: 60_000))}"#,
            #"{"type":"ping","\#(long)":1,"\#(long)":2}"#,
        ] {
            let failure = try #require(self.failure(line))
            #expect(failure.message.utf8.count < 400)
            #expect((failure.field ?? "").utf8.count < 400)
        }
    }

    @Test("bounds that are in: 360° is north, 180° is -180°, and names of the longest length")
    func bounds() throws {
        func request(_ line: String) throws -> Request { try RequestDecoder.decode(Array(line.utf8)).get().request }
        let camera = Camera(
            center: Coordinate(wrappingLongitude: -180, clampingLatitude: 90), zoom: 24, bearing: 0, pitch: 85)
        #expect(
            try request(#"{"type":"fly","camera":{"center":[180,90],"zoom":24,"bearing":360,"pitch":85}}"#)
                == .view(name: nil, .fly(camera, duration: nil, curve: nil)))
        let name = String(repeating: "n", count: WireLimits.name)
        #expect(try request(#"{"type":"idle","view":"\#(name)"}"#) == .view(name: name, .idle))
        #expect(failure(#"{"type":"idle","view":"\#(name)n"}"#)?.field == "view")
        #expect(try request(#"{"type":"idle","view":""}"#) == .view(name: nil, .idle))
    }

    @Test("a number that is not finite is refused by name, and never turns into null")
    func notFinite() {
        var options = FollowOptions()
        options.zoom = .set(.nan)
        let line = RequestEncoder.line(Envelope(.view(name: nil, .follow(options, transition: .default))))
        #expect(failure(Array(line.dropLast()))?.field == "zoom")
    }
}
