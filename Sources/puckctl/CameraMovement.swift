import PuckClient
import PuckSystem

/// The options that `ease` and `fly` share: the target, duration, curve and view.
struct CameraMovement: Sendable {
    static let usage = "[--center LON,LAT] [--zoom Z] [--bearing B] [--pitch P] [--padding E] [--duration S] …"

    let camera: Camera
    let duration: Double?
    let curve: EasingCurve?
    let view: String

    init(_ words: inout ArgumentReader) throws(UsageError) {
        camera = try words.camera()
        duration = try words.duration()
        curve = try words.curve()
        view = try words.view()
    }
}

/// The help for the camera options of all commands that move the camera.
let cameraHelp = """
      --center LON,LAT  degrees
      --zoom Z          0 to 24
      --bearing B       the direction that is up, degrees clockwise from north, 0 to 360
      --pitch P         tilt in degrees, 0 to 85
      --padding E       points to keep clear at the edges: one number, or TOP,RIGHT,BOTTOM,LEFT
    """
