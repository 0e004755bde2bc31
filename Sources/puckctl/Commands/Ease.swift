import PuckClient
import PuckSystem

/// Moves the camera once.
struct Ease: Subcommand {
    static let name = "ease"
    static let usage = CameraMovement.usage
    static let summary = "move the camera once, straight"
    static let help = """
        Moves the camera once, from where it is, straight on the map. With a centre it ends following; without one, while
        following, it changes how the puck is followed.

        \(cameraHelp)
          --duration S      seconds, 0 to 3600; by default 0.5
          --curve linear|easeIn|easeOut|easeInOut|X1,Y1,X2,Y2
                            as in CSS; by default easeOut
        \(viewHelp)
        """
    private let movement: CameraMovement

    init(_ words: inout ArgumentReader) throws(UsageError) { movement = try CameraMovement(&words) }

    func run(_ session: Session) async throws(Failure) {
        try await session.steer(
            movement.view, .ease(movement.camera, duration: movement.duration, curve: movement.curve))
    }
}
