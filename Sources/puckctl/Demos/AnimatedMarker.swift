import PuckClient

/// A marker moves from its current position in two seconds, and changes its target while it moves.
let animatedMarker = Demo(
    name: "animated-marker", summary: "a marker moves in 2 s, and turns off on its way to another place"
) { stage throws(Failure) in
    try await stage.subscribe("subscribe to puck and markers", [.puck, .markers])
    let start = try await stage.neededPosition()
    func move(_ what: String, to target: Coordinate) async throws(Failure) {
        try await stage.steer(what, .marker(name: "bus", to: target, duration: 2, curve: .linear))
    }
    try await move("put a marker here", to: start)
    try await stage.show(seconds: 0.8)
    let east = Geodesic.destination(from: start, azimuth: .east, distance: 500)
    try await move("send it 500 m east, in 2 s", to: east)
    try await stage.show(seconds: 1)
    let north = Geodesic.destination(from: start, azimuth: .north, distance: 500)
    try await move("on its way, send it 500 m north instead: from where it is", to: north)
    try await stage.show(seconds: 2.5)
    try await stage.steer("take it away", .removeMarker(name: "bus"))
    try await stage.show(seconds: 0.8)
}
