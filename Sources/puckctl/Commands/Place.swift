import PuckClient
import PuckSystem

/// `puckctl place`: replaces the receiver's location, or drives it along a track.
struct Place: Subcommand {
    static let name = "place"
    static let usage = "LONGITUDE LATITUDE [--for S] | --gpx FILE --speed V [--accuracy M] …"
    static let summary = "replace the receiver's location, or drive along a track (provider)"
    static let help = """
        Puts a location in place of the receiver's, for everyone (needs the role provider), until Ctrl-C: it is the
        receiver's again when this ends. When another program releases it or places another, this ends with code 1, as far
        as you may see who places (precise accuracy, role observer).

          --for S           end after so many seconds, 0 to 86400
          --accuracy M      95 % radius in metres
          --heading D       where the vehicle points, degrees clockwise from north; by default the direction of the move
          --course D        where it goes, likewise
          --speed V         how fast, metres a second; with --course the puck moves on for some seconds

        With --gpx it drives along the file's track (or route, or waypoints), once, on the shortest ways from point to point
        and heading along them, and ends at its end.

          --gpx FILE        a GPX file; “-” is standard input
          --speed V         metres a second, more than 0; needed
          --rate N          so many positions a second, 1 to 60; by default 10
        """
    private enum Way {
        case still(Placement)
        case drive(file: String, speed: Double, rate: Double)
    }
    private let way: Way
    private let accuracy: Double?
    private let seconds: Double?

    init(_ words: inout ArgumentReader) throws(UsageError) {
        accuracy = try words.number("--accuracy", in: RequestRanges.metres, "metres")
        seconds = try words.number("--for", in: RequestRanges.age, "seconds")
        let speed = try words.number("--speed", in: RequestRanges.speed, "metres a second")
        if let file = try words.option("--gpx", "a GPX file") {
            let rate = try words.number("--rate", in: 1...60, "positions a second") ?? 10
            guard let speed, speed > 0 else {
                throw words.error("--gpx: expected --speed with it, in metres a second, more than 0")
            }
            way = .drive(file: file, speed: speed, rate: rate)
        } else {
            let heading = try words.direction("--heading")
            let course = try words.direction("--course")
            let placement = Placement(
                coordinate: try words.coordinate(), accuracy: accuracy, heading: heading, speed: speed, course: course)
            way = .still(placement)
        }
    }

    func run(_ session: Session) async throws(Failure) {
        switch way {
        case .still(let placement):
            try await PlacedLocation(session).hold(first: placement) { _ throws(Failure) in
                try say("placed at \(coordinateText(placement.coordinate, places: 7)), until this ends")
                try await session.hold(seconds: seconds)
            }
        case .drive(let file, let speed, let rate):
            let positions: [Coordinate]
            let bytes = try readInput(file)
            do throws(GPXError) { positions = try GPXTrack(bytes).positions } catch {
                throw .file("\(file): \(error.message)")
            }
            try await drive(GeodesicTrack(positions), speed, rate, session)
        }
    }

    private func drive(
        _ track: GeodesicTrack, _ speed: Double, _ rate: Double, _ session: Session
    ) async throws(Failure) {
        let start = track.position(after: 0)
        let first = Placement(
            coordinate: start.coordinate, accuracy: accuracy, heading: start.direction, speed: speed,
            course: start.direction)
        try await PlacedLocation(session).hold(first: first) { location throws(Failure) in
            try await drive(track, speed, rate, location)
        }
    }

    private func drive(
        _ track: GeodesicTrack, _ speed: Double, _ rate: Double, _ location: PlacedLocation
    ) async throws(Failure) {
        try say("\(fixed(track.length, 0)) m in \(fixed(track.length / speed, 0)) s")
        let start = Clocks.now.monotonic
        var told = -1.0
        var tick = 0.0
        while true {
            let elapsed = Clocks.now.monotonic.seconds(since: start)
            let distance = speed * elapsed
            let isThere = distance >= track.length || seconds.map { elapsed >= $0 } == true
            let at = track.position(after: distance)
            try await location.place(
                Placement(
                    coordinate: at.coordinate, accuracy: accuracy, heading: at.direction,
                    speed: isThere ? 0 : speed, course: isThere ? nil : at.direction))
            if isThere || elapsed >= told + 1 {
                told = elapsed
                let direction = at.direction.map { "  " + directionText($0) } ?? ""
                try say(
                    "\(coordinateText(at.coordinate, places: 7))\(direction)  "
                        + "\(fixed(min(distance, track.length), 0)) of \(fixed(track.length, 0)) m")
            }
            if isThere { return }
            tick += 1
            try await location.session.hold(seconds: max(0, tick / rate - Clocks.now.monotonic.seconds(since: start)))
        }
    }
}
