import PuckClient
import PuckSystem

/// A demo: an action of a map as a sequence of requests.
struct Demo: Sendable {
    let name: String
    let summary: String
    let play: @Sendable (Stage) async throws(Failure) -> Void
}

/// All demos.
let demos = [followUser, trackingModes, ownProvider, approximateLocation, animatedMarker]

/// The stage for a demo: it prints each request, and shows incoming frames and events.
struct Stage: Sendable {
    let session: Session
    let output: DemoOutput

    /// The requested number of frames per second.
    private static let rate = 10.0
    /// The maximum time in seconds to wait for the first position.
    private static let patience = 10.0

    init(_ session: Session) {
        self.session = session
        output = DemoOutput(units: session.units)
        let (output, updates) = (output, session.client.updates)
        Task {
            for await update in updates { output.show(update) }
        }
    }

    /// Prints and sends a request.
    func ask(_ what: String, _ request: Request) async throws(Failure) {
        try output.say("→ \(what)")
        try await session.ask(request)
    }

    /// Steers the connection's own view.
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

    /// Shows incoming frames and events for this number of seconds.
    func show(seconds: Double) async throws(Failure) {
        try await session.hold(seconds: seconds)
        try output.check()
    }

    /// Waits for the puck's position. Returns nil if it does not arrive in time.
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

    /// Waits for the puck's position. Throws if it does not arrive in time.
    func neededPosition() async throws(Failure) -> Coordinate {
        guard let position = try await position() else {
            throw .refused("there is no position yet; to see the receiver's state, type: \(session.puckctl) status")
        }
        return position
    }
}
