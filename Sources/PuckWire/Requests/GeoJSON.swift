import PuckCore
import PuckText

// GeoJSON (RFC 7946) as the geometry of an overview. A fit needs only the positions.

extension Fields {
    /// Every position of a GeoJSON geometry, feature or feature collection.
    func geometry(_ name: String) throws(FieldError) -> ViewGeometry? {
        guard let value = object[name] else { return nil }
        var reader = GeoJSONReader(limit: WireLimits.positions)
        try within(prefix + name) { () throws(FieldError) in try reader.read(value) }
        guard !reader.coordinates.isEmpty else {
            throw FieldError(code: .badValue, message: "expected at least one position", field: prefix + name)
        }
        return ViewGeometry(coordinates: reader.coordinates)
    }
}

extension ViewGeometry {
    /// Every position of a GeoJSON text, without a limit: any geometry, feature or feature collection. The error's
    /// `field` is the path of the invalid part.
    public init(geoJSON text: [UInt8]) throws(RequestFailure) {
        guard String(validating: text, as: UTF8.self) != nil else {
            throw RequestFailure(code: .badEncoding, message: "expected UTF-8")
        }
        let value: JSONValue
        do throws(JSONFault) { value = try JSONParser.parse(text, depth: WireLimits.depth).value } catch {
            throw RequestFailure(code: .badJSON, message: "\(error)")
        }
        var reader = GeoJSONReader(limit: .max)
        do throws(FieldError) { try reader.read(value) } catch {
            let path = error.field.hasPrefix(".") ? String(error.field.dropFirst()) : error.field
            throw RequestFailure(code: error.code, message: error.message, field: path.isEmpty ? nil : path)
        }
        guard !reader.coordinates.isEmpty else {
            throw RequestFailure(code: .badValue, message: "expected at least one position")
        }
        self.init(coordinates: reader.coordinates)
    }
}

/// Collects the positions. The parser has limited its recursion to `WireLimits.depth`.
private struct GeoJSONReader {
    /// The maximum number of positions.
    let limit: Int
    var coordinates: [Coordinate] = []

    init(limit: Int) { self.limit = limit }

    /// The number of nested arrays around a position in a geometry's `coordinates`.
    private static let nesting = [
        "Point": 0, "MultiPoint": 1, "LineString": 1, "MultiLineString": 2, "Polygon": 2, "MultiPolygon": 3,
    ]
    private static let types = [
        "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon", "GeometryCollection",
        "Feature", "FeatureCollection",
    ]

    /// Errors contain the path from `value` on; the caller adds the part before it.
    mutating func read(_ value: JSONValue) throws(FieldError) {
        guard let object = value.object else { throw bad("a GeoJSON object", value) }
        let type = try member("type", of: object)
        switch type.word {
        case "Feature":
            // A feature without a place has `null` here (RFC 7946, 3.2).
            let geometry = try member("geometry", of: object)
            if geometry != .null { try within(".geometry") { () throws(FieldError) in try read(geometry) } }
        case "FeatureCollection": try readAll("features", of: object)
        case "GeometryCollection": try readAll("geometries", of: object)
        default:
            guard let nesting = type.word.flatMap({ Self.nesting[$0] }) else {
                throw bad(oneOf(Self.types), type, at: ".type")
            }
            let positions = try member("coordinates", of: object)
            try within(".coordinates") { () throws(FieldError) in try readPositions(positions, nesting: nesting) }
        }
    }

    private mutating func readAll(_ name: String, of object: JSONObject) throws(FieldError) {
        let value = try member(name, of: object)
        guard let elements = value.array else { throw bad("an array", value, at: "." + name) }
        for (index, element) in elements.enumerated() {
            try within(".\(name)[\(index)]") { () throws(FieldError) in try read(element) }
        }
    }

    private func member(_ name: String, of object: JSONObject) throws(FieldError) -> JSONValue {
        guard let value = object[name] else {
            throw FieldError(code: .missingField, message: "missing field \(quoted(name))", field: "." + name)
        }
        return value
    }

    private mutating func readPositions(_ value: JSONValue, nesting: Int) throws(FieldError) {
        guard let elements = value.array else { throw bad("an array", value) }
        guard nesting == 0 else {
            for (index, element) in elements.enumerated() {
                try within("[\(index)]") { () throws(FieldError) in try readPositions(element, nesting: nesting - 1) }
            }
            return
        }
        // A third number is the altitude (RFC 7946, 3.1.1), which a camera does not use.
        guard elements.count == 2 || elements.count == 3, elements.allSatisfy({ $0.double != nil }),
            let longitude = elements[0].double, let latitude = elements[1].double,
            let coordinate = Coordinate(longitude: longitude, latitude: latitude)
        else { throw bad("[longitude, latitude] in degrees, from -180 to 180 and from -90 to 90", value) }
        guard coordinates.count < limit else {
            throw FieldError(code: .tooMany, message: "expected at most \(limit) positions", field: "")
        }
        coordinates.append(coordinate)
    }

    private func bad(_ expected: String, _ value: JSONValue, at path: String = "") -> FieldError {
        FieldError(code: .badValue, message: "expected \(expected), got \(described(value))", field: path)
    }
}

/// Adds `step` to the path of an error in `body`. The path is made only for an error, because there may be thousands
/// of steps.
private func within(_ step: @autoclosure () -> String, _ body: () throws(FieldError) -> Void) throws(FieldError) {
    do throws(FieldError) { try body() } catch {
        throw FieldError(code: error.code, message: error.message, field: step() + error.field)
    }
}
