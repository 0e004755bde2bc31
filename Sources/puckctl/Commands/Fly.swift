import PuckClient
import PuckSystem

/// `puckctl fly`: flies the camera once.
struct Fly: Subcommand {
    static let name = "fly"
    static let usage = CameraMovement.usage
    static let summary = "move the camera once: zoom out, pan, zoom in"
    static let help = """
        Moves the camera once along van Wijk's path: it zooms out, pans, and zooms in. With --center it stops following. Without --zoom
        it returns to the present zoom. If puckd does not know that zoom (no map has reported one) or leaves it to the map
        (follow --zoom user), the camera slides.

        \(cameraHelp)
          --duration S      seconds, 0 to 3600; by default the path's length decides
          --curve linear|easeIn|easeOut|easeInOut|X1,Y1,X2,Y2
                            the pace along the path, as in CSS; by default CSS's ease: 0.25,0.1,0.25,1
        \(viewHelp)
        """
    private let movement: CameraMovement

    init(_ words: inout ArgumentReader) throws(UsageError) { movement = try CameraMovement(&words) }

    func run(_ session: Session) async throws(Failure) {
        try await session.steer(
            movement.view, .fly(movement.camera, duration: movement.duration, curve: movement.curve))
    }
}
