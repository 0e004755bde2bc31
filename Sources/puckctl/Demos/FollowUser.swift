import PuckClient

/// The camera follows each new position. The arrow can be switched off, and a gesture on the map ends tracking.
let followUser = Demo(
    name: "follow-user", summary: "the camera follows the user until a hand moves the map"
) { stage throws(Failure) in
    try await stage.subscribe("subscribe to puck and camera", [.puck, .camera])
    let position = try await stage.neededPosition()
    try await stage.steer(
        "ease to the puck, zoom 15, in 1.3 s", .ease(Camera(center: position, zoom: 15), duration: 1.3, curve: nil))
    try await stage.show(seconds: 1.5)
    var options = FollowOptions()
    options.zoom = .set(15)
    options.bearing = .set(.constant(0))
    options.pitch = .set(0)
    try await stage.steer("follow it, north up", .follow(options, transition: .default))
    try await stage.show(seconds: 3)
    try await stage.subscribe("switch the arrow off: subscribe with bearing none", [.puck, .camera], bearing: .none)
    try await stage.show(seconds: 1.5)
    try await stage.subscribe("and on again", [.puck, .camera])
    try await stage.show(seconds: 1.5)
    try await stage.steer("a hand drags the map", .gesture(.pan, phase: .began, camera: nil))
    try await stage.show(seconds: 1)
}
