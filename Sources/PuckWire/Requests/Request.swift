import PuckCore

/// A request and its id.
public struct Envelope: Hashable, Sendable {
    /// The id, which the answer repeats.
    public var id: RequestID?
    /// What is asked.
    public var request: Request

    /// A request, marked or not.
    public init(id: RequestID? = nil, _ request: Request) {
        self.id = id
        self.request = request
    }
}

/// What a client can ask.
public enum Request: Hashable, Sendable {
    /// Starts or replaces this connection's stream.
    case subscribe(SubscribeOptions)
    /// Stops it.
    case unsubscribe
    /// Asks for an accuracy.
    case accuracy(AccuracyMode, scope: AccuracyScope)
    /// Asks for a temporary grant of precise accuracy, by the key of a purpose.
    case requestPrecise(purpose: String)
    /// Gives the grant back.
    case endPrecise
    /// Something of a view; nil is the connection's own.
    case view(name: String?, ViewCommand)
    /// Overrides the location and heading providers.
    case place(Placement)
    /// Ends the override.
    case release
    /// Asks for counters, source, clients, rates and versions.
    case status
    /// Asks for the time.
    case ping
    /// Asks who is connected.
    case who
}

/// Whom a request for an accuracy is about.
public enum AccuracyScope: String, CaseIterable, Hashable, Sendable {
    /// This client.
    case client
    /// Every client.
    case system
}

/// A part of the stream.
public enum StreamPart: String, CaseIterable, Hashable, Sendable {
    /// The location puck.
    case puck
    /// The view's camera.
    case camera
    /// The view's markers.
    case markers
    /// The receiver's state.
    case source
}

/// How often frames are made.
public enum FrameRate: Hashable, Sendable {
    /// With each fix.
    case fix
    /// So many a second, 1 to 120.
    case perSecond(Double)
    /// No frames, but motions: functions of time that the client evaluates for each frame that it draws.
    case motion

    /// The rate that a person writes as “fix” or a number; nil where it is neither, or out of range.
    public init?(text: String) {
        if text == "fix" {
            self = .fix
        } else if let rate = Double(text), RequestRanges.rate.contains(rate) {
            self = .perSecond(rate)
        } else {
            return nil
        }
    }
}

/// What a client wants to be sent.
public struct SubscribeOptions: Hashable, Sendable {
    /// The parts.
    public var include: Set<StreamPart> = [.puck, .camera, .source]
    /// How often.
    public var rate: FrameRate = .fix
    /// The view; nil: the connection's own.
    public var view: String?
    /// No better than this; nil: the best that is allowed.
    public var accuracy: AccuracyMode?
    /// What the puck's arrow shows.
    public var bearing: BearingPreference = .auto
    /// The distance that the puck must move before the next frame, metres.
    public var minDistance: Double?
    /// The minimum time between two frames, seconds.
    public var minInterval: Double?
    /// The age from which the puck is `stale`, seconds; nil: the server's setting.
    public var staleAfter: Double?

    /// The defaults of the protocol.
    public init() {}
}

/// Why a line is no request that can be carried out.
public struct RequestFailure: Error, Hashable, Sendable {
    /// The request's id, where it could be read.
    public var id: RequestID?
    /// What kind of failure.
    public var code: ErrorCode
    /// What was expected.
    public var message: String
    /// The path of the field it is about, such as `camera.center[0]`.
    public var field: String?

    /// A failure.
    public init(id: RequestID? = nil, code: ErrorCode, message: String, field: String? = nil) {
        self.id = id
        self.code = code
        self.message = message
        self.field = field
    }
    /// The violation of a line longer than `limit` bytes.
    public static func lineTooLong(limit: Int) -> RequestFailure {
        RequestFailure(code: .lineTooLong, message: "expected at most \(limit) bytes before the end of the line")
    }
    /// Whether the connection closes for it.
    public var isViolation: Bool { code.isViolation }
}
