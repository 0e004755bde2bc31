/// The origin of a change of a view.
public struct ViewCause: Hashable, Sendable {
    /// The client's number from the server; nil: no client.
    public var client: UInt64?
    /// The request's own `id` as received (JSON text), to be returned unchanged.
    public var request: String?
    /// The client's accuracy. A precise client's positions, directions and zooms could reveal the precise location,
    /// so approximate watchers of the same view do not get them. The default is approximate.
    public var accuracy: AccuracyMode

    /// A client's request.
    public init(client: UInt64? = nil, request: String? = nil, accuracy: AccuracyMode) {
        self.client = client
        self.request = request
        self.accuracy = accuracy
    }
}

/// The state of a view, or the state that it moves to.
public enum ViewTarget: String, CaseIterable, Hashable, Sendable {
    /// The puck.
    case follow
    /// A geometry.
    case overview
    /// A camera that a client requested once.
    case camera
}

/// A change of a view, for the watchers of one accuracy tier only.
///
/// One command may cause several (a transition is cancelled, another starts). Each describes the view after the whole
/// command, so a watcher that reads only the last one misses nothing.
public struct ViewEvent: Hashable, Sendable {
    /// The view's name.
    public var view: String
    /// The tier of the watchers: a transition does not end at the same time in both.
    public var tier: AccuracyMode
    /// The tracking mode.
    public var mode: TrackingMode
    /// Whether it rests, moves, or keeps to a target.
    public var status: ViewStatus
    /// The target; nil if idle.
    public var state: ViewTarget?
    /// The reason for the event.
    public var reason: ViewChangeReason
    /// The client that caused it.
    public var cause: ViewCause
}

/// The reason why a command was refused. A refused command changes nothing.
public enum ViewRefusal: Error, Hashable, Sendable {
    /// There is no marker with that name.
    case unknownMarker(String)
    /// The view has the maximum number of markers.
    case tooManyMarkers(limit: Int)
    /// A field has an invalid value; the text describes the expected one.
    case badValue(field: String, expected: String)
}

/// The puck of each accuracy tier at one instant. A puck of the wrong tier is ignored, so a mistake of the caller
/// cannot send the precise one to approximate watchers.
public struct TierPucks: Hashable, Sendable {
    /// The puck for precise clients.
    public let precise: Puck?
    /// The puck for approximate clients.
    public let approximate: Puck?

    /// The two pucks, if known.
    public init(precise: Puck? = nil, approximate: Puck? = nil) {
        self.precise = precise?.accuracyMode == .precise ? precise : nil
        self.approximate = approximate?.accuracyMode == .approximate ? approximate : nil
    }
    /// The puck of a tier.
    public subscript(tier: AccuracyMode) -> Puck? { tier == .precise ? precise : approximate }
}
