// One function for each request of the protocol. All of them throw a `ClientError`. docs/protocol.md describes each
// request and the reasons for refusing it.
extension PuckClient {
    // MARK: Streaming

    /// Starts the stream of frames and events, or replaces it. Needs the role `observer`.
    public func subscribe(_ options: SubscribeOptions = SubscribeOptions()) async throws {
        try await ask(.subscribe(options))
    }

    /// Stops the stream.
    public func unsubscribe() async throws { try await ask(.unsubscribe) }

    // MARK: Accuracy

    /// Requests approximate accuracy, or precise accuracy, which is refused unless it is allowed. The default scope is
    /// this client. The scope `.system` applies to all clients and needs the role `admin`.
    public func accuracy(_ mode: AccuracyMode, scope: AccuracyScope = .client) async throws {
        try await ask(.accuracy(mode, scope: scope))
    }

    /// Requests precise accuracy for a limited time. `purpose` is the key of one of `Hello.purposes`.
    public func requestPrecise(purpose: String) async throws {
        try await ask(.requestPrecise(purpose: purpose))
    }

    /// Ends the grant of precise accuracy.
    public func endPrecise() async throws { try await ask(.endPrecise) }

    // MARK: The view; nil means the connection's own view

    /// Steers a view with any command.
    public func steer(_ command: ViewCommand, view: String? = nil) async throws {
        try await ask(.view(name: view, command))
    }

    /// Sets a view's tracking mode.
    public func track(_ mode: TrackingMode, view: String? = nil) async throws {
        try await steer(.track(mode), view: view)
    }

    /// Sets the next tracking mode, like a map's tracking button.
    public func trackNext(view: String? = nil) async throws { try await steer(.trackNext, view: view) }

    /// Follows the puck with these options.
    public func follow(
        _ options: FollowOptions = FollowOptions(), transition: TransitionKind = .default, view: String? = nil
    ) async throws {
        try await steer(.follow(options, transition: transition), view: view)
    }

    /// Keeps a whole geometry in view.
    public func overview(_ options: OverviewOptions, view: String? = nil) async throws {
        try await steer(.overview(options), view: view)
    }

    /// Moves the camera once. `duration` is in seconds, 0 to 3,600; nil lets the daemon choose. The default curve is
    /// `easeOut`.
    public func ease(
        to camera: Camera, duration: Double? = nil, curve: EasingCurve? = nil, view: String? = nil
    ) async throws {
        try await steer(.ease(camera, duration: duration, curve: curve), view: view)
    }

    /// Flies the camera once: it zooms out, moves across and zooms in (van Wijk's path). `duration` is in seconds, 0 to
    /// 3,600; nil derives it from the length of the path. The default curve is CSS's `ease`.
    public func fly(
        to camera: Camera, duration: Double? = nil, curve: EasingCurve? = nil, view: String? = nil
    ) async throws {
        try await steer(.fly(camera, duration: duration, curve: curve), view: view)
    }

    /// Stops steering the camera.
    public func idle(view: String? = nil) async throws { try await steer(.idle, view: view) }

    /// Reports a gesture of the user on the map. `camera` is the camera after the gesture, if known.
    public func gesture(
        _ kind: GestureKind, _ phase: GesturePhase, camera: Camera? = nil, view: String? = nil
    ) async throws {
        try await steer(.gesture(kind, phase: phase, camera: camera), view: view)
    }

    /// Sets the size of the screen that shows the view, in points.
    public func viewport(_ viewport: Viewport, view: String? = nil) async throws {
        try await steer(.viewport(viewport), view: view)
    }

    /// Adds a marker, or moves it from its current position. `duration` is in seconds; default 2, 0 to 3,600.
    public func marker(
        _ name: String, to coordinate: Coordinate, duration: Double = 2, curve: EasingCurve = .linear,
        view: String? = nil
    ) async throws {
        try await steer(.marker(name: name, to: coordinate, duration: duration, curve: curve), view: view)
    }

    /// Removes a marker.
    public func removeMarker(_ name: String, view: String? = nil) async throws {
        try await steer(.removeMarker(name: name), view: view)
    }

    // MARK: The location; needs the role `provider`

    /// Replaces the receiver's location for all clients, until `release` or the end of this connection.
    public func place(_ placement: Placement) async throws { try await ask(.place(placement)) }

    /// Restores the receiver's location.
    public func release() async throws { try await ask(.release) }

    // MARK: Queries

    /// Returns counters, rates, versions, and the state of the source.
    public func status() async throws -> StatusReport {
        guard case .status(let report) = try await ask(.status).answer else {
            throw ClientError.protocolViolation("expected a status")
        }
        return report
    }

    /// Returns the current time on the daemon's clocks.
    public func ping() async throws -> Moment {
        guard case .pong(let moment) = try await ask(.ping).answer else {
            throw ClientError.protocolViolation("expected a time")
        }
        return moment
    }

    /// Returns all connections. Needs the role `admin`.
    public func who() async throws -> [Connection] {
        guard case .connections(let all) = try await ask(.who).answer else {
            throw ClientError.protocolViolation("expected the connections")
        }
        return all
    }
}
