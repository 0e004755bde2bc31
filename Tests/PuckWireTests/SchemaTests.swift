import PuckCore
import PuckTestKit
import PuckText
import Testing

@testable import PuckWire

@Suite("docs/protocol.schema.json")
struct SchemaTests {
    let schema: JSONSchema
    init() throws { schema = try JSONSchema.ofProtocol() }

    /// The definition of a request in the schema.
    private func definition(_ type: RequestType) -> JSONDocument? {
        schema.definition(type == .accuracy ? "accuracyRequest" : type.rawValue)
    }

    @Test("has the fields of each request that the decoder has", arguments: RequestType.allCases)
    func fields(type: RequestType) {
        #expect(definition(type)?["properties"]?.names == Set(type.fields + ["type", "id"]))
        #expect(definition(type)?["properties"]?["type"]?["const"] == .string(type.rawValue))
    }

    @Test("has every code, and every word")
    func words() {
        func words(_ definition: String, _ property: String) -> Set<String> {
            Set(
                schema.definition(definition)?["properties"]?[property]?["enum"]?.elements.compactMap(\.string) ?? [])
        }
        #expect(words("error", "code") == Set(ErrorCode.allCases.map(\.rawValue)))
        #expect(words("source", "state") == Set(SourceState.allCases.map(\.rawValue)))
        #expect(words("authorization", "reason") == Set(AuthorizationReason.allCases.map(\.rawValue)))
        #expect(words("viewMessage", "state") == Set(ViewTarget.allCases.map(\.rawValue)))
        #expect(words("track", "mode") == Set(TrackingMode.allCases.map(\.rawValue) + ["next"]))
        #expect(words("gesture", "kind") == Set(GestureKind.allCases.map(\.rawValue)))
        #expect(words("follow", "transition") == Set(TransitionKind.allCases.map(\.rawValue)))
        #expect(words("subscribe", "bearing") == Set(BearingPreference.allCases.map(\.rawValue)))
    }

    @Test("says the same as the decoder of every request", arguments: RequestRoundTripTests.requests)
    func requests(request: Request) {
        for id in [nil, RequestID(7), .string("a\nb")] {
            let line = Array(RequestEncoder.line(Envelope(id: id, request)).dropLast())
            #expect(schema.problems(of: line, as: "request") == [])
            #expect(schema.problems(of: line, as: "message") != [])
            #expect(schema.problems(of: line) == [])
        }
    }

    @Test("says the same as the decoder of changed requests", arguments: 0..<4)
    func changed(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed + 1_000))
        var agreed = (good: 0, bad: 0)
        while agreed.good < 120 || agreed.bad < 120 {
            guard let seed = RequestFuzzTests.seeds.randomElement(using: &random) else { return }
            let line = RequestFuzzTests.mutate(seed, by: &random)
            // What Foundation reads otherwise, or a schema can't say, is left out: violations, names that stand twice.
            guard String(validating: line, as: UTF8.self) != nil,
                let parsed = try? JSONParser.parse(line, depth: WireLimits.depth), parsed.flaw == nil,
                let document = try? JSONDocument(line)
            else { continue }
            let problems = schema.problems(of: line, as: "request")
            let text = String(decoding: line, as: UTF8.self)
            switch RequestDecoder.decode(line) {
            case .success:
                agreed.good += 1
                #expect(problems == [], "\(text)")
            case .failure(let failure):
                agreed.bad += 1
                let isOfBytes = failure.field == "id" || document["geometry"] != nil && failure.field == "geometry"
                #expect(problems != [] || isOfBytes, "\(failure) \(text)")
            }
        }
    }

    @Test(
        "tells a precise puck from an approximate one, and lets nothing more through",
        arguments: [
            #""speed":1"#, #""age":0"#, #""bearing":0,"bearingSource":"course""#, #""stationary":true"#,
            #""discontinuity":true"#, #""new":1"#,
        ])
    func leaks(field: String) {
        func frame(_ time: String, _ puck: String) -> [UInt8] {
            let start = #"{"type":"frame","seq":1,"time":"2026-02-28T12:34:\#(time)Z","monotonic":60,"view":"","puck":"#
            return Array((start + #"{"state":"live","accuracyMode":\#(puck)}}"#).utf8)
        }
        let approximate = #""approximate","position":[1,2],"accuracy":5000"#
        #expect(schema.problems(of: frame("00.000", approximate), as: "message") == [])
        #expect(schema.problems(of: frame("00.001", approximate), as: "message") != [])
        #expect(schema.problems(of: frame("00.000", approximate + "," + field), as: "message") != [])
    }

    @Test("the validator refuses a keyword that it does not know")
    func unknownKeyword() {
        #expect(throws: KitError.self) { try JSONSchema(Array(#"{"properties":{"a":{"contains":1}}}"#.utf8)) }
    }
}
