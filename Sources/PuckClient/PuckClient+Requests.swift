// Each request of the protocol by its name. All of them throw a `ClientError`; docs/protocol.md says what each does and
// what it is refused for.
extension PuckClient {
    // MARK: The stream

    /// Starts the stream of frames and events, or replaces it.
    public func subscribe(_ options: SubscribeOptions = SubscribeOptions()) async throws {
        try await ask(.subscribe(options))
    }

    /// Stops the stream.
    public func unsubscribe() async throws { try await ask(.unsubscribe) }

    // MARK: Accuracy

    /// Asks for less accuracy than is allowed, or for all of it again. `.system` binds everyone, and needs the role
    /// `admin`.
    public func accuracy(_ mode: AccuracyMode, scope: AccuracyScope = .client) async throws {
        try await ask(.accuracy(mode, scope: scope))
    }

    /// Asks for precise accuracy for a while, by the key of one of `Hello.purposes`.
    public func requestPrecise(purpose: String) async throws {
        try await ask(.requestPrecise(purpose: purpose))
    }

    /// Gives the grant back.
    public func endPrecise() async throws { try await ask(.endPrecise) }

    // MARK: The view; `view` nil is the connection's own

    /// Steers a view by any command.
    public func steer(_ command: ViewCommand, view: String? = nil) async throws {
        try await ask(.view(name: view, command))
    }

    /// Sets a view's tracking mode.
    public func track(_ mode: TrackingMode, view: String? = nil) async throws {
        try await steer(.track(mode), view: view)
    }

    /// Sets the tracking mode after the present one, as a map's button does.
    public func trackNext(view: String? = nil) async throws { try await steer(.trackNext, view: view) }

    /// Follows the puck by these options.
    public func follow(
        _ options: FollowOptions = FollowOptions(), transition: TransitionKind = .default, view: String? = nil
    ) async throws {
        try await steer(.follow(options, transition: transition), view: view)
    }

    /// Keeps a geometry in sight.
    public func overview(_ options: OverviewOptions, view: String? = nil) async throws {
        try await steer(.overview(options), view: view)
    }

    /// Moves the camera once, in `duration` seconds.
    public func ease(
        to camera: Camera, duration: Double? = nil, curve: EasingCurve? = nil, view: String? = nil
    ) async throws {
        try await steer(.ease(camera, duration: duration, curve: curve), view: view)
    }

    /// Flies the camera once, in `duration` seconds.
    public func fly(
        to camera: Camera, duration: Double? = nil, curve: EasingCurve? = nil, view: String? = nil
    ) async throws {
        try await steer(.fly(camera, duration: duration, curve: curve), view: view)
    }

    /// Lets the camera go.
    public func idle(view: String? = nil) async throws { try await steer(.idle, view: view) }

    /// Tells what the user's hand did to the map.
    public func gesture(
        _ kind: GestureKind, _ phase: GesturePhase, camera: Camera? = nil, view: String? = nil
    ) async throws {
        try await steer(.gesture(kind, phase: phase, camera: camera), view: view)
    }

    /// Tells the size of the screen that shows the view.
    public func viewport(_ viewport: Viewport, view: String? = nil) async throws {
        try await steer(.viewport(viewport), view: view)
    }

    /// Puts a marker, or moves it from where it now is, in `duration` seconds.
    public func marker(
        _ name: String, to coordinate: Coordinate, duration: Double = 2, curve: EasingCurve = .linear,
        view: String? = nil
    ) async throws {
        try await steer(.marker(name: name, to: coordinate, duration: duration, curve: curve), view: view)
    }

    /// Takes a marker away.
    public func removeMarker(_ name: String, view: String? = nil) async throws {
        try await steer(.removeMarker(name: name), view: view)
    }

    // MARK: The location, with the role `provider`

    /// Puts a location in place of the receiver's, for everyone, until `release`, or until this connection ends.
    public func place(_ placement: Placement) async throws { try await ask(.place(placement)) }

    /// Gives the location back to the receiver.
    public func release() async throws { try await ask(.release) }

    // MARK: Questions

    /// Counters, source, rates and versions.
    public func status() async throws -> StatusReport {
        guard case .status(let report) = try await ask(.status).answer else {
            throw ClientError.protocolViolation("expected a status")
        }
        return report
    }

    /// The daemon's clocks.
    public func ping() async throws -> Moment {
        guard case .pong(let moment) = try await ask(.ping).answer else {
            throw ClientError.protocolViolation("expected a time")
        }
        return moment
    }

    /// Who is connected. Needs the role `admin`.
    public func who() async throws -> [Connection] {
        guard case .connections(let all) = try await ask(.who).answer else {
            throw ClientError.protocolViolation("expected the connections")
        }
        return all
    }
}
