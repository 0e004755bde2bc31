import PuckClient
import PuckSystem

/// `puckctl marker`: adds, moves or removes a marker.
struct PutMarker: Subcommand {
    static let name = "marker"
    static let usage = "NAME LONGITUDE LATITUDE | NAME --remove [--duration S] [--curve C] [--view NAME]"
    static let summary = "add, move or remove a marker"
    static let help = """
        Adds a marker, or moves it from its present position along the shortest path.

          --duration S      seconds of the move, 0 to 3600; by default 2
          --curve linear|easeIn|easeOut|easeInOut|X1,Y1,X2,Y2
                            as in CSS; by default linear
          --remove          remove the marker
        \(viewHelp)
        """
    private let command: ViewCommand
    private let done: String
    private let view: String

    init(_ words: inout ArgumentReader) throws(UsageError) {
        let duration = try words.duration() ?? 2
        let curve = try words.curve() ?? .linear
        view = try words.view()
        let isRemoval = words.flag("--remove")
        guard let name = try words.name("a marker's name") else { throw words.error("expected a marker's name") }
        if isRemoval {
            command = .removeMarker(name: name)
            done = "removed marker “\(name)”"
        } else {
            let target = try words.coordinate()
            command = .marker(name: name, to: target, duration: duration, curve: curve)
            done = "marker “\(name)” moves to \(coordinateText(target, places: 7)) in \(fixed(duration, 1)) s"
        }
    }

    func run(_ session: Session) async throws(Failure) {
        try await session.ask(.view(name: view, command))
        try say("view “\(view)”  \(done)")
    }
}
