import PuckClient

/// What a live screen shows. A pure value: updates, keys' effects and the time come from outside.
struct LiveState: Sendable {
    /// The connection to puckd.
    enum Link: Hashable, Sendable {
        case connecting
        case connected
        /// The connection is lost, with the reason.
        case lost(String)
    }
    /// The two faces of the screen.
    enum Face: Sendable {
        case table
        case map
    }

    var face: Face
    var units: Units
    /// The zoom that the user chose with keys; nil: the camera's.
    var zoom: Double?
    /// The answer to the last key, or the reason why it did nothing.
    var notice: String?
    private(set) var link = Link.connecting
    private(set) var hello: Hello?
    private(set) var source: SourceMessage?
    private(set) var authorization: AuthorizationMessage?
    private(set) var view: ViewMessage?
    private(set) var frame: Frame?
    /// The puck's places of the last minutes, oldest first.
    private(set) var trail: [Coordinate] = []
    /// The camera's axes as they were last known. An axis that the view gives up stays as it was.
    private(set) var camera = Camera()

    /// The most places of the trail, and the least distance in metres between two of them.
    private static let longestTrail = 600
    private static let trailStep = 2.0

    init(face: Face, units: Units) {
        self.face = face
        self.units = units
    }

    /// Takes an update from the client.
    mutating func take(_ update: Update) {
        switch update.content {
        case .frame(let frame): take(frame)
        case .event(let event): take(event)
        case .unknown: break
        }
    }

    private mutating func take(_ event: ClientEvent) {
        switch event {
        case .connected(let hello):
            self.hello = hello
            link = .connected
        case .disconnected(let error, _): link = .lost("\(error)")
        case .source(let source): self.source = source
        case .authorization(let authorization):
            // The trail of another tier is not part of this one's picture.
            if authorization.accuracy != self.authorization?.accuracy { trail = [] }
            self.authorization = authorization
        case .view(let view): self.view = view
        case .notRestored(_, let error): notice = error.message
        case .fellBehind: break
        }
    }

    private mutating func take(_ frame: Frame) {
        self.frame = frame
        if let camera = frame.camera {
            self.camera.center = camera.center ?? self.camera.center
            self.camera.zoom = camera.zoom ?? self.camera.zoom
            self.camera.bearing = camera.bearing ?? self.camera.bearing
        }
        guard let puck = frame.puck, puck.state != .stale else { return }
        if puck.discontinuity { trail = [] }
        if let last = trail.last, greatCircleDistance(last, puck.coordinate) < Self.trailStep { return }
        trail.append(puck.coordinate)
        if trail.count > Self.longestTrail { trail.removeFirst() }
    }

    /// The age of the shown fix in seconds at a time; nil if the puck has none.
    func age(at now: Moment) -> Double? {
        guard let frame, let age = frame.puck?.age else { return nil }
        return age + max(0, now.monotonic.seconds(since: frame.moment.monotonic))
    }
}
