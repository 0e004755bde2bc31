import PuckClient

/// One button cycles through the tracking modes, and each change is reported with its reason.
let trackingModes = Demo(
    name: "tracking-modes", summary: "one button: none, follow, followWithHeading, followWithCourse, none"
) { stage throws(Failure) in
    try await stage.subscribe("subscribe to puck and camera", [.puck, .camera])
    let position = try await stage.neededPosition()
    try await stage.steer(
        "show where the puck is, at once", .ease(Camera(center: position, zoom: 15), duration: 0, curve: nil))
    var mode = TrackingMode.none
    repeat {
        mode = mode.next
        try await stage.steer("the button: \(mode.rawValue)", .trackNext)
        try await stage.show(seconds: mode == .none ? 1 : 2.5)
    } while mode != .none
}
