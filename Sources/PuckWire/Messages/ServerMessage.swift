import PuckCore

/// What the server sends: one line each.
public enum ServerMessage: Hashable, Sendable {
    /// Once, on connection.
    case hello(Hello)
    /// A request was carried out.
    case ok(id: RequestID?, Answer)
    /// A request was refused, or the connection closes.
    case error(ErrorMessage)
    /// A view of the world at one instant.
    case frame(Frame)
    /// The receiver's state.
    case source(SourceMessage)
    /// What this client may see.
    case authorization(AuthorizationMessage)
    /// A view's mode or transition changed.
    case view(ViewMessage)
}

/// The first line on a connection.
public struct Hello: Hashable, Sendable {
    /// A purpose that precise accuracy can be asked for.
    public struct Purpose: Hashable, Sendable {
        /// What `requestPrecise` names.
        public var key: String
        /// A sentence that a person can read.
        public var description: String
        /// How long a grant lasts.
        public var seconds: Double
        /// A purpose.
        public init(key: String, description: String, seconds: Double) {
            self.key = key
            self.description = description
            self.seconds = seconds
        }
    }
    /// What the server keeps to.
    public struct Limits: Hashable, Sendable {
        /// Longest request line, bytes.
        public var line: Int
        /// Most frames a second.
        public var rate: Double
        /// Most clients at once.
        public var clients: Int
        /// Limits.
        public init(line: Int = WireLimits.line, rate: Double, clients: Int) {
            self.line = line
            self.rate = rate
            self.clients = clients
        }
    }
    /// Name and version of the program, such as `puckd 1.0`.
    public var server: String
    /// The protocol's version.
    public var `protocol`: Int
    /// What this client may ask precise accuracy for.
    public var purposes: [Purpose]
    /// What this client may do.
    public var roles: [Role]
    /// What the server keeps to.
    public var limits: Limits

    /// A greeting.
    public init(
        server: String, protocol: Int = protocolVersion, purposes: [Purpose], roles: [Role], limits: Limits
    ) {
        self.server = server
        self.protocol = `protocol`
        self.purposes = purposes
        self.roles = roles
        self.limits = limits
    }
}

/// A refusal, or the reason why the connection closes.
public struct ErrorMessage: Hashable, Sendable {
    /// The refused request's.
    public var id: RequestID?
    /// What kind.
    public var code: ErrorCode
    /// What was expected.
    public var message: String
    /// The path of the field it is about.
    public var field: String?
    /// Whether the connection closes after it.
    public var isFatal: Bool

    /// An error; fatal where it is a violation, unless said otherwise.
    public init(
        id: RequestID? = nil, code: ErrorCode, message: String, field: String? = nil, isFatal: Bool? = nil
    ) {
        self.id = id
        self.code = code
        self.message = message
        self.field = field
        self.isFatal = isFatal ?? code.isViolation
    }
    /// What a failure is answered with.
    public init(_ failure: RequestFailure) {
        self.init(id: failure.id, code: failure.code, message: failure.message, field: failure.field)
    }
}

/// What a client may see now.
public struct AuthorizationMessage: Hashable, Sendable {
    /// What it is given.
    public var accuracy: AccuracyMode
    /// The best it may ask for.
    public var allowed: AccuracyMode
    /// Why.
    public var reason: AuthorizationReason
    /// The purpose of the grant in force.
    public var purpose: String?
    /// When that ends by itself.
    public var expires: UTC?

    /// An authorization.
    public init(
        accuracy: AccuracyMode, allowed: AccuracyMode, reason: AuthorizationReason, purpose: String? = nil,
        expires: UTC? = nil
    ) {
        self.accuracy = accuracy
        self.allowed = allowed
        self.reason = reason
        self.purpose = purpose
        self.expires = expires
    }
}

/// Why a client's accuracy is what it is.
public enum AuthorizationReason: String, CaseIterable, Hashable, Sendable {
    /// By the policy alone.
    case policy
    /// The client asked for less.
    case client
    /// An admin set approximate for everyone.
    case system
    /// A grant is in force.
    case purpose
    /// A grant came to its time.
    case expired
    /// A grant was given back, or taken away.
    case ended
}

/// The receiver's state as it goes over the wire.
public struct SourceMessage: Hashable, Sendable {
    /// What it is doing.
    public var state: SourceState
    /// Why, in words.
    public var reason: String?
    /// Who gives the location; nil: not told.
    public var provider: LocationProvider?
    /// The receiver in use.
    public var device: DeviceName?
    /// gpsd's driver for it.
    public var driver: String?
    /// The last fix's mode; nil: none seen.
    public var fix: FixMode?
    /// Satellites used in the fix.
    public var satellitesUsed: Int?
    /// Satellites in view.
    public var satellitesVisible: Int?
    /// Since when it has been in this state.
    public var since: UTC

    /// A state since a time, and nothing else.
    public init(state: SourceState, since: UTC) {
        self.state = state
        self.since = since
    }
    /// All that a precise client is told.
    public init(precise status: SourceStatus) {
        state = status.state
        reason = status.reason
        provider = status.provider
        device = status.device
        driver = status.driver
        fix = status.fix
        satellitesUsed = status.satellitesUsed
        satellitesVisible = status.satellitesVisible
        since = status.since.utc
    }
    /// All that an approximate client is told: whether there is a fix, since an epoch.
    public init(approximateFix hasFix: Bool, since epoch: UTC) {
        state = hasFix ? .fix : .noFix
        since = epoch.flooredForApproximate
    }
}

/// The state that a view can be in, or on its way to.
public enum ViewStateName: String, CaseIterable, Hashable, Sendable {
    /// Following the puck.
    case follow
    /// Keeping a geometry in sight.
    case overview
}

/// A change of a view.
public struct ViewMessage: Hashable, Sendable {
    /// Who brought it about.
    public struct Cause: Hashable, Sendable {
        /// The client's number; nil: no client, or not told.
        public var client: UInt64?
        /// The id of that client's request.
        public var request: RequestID?
        /// A cause.
        public init(client: UInt64? = nil, request: RequestID? = nil) {
            self.client = client
            self.request = request
        }
    }
    /// The view's name; empty for the connection's own.
    public var view: String
    /// The tracking mode.
    public var mode: TrackingMode
    /// What it is doing.
    public var status: ViewStatus
    /// The state it is in or on its way to; nil where that is none.
    public var state: ViewStateName?
    /// Why.
    public var reason: ViewChangeReason
    /// Who.
    public var cause: Cause

    /// A change.
    public init(
        view: String, mode: TrackingMode, status: ViewStatus, state: ViewStateName? = nil,
        reason: ViewChangeReason, cause: Cause = Cause()
    ) {
        self.view = view
        self.mode = mode
        self.status = status
        self.state = state
        self.reason = reason
        self.cause = cause
    }
}
