import PuckClient
import PuckSystem

/// `puckctl place`: replaces the receiver's location or heading, or drives along a track.
struct Place: Subcommand {
    static let name = "place"
    static let usage = "[LONGITUDE LATITUDE] [--heading D] … | --gpx FILE --speed V …"
    static let summary = "replace the receiver's location or heading, or drive along a track (provider)"
    static let help = """
        Puts a location in place of the receiver's, for everyone (needs the role provider), until Ctrl-C: it is the
        receiver's again when this ends. When another program releases it or places another, this ends with code 1, as far
        as you may see who places (precise accuracy, role observer).

          --for S           end after so many seconds, 0 to 86400
          --accuracy M      95 % radius in metres; without it the accuracy is unknown
          --altitude M      metres above the WGS 84 ellipsoid
          --heading D       where the vehicle points, degrees clockwise from north; by default the direction of the move
          --heading-accuracy D  95 % half-width of the heading, degrees
          --pitch D         how far the bow is up, -90 to 90 degrees
          --roll D          how far the right side is down, -180 to 180 degrees
          --course D        where it goes, degrees clockwise from north
          --speed V         how fast, metres a second; with --course the puck moves on for some seconds
          --age S           how many seconds ago that was true, 0 to 2

        Without LONGITUDE and LATITUDE the position stays the receiver's, and only --heading, --pitch and --roll are placed.

        With --gpx it drives along the file's track (or route, or waypoints), once, on the shortest ways from point to point
        and heading along them, and ends at its end.

          --gpx FILE        a GPX file; “-” is standard input
          --speed V         metres a second, more than 0; needed
          --rate N          so many positions a second, 1 to 60; by default 10
        """
    private enum Way {
        case still(Placement, at: Coordinate)
        case attitude(Placement)
        case drive(file: String, speed: Double, rate: Double)
    }
    private let way: Way
    private let accuracy: Double?
    private let seconds: Double?
    /// Seconds.
    private let age: Double

    init(_ words: inout ArgumentReader) throws(UsageError) {
        seconds = try words.number("--for", in: RequestRanges.age, "seconds")
        accuracy = try words.number("--accuracy", in: RequestRanges.metres, "metres")
        if let file = try words.option("--gpx", "a GPX file") {
            let speed = try words.number("--speed", in: RequestRanges.speed, "metres a second")
            let rate = try words.number("--rate", in: 1...60, "positions a second") ?? 10
            guard let speed, speed > 0 else {
                throw words.error("--gpx: expected --speed with it, in metres a second, more than 0")
            }
            age = 0
            way = .drive(file: file, speed: speed, rate: rate)
            return
        }
        age = try words.number("--age", in: 0...Placement.oldest, "seconds") ?? 0
        var placement = Placement(attitude: try words.attitude())
        placement.accuracy = accuracy
        placement.altitude = try words.number("--altitude", in: RequestRanges.height, "metres")
        placement.speed = try words.number("--speed", in: RequestRanges.speed, "metres a second")
        placement.course = try words.direction("--course")
        let isOfPosition = [accuracy, placement.altitude, placement.speed, placement.course?.degrees].contains {
            $0 != nil
        }
        if words.isEmpty, !placement.attitude.isEmpty, !isOfPosition {
            way = .attitude(placement)
        } else {
            let coordinate = try words.coordinate()
            placement.coordinate = coordinate
            way = .still(placement, at: coordinate)
        }
    }

    func run(_ session: Session) async throws(Failure) {
        switch way {
        case .still(var placement, let coordinate):
            placement.instant = Clocks.now.monotonic.advanced(by: -age)
            try await PlacedLocation(session).hold(first: placement) { _ throws(Failure) in
                try say("placed at \(coordinateText(coordinate, places: 7)), until this ends")
                try await session.hold(seconds: seconds)
            }
        case .attitude(let placement):
            try await hold(placement, session)
        case .drive(let file, let speed, let rate):
            let positions: [Coordinate]
            let bytes = try readInput(file)
            do throws(GPXError) { positions = try GPXTrack(bytes).positions } catch {
                throw .file("\(file): \(error.message)")
            }
            try await drive(GeodesicTrack(positions), speed, rate, session)
        }
    }

    /// Places an attitude again and again: puckd forgets one that it does not hear of for two seconds.
    private func hold(_ placement: Placement, _ session: Session) async throws(Failure) {
        let start = Clocks.now.monotonic
        var isFirst = true
        while true {
            var next = placement
            let now = Clocks.now.monotonic
            next.instant = now.advanced(by: -age)
            try await session.ask(.place(next))
            if isFirst { try say("placed an attitude in place of the receiver's, until this ends") }
            isFirst = false
            let left = seconds.map { $0 - now.seconds(since: start) } ?? .infinity
            try await session.hold(seconds: min(left, Self.repetition))
            if left <= Self.repetition { return }
        }
    }

    /// Seconds after which an attitude is placed again.
    private static let repetition = 0.5

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

extension ArgumentReader {
    /// Takes the options of an attitude.
    fileprivate mutating func attitude() throws(UsageError) -> Attitude {
        let attitude = Attitude(
            heading: try direction("--heading"),
            headingAccuracy: try number("--heading-accuracy", in: RequestRanges.halfTurn, "degrees"),
            pitch: try number("--pitch", in: RequestRanges.tilt, "degrees"),
            roll: try number("--roll", in: RequestRanges.roll, "degrees"))
        guard attitude.headingAccuracy == nil || attitude.heading != nil else {
            throw error("--heading-accuracy: expected --heading with it")
        }
        return attitude
    }
}
