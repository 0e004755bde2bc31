import PuckClient
import PuckSystem

/// Something that a map does, as a sequence of requests.
struct Demo: Sendable {
    let name: String
    let summary: String
    let play: @Sendable (Stage) async throws(Failure) -> Void
}

/// All of them.
let demos = [followUser, trackingModes, ownProvider, approximateLocation, animatedMarker]

/// What a demo is played on: each request is said, and what comes is shown as time goes by.
struct Stage: Sendable {
    let session: Session
    let output: DemoOutput

    /// How often frames are asked for, a second.
    private static let rate = 10.0
    /// How long a demo waits for a first position, seconds.
    private static let patience = 10.0

    init(_ session: Session) {
        self.session = session
        output = DemoOutput(units: session.units)
        let (output, updates) = (output, session.client.updates)
        Task {
            for await update in updates { output.show(update) }
        }
    }

    /// Asks for something, and says so.
    func ask(_ what: String, _ request: Request) async throws(Failure) {
        try output.say("→ \(what)")
        try await session.ask(request)
    }

    /// Steers the view.
    func steer(_ what: String, _ command: ViewCommand) async throws(Failure) {
        try await ask(what, .view(name: nil, command))
    }

    /// Subscribes to these parts.
    func subscribe(
        _ what: String, _ parts: Set<StreamPart>, bearing: BearingPreference = .auto
    ) async throws(Failure) {
        var options = SubscribeOptions()
        options.include = parts
        options.rate = .perSecond(Self.rate)
        options.bearing = bearing
        try await ask(what, .subscribe(options))
    }

    /// Shows what comes for so many seconds.
    func show(seconds: Double) async throws(Failure) {
        try await session.hold(seconds: seconds)
        try output.check()
    }

    /// Where the puck is, as soon as it is known; nil where it is not in time.
    func position() async throws(Failure) -> Coordinate? {
        let frames = session.client.frames
        return await withTaskGroup(of: Coordinate?.self) { group in
            group.addTask {
                for await frame in frames { if let puck = frame.puck { return puck.coordinate } }
                return nil
            }
            group.addTask {
                try? await Task.sleep(for: .seconds(Self.patience))
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    /// Where the puck is; a demo that needs it fails without.
    func neededPosition() async throws(Failure) -> Coordinate {
        guard let position = try await position() else {
            throw .refused("there is no position yet; puckctl status tells what the receiver does")
        }
        return position
    }
}
