import PuckClient
import PuckSystem

/// `puckctl follow`: follows the puck with the camera.
struct Follow: Subcommand {
    static let name = "follow"
    static let usage = "[--zoom Z] [--bearing B] [--pitch P] [--padding E] [--immediate] [--view NAME]"
    static let summary = "follow the puck with the camera"
    static let help = """
        Follows the puck with the camera. Options that you do not give keep their values; at first zoom 16.35, pitch 45 and the
        heading up. “user” leaves an axis to the map's user: puckd no longer sends it.

          --zoom Z|user     0 to 24
          --bearing heading|course|DEGREES|user
                            the direction that is up; degrees clockwise from north, 0 to 360
          --pitch P|user    tilt in degrees, 0 to 85
          --padding E|user  points to keep clear at the edges: one number, or TOP,RIGHT,BOTTOM,LEFT
          --immediate       without a transition
        \(viewHelp)
        """
    private var options = FollowOptions()
    private let transition: TransitionKind
    private let view: String

    init(_ words: inout ArgumentReader) throws(UsageError) {
        transition = words.flag("--immediate") ? .immediate : .default
        view = try words.view()
        options.zoom = try words.change("--zoom", "0 to 24, or user") { text in
            Double(text).flatMap { RequestRanges.zoom.contains($0) ? $0 : nil }
        }
        options.pitch = try words.change("--pitch", "degrees from 0 to 85, or user") { text in
            Double(text).flatMap { RequestRanges.pitch.contains($0) ? $0 : nil }
        }
        options.bearing = try words.change("--bearing", "heading, course, degrees from 0 to 360, or user") { text in
            switch text {
            case "heading": .heading
            case "course": .course
            default: Double(text).flatMap { Direction($0) }.map { .constant($0.degrees) }
            }
        }
        options.padding = try words.change("--padding", "\(ArgumentReader.paddingForm), or user") { Padding(text: $0) }
    }

    func run(_ session: Session) async throws(Failure) {
        try await session.steer(view, .follow(options, transition: transition))
    }
}

extension ArgumentReader {
    /// Takes an option whose value `user` leaves the axis to the client.
    fileprivate mutating func change<Value>(
        _ name: String, _ expected: String, _ read: (String) -> Value?
    ) throws(UsageError) -> OptionChange<Value> {
        try option(name, expected) { text in
            text == "user" ? .client : read(text).map { .set($0) }
        } ?? .unchanged
    }
}
