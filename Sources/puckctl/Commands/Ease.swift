import PuckClient
import PuckSystem

/// Moves the camera once.
struct Ease: Subcommand {
    static let name = "ease"
    static let usage = "[--center LON,LAT] [--zoom Z] [--bearing B] [--pitch P] [--padding E] [--duration S] …"
    static let summary = "move the camera once, straight"
    static let help = """
        Moves the camera once, from where it is, straight on the map. With a centre it ends following; without one, while
        following, it changes how the puck is followed.

        \(cameraHelp)
          --duration S      seconds, 0 to 3600; by default 0.5
          --curve C         linear, easeIn, easeOut (default), easeInOut, or X1,Y1,X2,Y2 as in CSS
        \(viewHelp)
        """
    private let camera: Camera
    private let duration: Double?
    private let curve: EasingCurve?
    private let view: String

    init(_ words: inout Words) throws(UsageError) {
        camera = try words.camera()
        duration = try words.duration()
        curve = try words.curve()
        view = try words.view()
    }

    func run(_ session: Session) async throws(Failure) {
        try await session.steer(view, .ease(camera, duration: duration, curve: curve))
    }
}

/// What the help of all that move the camera says of it.
let cameraHelp = """
      --center LON,LAT  degrees
      --zoom Z          0 to 24
      --bearing B       what is up, degrees clockwise from north, 0 to 360
      --pitch P         tilt in degrees, 0 to 85
      --padding E       points kept free at the edges: one number, or TOP,RIGHT,BOTTOM,LEFT
    """
