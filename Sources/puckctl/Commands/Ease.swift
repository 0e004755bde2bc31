import PuckClient
import PuckSystem

/// `puckctl ease`: moves the camera once.
struct Ease: Subcommand {
    static let name = "ease"
    static let usage = CameraMovement.usage
    static let summary = "move the camera once, in a straight line"
    static let help = """
        Moves the camera once, in a straight line on the map. With --center it stops following. Without --center, while
        following, it changes the follow camera.

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
