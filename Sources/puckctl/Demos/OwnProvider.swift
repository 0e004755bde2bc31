import PuckClient

/// A program places the location itself. The heading is the direction of each move, and jumps are marked as such.
let ownProvider = Demo(
    name: "own-provider", summary: "a program places the location in front of the receiver's (provider)"
) { stage throws(Failure) in
    try await stage.subscribe("subscribe to puck, camera and source", [.puck, .camera, .source])
    var options = FollowOptions()
    options.zoom = .set(16)
    options.bearing = .set(.constant(0))
    options.pitch = .set(0)
    try await stage.steer(
        "follow at zoom 16, north up, not tilted, at once", .follow(options, transition: .immediate))
    // Without a receiver, start at any place.
    let start = try await stage.position() ?? greenwich
    var here = start
    for (direction, metres) in [(0.0, 0.0), (45, 200), (135, 300), (270, 400)] {
        guard let azimuth = Direction(direction) else { continue }
        here = Geodesic.destination(from: here, azimuth: azimuth, distance: metres)
        let what = metres == 0 ? "place it here" : "place it \(fixed(metres, 0)) m on, at \(fixed(direction, 0))°"
        try await stage.ask(what, .place(Placement(coordinate: here, accuracy: 5)))
        try await stage.show(seconds: 1.2)
    }
    try await stage.ask("release it: the location is the receiver's again", .release)
    try await stage.show(seconds: 1.5)
}

/// The Royal Observatory, a place that every map shows.
private let greenwich = Coordinate(wrappingLongitude: -0.001545, clampingLatitude: 51.477928)
