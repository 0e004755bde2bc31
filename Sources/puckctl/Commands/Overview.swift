import PuckClient
import PuckSystem

/// `puckctl overview`: keeps a whole geometry in view.
struct Overview: Subcommand {
    static let name = "overview"
    static let usage = "FILE.geojson [--geometry-padding E] [--max-zoom Z] [--bearing B] [--pitch P] …"
    static let summary = "keep a geometry in view"
    static let help = """
        Keeps every position of a GeoJSON file (RFC 7946; “-” is standard input) in view on any screen size.

          --geometry-padding E  points to keep clear around the geometry: one number, or TOP,RIGHT,BOTTOM,LEFT
          --padding E       the camera's own padding, likewise
          --max-zoom Z      the closest zoom, 0 to 24
          --bearing B       the direction that is up, degrees clockwise from north, 0 to 360
          --pitch P         tilt in degrees, 0 to 85
          --duration S      seconds, 0 to 3600; by default as long as a default transition
        \(viewHelp)
        """
    private let file: String
    private var options = OverviewOptions(geometry: ViewGeometry(coordinates: []))
    private let view: String

    init(_ words: inout ArgumentReader) throws(UsageError) {
        options.padding = try words.padding()
        options.geometryPadding = try words.padding("--geometry-padding")
        options.maxZoom = try words.number("--max-zoom", in: RequestRanges.zoom, "a zoom")
        options.bearing = try words.bearing()
        options.pitch = try words.pitch()
        options.duration = try words.duration()
        view = try words.view()
        file = try words.next("a GeoJSON file, or “-” for standard input")
    }

    func run(_ session: Session) async throws(Failure) {
        var options = options
        let bytes = try readInput(file)
        do throws(RequestFailure) {
            // A request has room for only some thousands of positions. Send the outline, which leads to the same
            // camera.
            options.geometry = try ViewGeometry(geoJSON: bytes).outline
        } catch {
            throw .file("\(file): \(error.message)\(error.field.map { " (at \($0))" } ?? "")")
        }
        let request = Request.view(name: view, .overview(options))
        let length = RequestEncoder.line(Envelope(request)).count
        guard length <= WireLimits.line else {
            throw .file(
                "\(file): its \(options.geometry.coordinates.count) positions make a request of \(length) bytes; the limit "
                    + "is \(WireLimits.line). Use fewer positions or fewer digits")
        }
        try await session.steer(view, .overview(options))
    }
}

/// Reads a file; `-` means standard input.
func readInput(_ file: String) throws(Failure) -> [UInt8] {
    /// The maximum size in bytes, larger than any track or geometry that a map shows.
    let limit = 64 * 1_024 * 1_024
    do throws(SystemError) {
        return file == "-"
            ? try readAll(from: StandardDescriptor.input, limit: limit, named: "standard input")
            : try readFile(file, limit: limit)
    } catch {
        throw .file("\(error)")
    }
}
