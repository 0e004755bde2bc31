import PuckCore

// GeoJSON (RFC 7946) as the geometry of an overview: of all its structure only the positions matter to a fit.

extension Fields {
    /// Every position of a GeoJSON geometry, feature or feature collection.
    func geometry(_ name: String) throws(FieldError) -> ViewGeometry? {
        guard let value = object[name] else { return nil }
        var reader = GeoJSONReader()
        try reader.read(value, at: prefix + name)
        guard !reader.coordinates.isEmpty else {
            throw FieldError(code: .badValue, message: "expected at least one position", field: prefix + name)
        }
        return ViewGeometry(coordinates: reader.coordinates)
    }
}

/// Gathers the positions. It recurses no deeper than `WireLimits.depth`, which the parser saw to.
private struct GeoJSONReader {
    var coordinates: [Coordinate] = []

    /// How many arrays a geometry's `coordinates` nests round a position.
    private static let nesting = [
        "Point": 0, "MultiPoint": 1, "LineString": 1, "MultiLineString": 2, "Polygon": 2, "MultiPolygon": 3,
    ]
    private static let types = [
        "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon", "GeometryCollection",
        "Feature", "FeatureCollection",
    ]

    mutating func read(_ value: JSONValue, at path: String) throws(FieldError) {
        guard let object = value.object else { throw bad(path, "a GeoJSON object", value) }
        guard let type = object["type"] else {
            throw FieldError(code: .missingField, message: "\"type\" is needed", field: path + ".type")
        }
        switch type.string {
        case "Feature": try read(try member("geometry", of: object, at: path), at: path + ".geometry")
        case "FeatureCollection": try readAll("features", of: object, at: path)
        case "GeometryCollection": try readAll("geometries", of: object, at: path)
        case let name?:
            guard let nesting = Self.nesting[name] else { fallthrough }
            try readPositions(
                try member("coordinates", of: object, at: path), nesting: nesting, at: path + ".coordinates")
        case nil: throw bad(path + ".type", oneOf(Self.types), type)
        }
    }

    private mutating func readAll(_ name: String, of object: JSONObject, at path: String) throws(FieldError) {
        let value = try member(name, of: object, at: path)
        guard let elements = value.array else { throw bad("\(path).\(name)", "an array", value) }
        for (index, element) in elements.enumerated() { try read(element, at: "\(path).\(name)[\(index)]") }
    }

    private func member(_ name: String, of object: JSONObject, at path: String) throws(FieldError) -> JSONValue {
        guard let value = object[name] else {
            throw FieldError(code: .missingField, message: "\(quoted(name)) is needed", field: "\(path).\(name)")
        }
        return value
    }

    private mutating func readPositions(_ value: JSONValue, nesting: Int, at path: String) throws(FieldError) {
        guard let elements = value.array else { throw bad(path, "an array", value) }
        guard nesting == 0 else {
            for (index, element) in elements.enumerated() {
                try readPositions(element, nesting: nesting - 1, at: "\(path)[\(index)]")
            }
            return
        }
        // A third number is the altitude (RFC 7946, 3.1.1), of which a camera makes nothing.
        guard elements.count == 2 || elements.count == 3, elements.allSatisfy({ $0.double != nil }),
            let longitude = elements[0].double, let latitude = elements[1].double,
            let coordinate = Coordinate(longitude: longitude, latitude: latitude)
        else { throw bad(path, "[longitude, latitude] in degrees, from -180 to 180 and from -90 to 90", value) }
        guard coordinates.count < WireLimits.positions else {
            throw FieldError(
                code: .tooMany, message: "expected at most \(WireLimits.positions) positions", field: path)
        }
        coordinates.append(coordinate)
    }

    private func bad(_ path: String, _ expected: String, _ value: JSONValue) -> FieldError {
        FieldError(code: .badValue, message: "expected \(expected), got \(described(value))", field: path)
    }
}
