import PuckCore
import PuckWire
import Testing

@Suite("GeoJSON as a text") struct GeoJSONTests {
    private func read(_ text: String) -> Result<ViewGeometry, RequestFailure> {
        do throws(RequestFailure) { return .success(try ViewGeometry(geoJSON: Array(text.utf8))) } catch {
            return .failure(error)
        }
    }

    @Test("every position of whatever it holds, in order")
    func positions() throws {
        let text = #"""
            {"type":"FeatureCollection","name":"way","features":[
              {"type":"Feature","properties":null,"geometry":{"type":"LineString","coordinates":[[1,2],[3,4,500]]}},
              {"type":"Feature","properties":{},"geometry":null},
              {"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[-5,6]}}]}
            """#
        let expected = [(1.0, 2.0), (3, 4), (-5, 6)].compactMap { Coordinate(longitude: $0.0, latitude: $0.1) }
        #expect(try read(text).get().coordinates == expected)
    }

    @Test("what is wrong is said, and where")
    func refusals() {
        func failure(_ text: String) -> RequestFailure? {
            if case .failure(let failure) = read(text) { failure } else { nil }
        }
        #expect(failure(#"{"type":"Point","coordinates":[1,91]}"#)?.field == "coordinates")
        let inner = #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[1,2],[3]]}}"#
        #expect(failure(inner)?.field == "geometry.coordinates[1]")
        #expect(failure(#"{"type":"Circle"}"#)?.field == "type")
        #expect(failure(#"{"type":"Point"}"#)?.code == .missingField)
        #expect(failure(#"{"type":"FeatureCollection","features":[]}"#)?.message == "expected at least one position")
        #expect(failure("<gpx/>")?.message.hasPrefix("expected") == true)
        #expect(failure("")?.code == .badJSON)
    }
}
