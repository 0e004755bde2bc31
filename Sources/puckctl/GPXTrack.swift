import CExpat
import PuckClient

/// An error in a GPX file: what was expected, and where.
struct GPXError: Error, Hashable {
    let message: String
}

/// The positions of a GPX file in their order: those of its tracks, or else of its routes, or else its waypoints.
/// Elevations and times are ignored. See topografix.com/GPX/1/1.
struct GPXTrack {
    let positions: [Coordinate]

    init(_ bytes: [UInt8]) throws(GPXError) {
        let reader = GPXReader()
        guard let parser = XML_ParserCreate(nil) else { throw GPXError(message: "no memory for reading XML") }
        defer { XML_ParserFree(parser) }
        XML_SetUserData(parser, Unmanaged.passUnretained(reader).toOpaque())
        XML_SetStartElementHandler(parser) { data, name, attributes in
            guard let data, let name, let attributes else { return }
            Unmanaged<GPXReader>.fromOpaque(data).takeUnretainedValue().start(
                String(cString: name), GPXTrack.pairs(attributes))
        }
        reader.line = { Int(cexpat_line_number(parser)) }
        let status = bytes.withUnsafeBytes { text in
            XML_Parse(parser, text.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: text.count), 1)
        }
        guard status == XML_STATUS_OK else {
            let why = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "unknown"
            throw GPXError(message: "expected XML: line \(cexpat_line_number(parser)): \(why)")
        }
        if let problem = reader.problem { throw GPXError(message: problem) }
        guard let positions = [reader.track, reader.route, reader.waypoints].first(where: { !$0.isEmpty }) else {
            throw GPXError(message: "expected a GPX file with track points, route points or waypoints")
        }
        self.positions = positions
    }

    /// Converts attributes from expat: alternating names and values, and a null pointer at the end.
    private static func pairs(_ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>) -> [String: String] {
        var pairs: [String: String] = [:]
        var i = 0
        while let name = attributes[i], let value = attributes[i + 1] {
            pairs[String(cString: name)] = String(cString: value)
            i += 2
        }
        return pairs
    }
}

/// Collects the positions while expat parses.
private final class GPXReader {
    var track: [Coordinate] = []
    var route: [Coordinate] = []
    var waypoints: [Coordinate] = []
    /// The first error.
    var problem: String?
    /// Returns expat's current line number.
    var line: () -> Int = { 0 }

    func start(_ element: String, _ attributes: [String: String]) {
        // A prefix identifies a namespace, and the file may choose any prefix.
        switch element.split(separator: ":").last {
        case "trkpt": add(attributes, to: &track)
        case "rtept": add(attributes, to: &route)
        case "wpt": add(attributes, to: &waypoints)
        default: break
        }
    }

    private func add(_ attributes: [String: String], to positions: inout [Coordinate]) {
        guard let longitude = attributes["lon"].flatMap({ Double($0) }),
            let latitude = attributes["lat"].flatMap({ Double($0) }),
            let position = Coordinate(longitude: longitude, latitude: latitude)
        else {
            problem = problem ?? "line \(line()): expected lat from -90 to 90 and lon from -180 to 180"
            return
        }
        positions.append(position)
    }
}
