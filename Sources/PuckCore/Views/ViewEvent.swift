/// Who caused a change of a view.
public struct ViewCause: Hashable, Sendable {
    /// The client, by the number its server gave it; nil: nobody.
    public var client: UInt64?
    /// The request's own `id` as it stood on the wire (JSON text), to be echoed as it is.
    public var request: String?
    /// What the client may see. What a precise client says may give the precise position away, so its positions,
    /// directions and zooms are kept from approximate watchers of the same view. Unless said: approximate.
    public var accuracy: AccuracyMode

    /// A client's request.
    public init(client: UInt64? = nil, request: String? = nil, accuracy: AccuracyMode) {
        self.client = client
        self.request = request
        self.accuracy = accuracy
    }
}

/// What a view is in, or on its way to.
public enum ViewTarget: String, CaseIterable, Hashable, Sendable {
    /// The puck.
    case follow
    /// A geometry.
    case overview
    /// A camera that a client asked for once.
    case camera
}

/// A change of a view, as told to the watchers of one accuracy tier and to nobody else.
///
/// One command may bring several (a transition is cancelled, another starts): each says how the view stands after
/// the whole command, so that a watcher who reads only the last knows all.
public struct ViewEvent: Hashable, Sendable {
    /// The view's name.
    public var view: String
    /// Whose watchers are told: the end of a transition is not at the same time for both.
    public var tier: AccuracyMode
    /// The tracking mode.
    public var mode: TrackingMode
    /// Whether it rests, moves, or keeps to something.
    public var status: ViewStatus
    /// What it keeps to, or moves to; nil when idle.
    public var state: ViewTarget?
    /// Why it is told.
    public var reason: ViewChangeReason
    /// Who caused it.
    public var cause: ViewCause
}

/// Why a command was not carried out. Nothing has changed then.
public enum ViewRefusal: Error, Hashable, Sendable {
    /// There is no marker of that name.
    case unknownMarker(String)
    /// The view has as many markers as it may.
    case tooManyMarkers(limit: Int)
    /// A field's value can't be used; what would have been.
    case badValue(field: String, expected: String)
}

/// The puck of each accuracy tier at one instant. A puck that is not of its tier is not taken: the precise one can't
/// get to approximate watchers by a slip of the caller.
public struct TierPucks: Hashable, Sendable {
    /// What precise clients see.
    public let precise: Puck?
    /// What approximate clients see.
    public let approximate: Puck?

    /// The two pucks, where there are any.
    public init(precise: Puck? = nil, approximate: Puck? = nil) {
        self.precise = precise?.accuracyMode == .precise ? precise : nil
        self.approximate = approximate?.accuracyMode == .approximate ? approximate : nil
    }
    /// The puck of a tier.
    public subscript(tier: AccuracyMode) -> Puck? { tier == .precise ? precise : approximate }
}
